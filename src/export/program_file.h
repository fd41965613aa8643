#pragma once
// Programs in .onemodel files (docs/format.md): graph, weights, and a record with everything else.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "export/exported_program.h"
#include "format/read_onemodel.h"

namespace onemodel {

struct SaveProgramOptions {
  bool examples = false;  // write example inputs too
};

/// The file's graphs: state is a constant in them, so that a plain session runs the first; the record has the rest. Weights that
/// several programs have under one path and with one content are there once. Throws ModelError for a program that is not valid.
std::vector<StoredGraph> stored_programs(const std::map<std::string, ExportedProgram>& programs,
                                         const SaveProgramOptions& options = {});
/// The programs of a file, by name. They are checked as hostile: throws ModelError(Malformed) for a record that is not sound or
/// does not fit its graph, and ModelError(NoProgram) for a file that has a graph alone.
std::map<std::string, ExportedProgram> programs_of(std::vector<StoredGraph> graphs);

/// Whole files. Errors as above, and as write_graphs and read_graphs.
std::vector<std::byte> write_programs(const std::map<std::string, ExportedProgram>& programs,
                                      const SaveProgramOptions& options = {});
std::map<std::string, ExportedProgram> read_programs(std::span<const std::byte> file,
                                                     const OneModelLimits& limits = {});
void save_programs(const std::string& path, const std::map<std::string, ExportedProgram>& programs,
                   const SaveProgramOptions& options = {});
std::map<std::string, ExportedProgram> load_programs(const std::string& path);
/// One program, named "main".
void save_program(const std::string& path, const ExportedProgram& program, const SaveProgramOptions& options = {});
/// The only program of a file. Throws ModelError listing the names when there are several.
ExportedProgram load_program(const std::string& path);

/// The record of a program: all but graph and state.
std::vector<std::byte> encode_record(const ExportedProgram& program, bool with_examples);
/// The program, but for graph and state. Throws ModelError(Malformed).
ExportedProgram decode_record(std::span<const std::byte> record);

}  // namespace onemodel
