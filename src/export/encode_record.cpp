#include "export/program_file.h"
#include "export/record_version.h"
#include "format/bytes.h"

namespace onemodel {
namespace {

class Encoder {
 public:
  std::vector<std::byte> run(const ExportedProgram& program, bool with_examples) {
    out_.put(kRecordVersion);
    flag(program.trainable);
    signature(program.signature);
    list(program.arguments, [this](const ProgramArgument& argument) {
      text(argument.name);
      form(argument);
    });
    form({program.result, program.result_constants});
    list(program.calls, [this](const ModuleCall& each) { call(each); });
    texts(program.warnings);
    list(with_examples ? program.example_inputs : std::vector<Tensor>(), [this](const Tensor& each) { tensor(each); });
    return out_.take();
  }

 private:
  template <class T, class F>
  void list(const std::vector<T>& items, const F& each) {
    out_.put_count(items.size());
    for (const T& item : items) each(item);
  }
  void flag(bool value) { out_.put(static_cast<uint8_t>(value)); }
  void text(std::string_view value) {
    out_.put_count(value.size());
    out_.append(value);
  }
  void texts(const std::vector<std::string>& values) {
    list(values, [this](const std::string& value) { text(value); });
  }

  void signature(const ProgramSignature& signature) {
    list(signature.inputs, [this](const InputSpec& input) {
      out_.put(static_cast<uint8_t>(input.kind));
      text(input.name);
      text(input.target);
      flag(input.persistent);
      flag(input.frozen);
      texts(input.aliases);
    });
    list(signature.outputs, [this](const OutputSpec& output) {
      out_.put(static_cast<uint8_t>(output.kind));
      text(output.name);
      text(output.target);
    });
  }

  void form(const ArgumentForm& form) {
    structure(form.structure);
    leaves(form.constants);
  }

  void structure(const Structure& structure) {
    out_.put(static_cast<uint8_t>(structure.kind));
    if (structure.kind == ArgumentKind::leaf) return;
    out_.put_count(structure.children.size());
    for (size_t i = 0; i < structure.children.size(); ++i) {
      if (structure.kind == ArgumentKind::dict) text(structure.keys[i]);
      this->structure(structure.children[i]);
    }
  }

  void leaves(const std::vector<std::optional<ArgumentLeaf>>& leaves) {
    list(leaves, [this](const std::optional<ArgumentLeaf>& leaf) {
      if (!leaf || std::holds_alternative<Tensor>(*leaf))
        out_.put(kTensorLeaf);
      else
        constant(*leaf);
    });
  }

  void constant(const ArgumentLeaf& leaf) {
    if (const auto* truth = std::get_if<bool>(&leaf)) {
      out_.put(kBoolLeaf);
      flag(*truth);
    } else if (const auto* integer = std::get_if<int64_t>(&leaf)) {
      out_.put(kIntegerLeaf);
      out_.put(*integer);
    } else if (const auto* real = std::get_if<double>(&leaf)) {
      out_.put(kRealLeaf);
      out_.put(*real);
    } else if (const auto* string = std::get_if<std::string>(&leaf)) {
      out_.put(kTextLeaf);
      text(*string);
    } else {
      out_.put(kNothingLeaf);
    }
  }

  void call(const ModuleCall& call) {
    text(call.path);
    out_.put_count(call.index);
    out_.put(call.parent);
    texts(call.inputs);
    texts(call.outputs);
    for (const auto* each : {&call.input_form, &call.output_form}) {
      flag(each->has_value());
      if (*each) form(**each);
    }
  }

  void tensor(const Tensor& tensor) {
    const Tensor whole = tensor.contiguous();
    out_.put(static_cast<uint8_t>(whole.dtype()));
    out_.put(static_cast<uint8_t>(whole.rank()));
    for (const int64_t extent : whole.dims()) out_.put(extent);
    out_.append({whole.raw(), whole.bytes()});
  }

  ByteWriter out_;
};

}  // namespace

std::vector<std::byte> encode_record(const ExportedProgram& program, bool with_examples) {
  return Encoder().run(program, with_examples);
}

}  // namespace onemodel
