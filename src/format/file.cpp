#include "format/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>

#include "format/layout.h"
#include "format/read_onemodel.h"
#include "format/safetensors.h"
#include "format/write_onemodel.h"

namespace onemodel {
namespace {

constexpr size_t kPiece = size_t{1} << 20;

[[noreturn]] void refused(std::string_view what, const std::string& path) {
  throw ArgumentError(concat("cannot ", what, " '", path, "': ", std::strerror(errno)));
}

std::ifstream open_for_reading(const std::string& path, uint64_t& size) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) refused("open", path);
  const auto end = in.tellg();
  if (end < 0 || !in.seekg(0)) refused("read", path);
  size = static_cast<uint64_t>(end);
  return in;
}

// Runs `f`, whose errors get the path before their message.
template <class F>
auto naming(const std::string& path, F&& f) {
  try {
    return f();
  } catch (Error& error) {
    error.add_context(concat("'", path, "'"));
    throw;
  }
}

}  // namespace

std::shared_ptr<Storage> read_beside(const std::string& model, const std::string& name, uint64_t offset,
                                     uint64_t length) {
  const bool is_plain = !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == name.npos &&
                        name.find('\0') == name.npos;
  if (!is_plain) throw ModelError("Malformed", concat("'", name, "' is no file of the model's own folder"));
  const std::string path = model.substr(0, model.find_last_of("/\\") + 1) + name;
  uint64_t size = 0;
  std::ifstream in = open_for_reading(path, size);
  if (offset > size || length > size - offset)
    throw ModelError("Malformed", concat("'", path, "' has ", size, " bytes, expected ", length, " from ", offset));
  std::shared_ptr<Storage> out = Storage::allocate(static_cast<size_t>(length));
  in.seekg(static_cast<std::streamoff>(offset));
  if (!in.read(reinterpret_cast<char*>(out->data()), static_cast<std::streamsize>(length))) refused("read", path);
  return out;
}

std::vector<std::byte> read_file(const std::string& path) {
  uint64_t size = 0;
  std::ifstream in = open_for_reading(path, size);
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    refused("read", path);
  return bytes;
}

void write_file(const std::string& path, const std::function<void(const Sink&)>& write) {
  const std::string beside = path + ".part";
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    if (!out) refused("open", beside);
    try {
      write([&](std::span<const std::byte> bytes) {
        if (!out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
          refused("write", beside);
      });
      if (!out.flush()) refused("write", beside);
    } catch (...) {
      std::remove(beside.c_str());
      throw;
    }
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    refused("write", path);
  }
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  write_file(path, [&](const Sink& sink) { sink(bytes); });
}

bool is_onemodel_file(const std::string& path) {
  uint64_t size = 0;
  std::ifstream in = open_for_reading(path, size);
  std::array<char, kMagic.size()> head{};
  in.read(head.data(), head.size());
  return std::memcmp(head.data(), kMagic.data(), kMagic.size()) == 0;
}

Graph load_onemodel(const std::string& path) { return std::move(load_graphs(path).front().graph); }

std::vector<StoredGraph> load_graphs(const std::string& path) {
  uint64_t size = 0;
  std::ifstream in = open_for_reading(path, size);
  return naming(path, [&] {
    OneModelReader reader(size);
    std::vector<std::byte> piece(static_cast<size_t>(std::min<uint64_t>(size, kPiece)));
    for (uint64_t left = size; left > 0; left -= piece.size()) {
      piece.resize(static_cast<size_t>(std::min<uint64_t>(left, kPiece)));
      if (!in.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(piece.size())))
        refused("read", path);
      reader.feed(piece);
    }
    return reader.finish_graphs();
  });
}

void save_onemodel(const std::string& path, const Graph& graph) {
  write_file(path, [&](const auto& sink) { write_onemodel(graph, sink); });
}

void save_graphs(const std::string& path, std::span<const StoredGraph> graphs) {
  write_file(path, [&](const auto& sink) { write_graphs(graphs, sink); });
}

std::map<std::string, Tensor> load_safetensors(const std::string& path, std::map<std::string, std::string>* metadata) {
  const auto bytes = read_file(path);
  return naming(path, [&] { return read_safetensors(bytes, metadata); });
}

void save_safetensors(const std::string& path, const std::map<std::string, Tensor>& tensors,
                      const std::map<std::string, std::string>& metadata) {
  write_file(path, write_safetensors(tensors, metadata));
}

}  // namespace onemodel
