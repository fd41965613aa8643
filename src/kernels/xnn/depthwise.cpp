// Depthwise convolution without transposes. A band of a plane is copied once into padded rows, apart by phase of the
// stride, so that each tap reads memory in order; 16 outputs are four or more chains of additions, where XNNPACK's
// kernel waits for the additions of one.
#include "kernels/xnn/conv_parts.h"
#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

struct Taps {
  const float* const* sources;
  const float* weights;
  size_t count;
  float bias, min, max;
};

OM_SIMD_BEGIN

/// y[i] = clamp(bias + the sum of weights[t] * sources[t][i]). `kCount`: the number of taps where it is known; 0: any.
template <size_t kCount>
void convolve(const Taps& taps, size_t offset, float* y, size_t outputs) {
  const size_t count = kCount ? kCount : taps.count;
  const F8 low = splat8(taps.min), high = splat8(taps.max);
  for (size_t i = 0; i < outputs; i += 16) {
    F8 a = splat8(taps.bias), b = a;
    for (size_t t = 0; t < count; ++t) {
      const float* source = taps.sources[t] + offset + i;
      const F8 weight = splat8(taps.weights[t]);
      a = multiply_add(load8(source), weight, a);
      b = multiply_add(load8(source + 8), weight, b);
    }
    a = clamp(a, low, high);
    b = clamp(b, low, high);
    store_some(y + i, a, outputs - i);
    if (i + 8 < outputs) store_some(y + i + 8, b, outputs - i - 8);
  }
}

OM_SIMD_END

auto choose(size_t taps) { return taps == 9 ? convolve<9> : taps == 25 ? convolve<25> : convolve<0>; }

constexpr size_t kNarrow = 32;  // below this width a band is computed as one row, padding and all
constexpr size_t kBand = 8192;  // floats of a band, where a row is not longer

class Depthwise : public Prepared {
 public:
  Depthwise(const Conv2d& p, const float* weights, const float* bias, bool has_bias)
      : p_(p),
        constants_(p, weights, bias, has_bias),
        taps_(to_size(p.kernel_h * p.kernel_w)),
        convolve_(choose(taps_)),
        width_(to_size(p.out_w() + p.dilation_w * (p.kernel_w - 1) / p.stride_w)),
        reach_(to_size(p.dilation_h * (p.kernel_h - 1) / p.stride_h)),
        narrow_(to_size(p.out_w()) < kNarrow) {
    const size_t rows = kBand / (phases() * width_);
    band_ = std::min(to_size(p.out_h()), rows > reach_ + 1 ? rows - reach_ : 1);
    phase_size_ = (band_ + reach_) * width_;
    for (int64_t r = 0; r < p.kernel_h; ++r)
      for (int64_t c = 0; c < p.kernel_w; ++c) {
        const int64_t down = r * p.dilation_h, right = c * p.dilation_w;
        const int64_t phase = down % p.stride_h * p.stride_w + right % p.stride_w;
        offsets_.push_back(to_size(phase) * phase_size_ + to_size(down / p.stride_h) * width_ +
                           to_size(right / p.stride_w));
      }
  }

