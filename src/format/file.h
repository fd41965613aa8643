#pragma once
// Files of the native build. Errors are ArgumentError with the path when the system refuses, and
// what the formats throw.

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "format/stored_graph.h"

namespace onemodel {

std::vector<std::byte> read_file(const std::string& path);
/// `length` bytes from `offset` of file `name` in the folder of `model`, and nowhere else. Throws ModelError(Malformed) for
/// a name that leads out of the folder or a range beyond the file.
std::shared_ptr<Storage> read_beside(const std::string& model, const std::string& name, uint64_t offset,
                                     uint64_t length);
/// Replaces the file only when everything was written.
void write_file(const std::string& path, std::span<const std::byte> bytes);
/// Takes a file's bytes, front to back.
using Sink = std::function<void(std::span<const std::byte>)>;
/// The same for what `write` gives piece by piece.
void write_file(const std::string& path, const std::function<void(const Sink&)>& write);

/// Whether the file begins as a .onemodel does.
bool is_onemodel_file(const std::string& path);
/// Reads a .onemodel piece by piece; memory beyond the weights stays small.
Graph load_onemodel(const std::string& path);
void save_onemodel(const std::string& path, const Graph& graph);
/// All graphs of a .onemodel, as read_graphs and write_graphs.
std::vector<StoredGraph> load_graphs(const std::string& path);
void save_graphs(const std::string& path, std::span<const StoredGraph> graphs);
std::map<std::string, Tensor> load_safetensors(const std::string& path,
                                               std::map<std::string, std::string>* metadata = nullptr);
void save_safetensors(const std::string& path, const std::map<std::string, Tensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {});

}  // namespace onemodel
