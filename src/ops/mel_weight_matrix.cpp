#include <cmath>
#include <numbers>

#include "core/math.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/fourier.h"
#include "ops/one_integer.h"

namespace onemodel {
namespace {

constexpr int64_t kMost = int64_t{1} << 30;

double read_real(const Tensor& x) { return x.contiguous().cast(DType::f64).raw_as<double>()[0]; }

struct Mel {
  int64_t columns, length, rate;
  double lower, upper;
};

Mel read(std::span<const Tensor> inputs) {
  return {read_one(inputs[0]), read_one(inputs[1]), read_one(inputs[2]), read_real(inputs[3]), read_real(inputs[4])};
}

double mel_of(double hertz) { return 2595 * (math::log(1 + hertz / 700) / std::numbers::ln10); }
double hertz_of(double mel) { return 700 * (math::pow(10, mel / 2595) - 1); }

// The element of the spectrum at the i-th edge; columns + 2 edges are as far apart as columns + 2 bins would be.
int64_t edge(const Mel& m, int64_t i) {
  const double low = mel_of(m.lower);
  const double step = (mel_of(m.upper) - low) / static_cast<double>(m.columns + 2);
  const double hertz = hertz_of(static_cast<double>(i) * step + low);
  return convert<int64_t>(std::floor(static_cast<double>(m.length + 1) * hertz / static_cast<double>(m.rate)));
}

void check_values(const Mel& m) {
  const auto refuse_unless = [](bool ok, const auto&... parts) {
    check<ArgumentError>(ok, MelWeightMatrix::info.name, ": ", parts...);
  };
  refuse_unless(m.columns >= 1 && m.columns < kMost, "num_mel_bins expects a number from 1 up, got ", m.columns);
  refuse_unless(m.length >= 1 && m.length < kMost, "dft_length expects a number from 1 up, got ", m.length);
  refuse_unless(m.rate >= 1 && m.rate < kMost, "sample_rate expects a number from 1 up, got ", m.rate);
  refuse_unless(m.lower >= 0 && m.lower < m.upper && std::isfinite(m.upper),
                "the edges expect 0 <= lower_edge_hertz < upper_edge_hertz, got ", m.lower, " and ", m.upper);
  refuse_unless(edge(m, m.columns + 1) <= m.length / 2 + 1, "upper_edge_hertz ", m.upper,
                " is beyond the spectrum of a sample_rate of ", m.rate);
}

// One column: up from the edge before to its own, down to the edge after.
void fill_column(const Mel& m, int64_t column, std::span<double> y) {
  const int64_t left = edge(m, column), centre = edge(m, column + 1), right = edge(m, column + 2);
  const auto at = [&](int64_t row, double value) {
    const int64_t place = row * m.columns + column;
    if (place < static_cast<int64_t>(y.size())) y[static_cast<size_t>(place)] = value;
  };
  if (left == centre) at(centre, 1);
  for (int64_t row = left; left < centre && row <= centre; ++row)
    at(row, static_cast<double>(row - left) / static_cast<double>(centre - left));
  for (int64_t row = centre; row < right; ++row)
    at(row, static_cast<double>(right - row) / static_cast<double>(right - centre));
}

}  // namespace

void MelWeightMatrix::infer(InferContext& context) const {
  bool known = true;
  std::vector<Tensor> values;
  for (size_t i = 0; i < 5; ++i) {
    if (i < 3)
      check_one_integer(context, i, true);
    else
      check_in(context, i, kFloating);
    check_one(context, i);
    values.push_back(context.value(i));
    known &= values.back().defined();
  }
  context.check<ArgumentError>(is_numeric(output_datatype), "output_datatype expects a numeric type, got ",
                               output_datatype);
  if (known) check_values(read(values));
  const auto columns = one_extent(context, 0), length = one_extent(context, 1);
  if ((!columns || !length) && context.tracing()) context.symbolic_error("the size of the result depends on values");
  context.output(output_datatype, {length ? floor_div(*length, 2) + 1 : context.unknown("rows"),
                                   columns ? *columns : context.unknown("columns")});
}

void MelWeightMatrix::evaluate(EvalContext& context) const {
  const Mel mel = read(context.inputs());
  check_values(mel);
  Tensor y = context.output();
  std::vector<double> weights(static_cast<size_t>(y.numel()));
  for (int64_t column = 0; column < mel.columns; ++column) fill_column(mel, column, weights);
  y.copy_from(Tensor::from(std::span<const double>(weights), y.dims()));
}

std::vector<Sample> MelWeightMatrix::samples() {
  const auto whole = [](int64_t value) { return Tensor::scalar(value); };
  const auto real = [](float value) { return Tensor::scalar(value); };
  return {
      {MelWeightMatrix{}, {whole(8), whole(16), whole(8192), real(0), real(4096)}},
      {MelWeightMatrix{.output_datatype = DType::f64},
       {sample_ints({5}), whole(400), whole(16000).cast(DType::i32), real(20), Tensor::scalar(8000.0)}},
      {MelWeightMatrix{},
       {whole(0), whole(16), whole(8192), real(0), real(4096)},
       "num_mel_bins expects a number from 1 up, got 0"},
      {MelWeightMatrix{},
       {whole(8), whole(0), whole(8192), real(0), real(4096)},
       "dft_length expects a number from 1 up, got 0"},
      {MelWeightMatrix{},
       {whole(8), whole(16), whole(0), real(0), real(4096)},
       "sample_rate expects a number from 1 up, got 0"},
      {MelWeightMatrix{}, {whole(8), whole(16), whole(8192), real(5), real(5)}, "got 5 and 5"},
      {MelWeightMatrix{}, {whole(8), whole(16), whole(8192), real(0), real(90000)}, "upper_edge_hertz 90000 is beyond"},
      {MelWeightMatrix{.output_datatype = DType::boolean},
       {whole(8), whole(16), whole(8192), real(0), real(4096)},
       "output_datatype expects a numeric type, got bool"},
      {MelWeightMatrix{},
       {real(8), whole(16), whole(8192), real(0), real(4096)},
       "expects int64 or int32, got float32"}};
}

ONEMODEL_OPERATOR(MelWeightMatrix)

}  // namespace onemodel
