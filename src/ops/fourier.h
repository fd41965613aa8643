#pragma once
// Fourier transforms: DFT, STFT, and MelWeightMatrix, which follows them.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// The discrete Fourier transform of input[…, n, …, 1 or 2] along `axis` (one integer, -2 when absent), cut or padded
/// with zeros to dft_length (the axis's extent when absent): output[…, n, …, 2], where the last axis holds real and
/// imaginary part. `onesided` keeps the first n / 2 + 1, of real inputs only. `inverse` divides by n. Any n takes
/// n log n. Computed in float64; floating dtypes. Errors: a last axis of other extents, a length below 1, the last axis
/// as `axis`.
struct DFT {
  bool inverse = false, onesided = false;
  static constexpr auto fields() {
    return std::tuple{field("inverse", &DFT::inverse, "the inverse transform"),
                      field("onesided", &DFT::onesided, "only the first n / 2 + 1 of a real input")};
  }
  static constexpr Input inputs[] = {
      {"input", "signals; the last axis is 1 (real) or 2 (real and imaginary part)"},
      {"dft_length", "length of the transform; the axis's when absent", Input::optional, true},
      {"axis", "axis of the signals; -2 when absent", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "DFT", .doc = "discrete Fourier transform along an axis", .since = 20};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The Fourier transforms of the frames of signal[batch, length, 1 or 2]: output[batch, frames, bins, 2]. Frame i begins
/// at i * frame_step and has frame_length elements (those of `window`, else the signal's, when absent), each multiplied
/// by window. There are as many as fit. `onesided` keeps the first frame_length / 2 + 1 bins, of real signals only.
/// Computed in float64; floating dtypes. Errors: shapes, a step or length below 1, a frame longer than the signal.
struct STFT {
  bool onesided = true;
  static constexpr auto fields() {
    return std::tuple{field("onesided", &STFT::onesided, "only the first frame_length / 2 + 1 bins, of a real signal")};
  }
  static constexpr Input inputs[] = {{"signal", "[batch, length, 1 or 2]"},
                                     {"frame_step", "distance of the frames", Input::required, true},
                                     {"window", "a factor for each element of a frame; 1 when absent", Input::optional},
                                     {"frame_length", "elements of a frame", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "STFT", .doc = "Fourier transforms of the frames of signals", .since = 17};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The matrix [dft_length / 2 + 1, num_mel_bins] by which the bins of a spectrum become triangular bins that are
/// equally wide on the mel scale, 2595 log10(1 + hertz / 700). All operands are one number. Errors: counts below 1, edges
/// that are not ascending from 0 up or reach beyond the spectrum.
struct MelWeightMatrix {
  DType output_datatype = DType::f32;
  static constexpr auto fields() {
    return std::tuple{field("output_datatype", &MelWeightMatrix::output_datatype, "dtype of the result")};
  }
  static constexpr Input inputs[] = {{"num_mel_bins", "columns, an integer", Input::required, true},
                                     {"dft_length", "length of the transform, an integer", Input::required, true},
                                     {"sample_rate", "samples a second, an integer", Input::required, true},
                                     {"lower_edge_hertz", "begin of the first bin", Input::required, true},
                                     {"upper_edge_hertz", "end of the last bin", Input::required, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "MelWeightMatrix", .doc = "weights from a spectrum to bins on the mel scale", .since = 17};
  static constexpr NotDifferentiable vjp{"the bins move by whole elements"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
