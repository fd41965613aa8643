#include <algorithm>
#include <cstring>

#include "export/program_file.h"
#include "export/record_version.h"
#include "format/bytes.h"

namespace onemodel {
namespace {

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> record) : in_("program record", record) {}

  ExportedProgram run() {
    version_ = in_.get<uint32_t>();
    in_.require(version_ == 2 || version_ == kRecordVersion, "has version ", version_, "; this build reads 2 and ",
                kRecordVersion);
    ExportedProgram out;
    out.trainable = flag();
    signature(out.signature);
    list([&] {
      std::string name = text();
      out.arguments.push_back({form(), std::move(name)});
    });
    out.result = structure(0);
    out.result_constants = leaves();
    list([&] { out.calls.push_back(call()); });
    out.warnings = texts();
    list([&] { out.example_inputs.push_back(tensor()); });
    in_.expect_end();
    return out;
  }

 private:
  // Every item has bytes, so that a count beyond them ends at once.
  template <class F>
  void list(const F& each) {
    for (auto n = in_.get<uint32_t>(); n > 0; --n) each();
  }
  bool flag() {
    const auto value = in_.get<uint8_t>();
    in_.require(value <= 1, "has a flag other than 0 and 1");
    return value == 1;
  }
  std::string text() {
    const auto bytes = in_.take(in_.get<uint32_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::vector<std::string> texts() {
    std::vector<std::string> out;
    list([&] { out.push_back(text()); });
    return out;
  }
  template <class Kind>
  Kind kind(Kind last, const char* what) {
    const auto value = in_.get<uint8_t>();
    in_.require(value <= static_cast<uint8_t>(last), "has an unknown kind of ", what, ", ", static_cast<int>(value));
    return static_cast<Kind>(value);
  }

  void signature(ProgramSignature& out) {
    list([&] {
      InputSpec input{.kind = kind(InputKind::constant, "input"), .name = text()};
      input.target = text();
      input.persistent = flag();
      if (version_ > 2) {
        input.frozen = flag();
        input.aliases = texts();
      }
      out.inputs.push_back(std::move(input));
    });
    list([&] {
      OutputSpec output{.kind = kind(OutputKind::gradient_to_user_input, "output"), .name = text()};
      output.target = text();
      out.outputs.push_back(std::move(output));
    });
  }

  Structure structure(size_t depth) {
    in_.require(depth <= kMostStructureDepth, "has structures inside each other beyond reason");
    Structure out{.kind = kind(ArgumentKind::dict, "structure"), .keys = {}, .children = {}};
    if (out.kind == ArgumentKind::leaf) return out;
    list([&] {
      if (out.kind == ArgumentKind::dict) {
        out.keys.push_back(text());
        in_.require(std::ranges::count(out.keys, out.keys.back()) == 1, "has the key '", out.keys.back(), "' twice");
      }
      out.children.push_back(structure(depth + 1));
    });
    return out;
  }

  ArgumentForm form() {
    ArgumentForm out{.structure = structure(0), .constants = {}};
    out.constants = leaves();
    return out;
  }

  std::vector<std::optional<ArgumentLeaf>> leaves() {
    std::vector<std::optional<ArgumentLeaf>> out;
    list([&] { out.push_back(leaf()); });
    return out;
  }

  std::optional<ArgumentLeaf> leaf() {
    switch (kind(kTextLeaf, "leaf")) {
      case kTensorLeaf: return {};
      case kBoolLeaf: return flag();
      case kIntegerLeaf: return in_.get<int64_t>();
      case kRealLeaf: return in_.get<double>();
      case kTextLeaf: return text();
      default: return ArgumentLeaf();
    }
  }

  ModuleCall call() {
    ModuleCall out{.path = text()};
    out.index = in_.get<uint32_t>();
    out.parent = in_.get<int32_t>();
    in_.require(out.parent >= -1, "has a call inside of none");
    out.inputs = texts();
    out.outputs = texts();
    for (auto* each : {&out.input_form, &out.output_form})
      if (flag()) *each = form();
    return out;
  }

  Tensor tensor() {
    const auto dtype = static_cast<DType>(in_.get<uint8_t>());
    const auto rank = in_.get<uint8_t>();
    in_.require(dtype_size(dtype) != 0 && rank <= kMaxRank, "has an example of unknown type");
    Dims dims;
    uint64_t bytes = dtype_size(dtype);
    bool is_empty = false;
    for (int i = 0; i < rank; ++i) {
      dims.push_back(in_.get<int64_t>());
      in_.require(dims.back() >= 0, "has an example with a negative extent");
      is_empty |= dims.back() == 0;
      const bool fits =
          !__builtin_mul_overflow(bytes, std::max<uint64_t>(static_cast<uint64_t>(dims.back()), 1), &bytes);
      in_.require(fits && bytes <= static_cast<uint64_t>(INT64_MAX), "has an example without end");
    }
    in_.require(is_empty || bytes <= in_.remaining(), "ends inside an example");
    Tensor out = Tensor::empty(dims, dtype);
    const auto content = in_.take(out.bytes());
    if (!content.empty()) std::memcpy(out.mutable_raw(), content.data(), content.size());
    in_.require(dtype != DType::boolean || std::ranges::all_of(content, [](std::byte b) { return b <= std::byte{1}; }),
                "has a boolean other than 0 and 1");
    return out;
  }

  ByteReader in_;
  uint32_t version_ = 0;
};

}  // namespace

ExportedProgram decode_record(std::span<const std::byte> record) { return Decoder(record).run(); }

}  // namespace onemodel