  size_t workspace_bytes() const override { return slots_ * slot_bytes(); }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    const float* weights = constants_.weights(inputs);
    const float* bias = constants_.bias(inputs);
    const size_t channels = to_size(p_.m), multiplier = to_size(p_.m / p_.c);
    const auto body = [&](size_t slot, size_t first, size_t last) {
      float* scratch = reinterpret_cast<float*>(workspace + slot * slot_bytes());
      std::fill(scratch, scratch + scratch_size(), 0.f);
      const float** sources = reinterpret_cast<const float**>(scratch + align_up(scratch_size() * sizeof(float)) / 4);
      for (size_t t = 0; t < taps_; ++t) sources[t] = scratch + offsets_[t];
      for (size_t plane = first; plane < last; ++plane) {
        const size_t channel = plane % channels;
        const Taps taps{sources, weights + channel * taps_, taps_, bias ? bias[channel] : 0, p_.min, p_.max};
        convolve_plane(x + plane / multiplier * to_size(p_.h * p_.w), taps,
                       y + plane * to_size(p_.out_h() * p_.out_w()), scratch);
      }
    };
    const int64_t work = p_.n * p_.m * p_.out_h() * p_.out_w() * p_.kernel_h * p_.kernel_w;
    parallel_slots(to_size(p_.n) * channels, work, slots_, body);
  }

 private:
  size_t phases() const { return to_size(p_.stride_h * p_.stride_w); }
  // of a slot: the phases, with room for the last vector's reads; a narrow band's result; the taps' addresses
  size_t scratch_size() const { return phases() * phase_size_ + 16 + (narrow_ ? band_ * width_ : 0); }
  size_t slot_bytes() const { return align_up(scratch_size() * sizeof(float)) + align_up(taps_ * sizeof(float*)); }

  void convolve_plane(const float* x, const Taps& taps, float* y, float* scratch) const {
    const size_t out_w = to_size(p_.out_w()), out_h = to_size(p_.out_h());
    float* result = scratch + phases() * phase_size_ + 16;
    for (size_t first = 0; first < out_h; first += band_) {
      const size_t rows = std::min(band_, out_h - first);
      copy_band(x, first, rows + reach_, scratch);
      float* to = y + first * out_w;
      if (narrow_) {
        convolve_(taps, 0, result, (rows - 1) * width_ + out_w);
        for (size_t r = 0; r < rows; ++r) gather(result + r * width_, 1, to + r * out_w, out_w);
      } else {
        for (size_t r = 0; r < rows; ++r) convolve_(taps, r * width_, to + r * out_w, out_w);
      }
    }
  }

  /// Rows [first, first + rows) of each phase. What is left and right of x is zero from the start.
  void copy_band(const float* x, size_t first, size_t rows, float* scratch) const {
    for (int64_t i = 0; i < p_.stride_h; ++i)
      for (int64_t j = 0; j < p_.stride_w; ++j) {
        const int64_t skip = p_.pad_left > j ? (p_.pad_left - j + p_.stride_w - 1) / p_.stride_w : 0;
        const int64_t start = skip * p_.stride_w + j - p_.pad_left;  // the first element of this phase inside x
        const int64_t inside = start < p_.w ? (p_.w - start + p_.stride_w - 1) / p_.stride_w : 0;
        const int64_t count = std::min(inside, static_cast<int64_t>(width_) - skip);
        float* to = scratch + to_size(i * p_.stride_w + j) * phase_size_;
        for (size_t r = 0; r < rows; ++r, to += width_) {
          const int64_t row = static_cast<int64_t>(first + r) * p_.stride_h + i - p_.pad_top;
          if (row < 0 || row >= p_.h)
            std::fill(to, to + width_, 0.f);
          else if (count > 0)
            gather(x + row * p_.w + start, to_size(p_.stride_w), to + skip, to_size(count));
        }
      }
  }

  Conv2d p_;
  ConvConstants constants_;
  size_t taps_;
  void (*convolve_)(const Taps&, size_t, float*, size_t);
  size_t width_, reach_;  // floats of a phase's row; rows of a phase below an output's first
  bool narrow_;
  size_t band_, phase_size_;     // output rows of a band; floats of a phase
  std::vector<size_t> offsets_;  // of each tap in the phases
  size_t slots_ = slots_for_pool();
};

}  // namespace

PreparedPtr conv2d_depthwise(const Conv2d& p, const float* weights, const float* bias, bool has_bias,
                             std::string& refusal) {
  if (p.groups != p.c) return refuse(refusal, "not depthwise: ", p.c, " channels in ", p.groups, " groups");
  if (p.nhwc_input || p.nhwc_output) return refuse(refusal, "the direct depthwise loop is NCHW");
  return std::make_unique<Depthwise>(p, weights, bias, has_bias);
}

}  // namespace onemodel::kernels::xnn
