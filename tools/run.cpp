// om_run: runs a model file natively, and says what came out and how long it took.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "core/generator.h"
#include "format/file.h"
#include "kernels/thread_pool.h"
#include "runtime/session.h"

using namespace onemodel;

namespace {

constexpr const char* kUsage =
    "usage: om_run MODEL [options] [INPUT=EXTENTS[:FILE]]...\n"
    "  MODEL                .onnx or .onemodel\n"
    "  INPUT=1x3x48x192     the sizes of an input; FILE holds its elements as they lie in memory, else\n"
    "                       floats are random in [-1, 1) and other types zero\n"
    "  --exact              the arithmetic with the same bits on every machine\n"
    "  --threads N          default 1\n"
    "  --out FOLDER         writes each output's elements to FOLDER/<name>.bin\n"
    "  --seconds S          runs again for S seconds and prints the median in milliseconds\n"
    "  --describe           prints the plan\n";

struct InputArgument {
  Dims dims;
  std::string file;
};

struct Arguments {
  std::string model, out;
  bool exact = false, describe = false;
  size_t threads = 1;
  std::optional<double> seconds;
  std::map<std::string, InputArgument> inputs;
};

InputArgument parse_input(const std::string& text) {
  InputArgument out;
  const size_t colon = text.find(':');
  if (colon != text.npos) out.file = text.substr(colon + 1);
  for (size_t at = 0, end = 0; end < std::min(colon, text.size()); at = end + 1) {
    end = std::min(text.find('x', at), std::min(colon, text.size()));
    out.dims.push_back(std::stoll(text.substr(at, end - at)));
  }
  return out;
}

Arguments parse(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&] {
      check<ArgumentError>(i + 1 < argc, argument, " expects a value");
      return std::string(argv[++i]);
    };
    if (argument == "--exact")
      out.exact = true;
    else if (argument == "--describe")
      out.describe = true;
    else if (argument == "--threads")
      out.threads = std::stoul(value());
    else if (argument == "--out")
      out.out = value();
    else if (argument == "--seconds")
      out.seconds = std::stod(value());
    else if (const size_t equal = argument.find('='); equal != argument.npos)
      out.inputs[argument.substr(0, equal)] = parse_input(argument.substr(equal + 1));
    else if (out.model.empty() && !argument.starts_with("--"))
      out.model = argument;
    else
      throw ArgumentError("unknown argument '" + argument + "'");
  }
  return out;
}

Tensor make_input(const ValueInfo& info, const Arguments& arguments) {
  const auto found = arguments.inputs.find(info.name);
  check<ArgumentError>(found != arguments.inputs.end() || (info.has_rank && info.shape.is_concrete()), "the input '",
                       info.name, "' has the shape ", info.shape, ": give its sizes as ", info.name, "=EXTENTS");
  const Dims dims = found == arguments.inputs.end() ? info.shape.dims() : found->second.dims;
  Tensor tensor = Tensor::zeros(dims, info.dtype);
  if (found != arguments.inputs.end() && !found->second.file.empty()) {
    const std::vector<std::byte> bytes = read_file(found->second.file);
    check<ArgumentError>(bytes.size() == tensor.bytes(), found->second.file, " has ", bytes.size(), " bytes, expected ",
                         tensor.bytes(), " for ", tensor);
    std::memcpy(tensor.mutable_raw_as<std::byte>(), bytes.data(), bytes.size());
  } else if (info.dtype == DType::f32) {
    Generator generator;
    float* values = tensor.mutable_raw_as<float>();
    for (int64_t i = 0; i < tensor.numel(); ++i) values[i] = generator.uniform(-1, 1);
  }
  return tensor;
}

double median_milliseconds(Session& session, std::span<const Tensor> inputs, double seconds) {
  using Clock = std::chrono::steady_clock;
  std::vector<Tensor> outputs(session.outputs().size());
  std::vector<double> times;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end || times.size() < 9) {
    const auto start = Clock::now();
    session.run(inputs, std::span(outputs));
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

void run(const Arguments& arguments) {
  set_threads(arguments.threads);
  Session session =
      Session::load(arguments.model, {.arithmetic = arguments.exact ? Arithmetic::exact : Arithmetic::fast});
  std::vector<Tensor> inputs;
  for (const ValueInfo& info : session.inputs()) {
    const bool is_default = info.initial.defined() && !arguments.inputs.contains(info.name);
    inputs.push_back(is_default ? Tensor() : make_input(info, arguments));
  }
  const std::vector<Tensor> outputs = session.run(inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = session.outputs()[i].name;
    std::printf("%s: %s\n", name.c_str(), concat(outputs[i]).c_str());
    if (arguments.out.empty()) continue;
    const Tensor whole = outputs[i].contiguous();
    write_file(arguments.out + "/" + name + ".bin", std::span(whole.raw_as<std::byte>(), whole.bytes()));
  }
  if (arguments.describe) std::printf("%s\n", session.describe().c_str());
  if (arguments.seconds) std::printf("%.6f ms\n", median_milliseconds(session, inputs, *arguments.seconds));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments = parse(argc, argv);
    if (arguments.model.empty()) {
      std::fputs(kUsage, stderr);
      return 2;
    }
    run(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "om_run: %s\n", error.what());
    return 1;
  }
}
