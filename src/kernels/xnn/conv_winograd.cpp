// Convolution by a 3x3 kernel with Winograd's F(2x2, 3x3): 16 products give a 2x2 tile of outputs instead of 36.
// Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (2015), section 4.1.
//
// Each 4x4 patch of the input is transformed, and so is the kernel; at each of the 16 places of a patch the tiles and
// channels make one matrix product with the kernel's; transforming back gives the outputs. Values of a patch are added
// before they are multiplied, so a NaN or infinity reaches all four outputs of its tile.

#include <array>
#include <vector>

#include "kernels/xnn/conv_parts.h"
#include "kernels/xnn/layout.h"
#include "kernels/xnn/matmul.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

constexpr int64_t kPlaces = 16;
/// Tiles are taken in blocks whose transforms stay in the cache.
constexpr int64_t kBlockFloats = 1 << 18;

OM_SIMD_BEGIN

struct Four {
  F8 v[4];
};

OM_INLINE Four patch_transform(const Four& d) {
  return {{d.v[0] - d.v[2], d.v[1] + d.v[2], d.v[2] - d.v[1], d.v[1] - d.v[3]}};
}

/// to[place * stride] for the first `count` of eight channels of a patch.
OM_INLINE void transform_eight(const float* const* patch, size_t at, size_t count, float* to, size_t stride) {
  Four rows[4];
  for (size_t j = 0; j < 4; ++j) {
    Four column;
    for (size_t i = 0; i < 4; ++i) column.v[i] = load_some(patch[4 * i + j] + at, count);
    column = patch_transform(column);
    for (size_t i = 0; i < 4; ++i) rows[i].v[j] = column.v[i];
  }
  for (size_t i = 0; i < 4; ++i) {
    const Four row = patch_transform(rows[i]);
    for (size_t j = 0; j < 4; ++j) store_some(to + (4 * i + j) * stride, row.v[j], count);
  }
}

void transform_patch(const float* const* patch, size_t channels, float* to, size_t stride) {
  for (size_t c = 0; c < channels; c += 8) transform_eight(patch, c, channels - c, to + c, stride);
}

/// The 2x2 outputs of the first `count` of eight channels, from[place * stride] being the products.
OM_INLINE Four transform_back(const float* from, size_t stride, size_t count) {
  F8 rows[2][4];
  for (size_t j = 0; j < 4; ++j) {
    F8 m[4];
    for (size_t i = 0; i < 4; ++i) m[i] = load_some(from + (4 * i + j) * stride, count);
    rows[0][j] = m[0] + m[1] + m[2];
    rows[1][j] = m[1] - m[2] - m[3];
  }
  Four out;
  for (size_t i = 0; i < 2; ++i) {
    out.v[2 * i] = rows[i][0] + rows[i][1] + rows[i][2];
    out.v[2 * i + 1] = rows[i][1] - rows[i][2] - rows[i][3];
  }
  return out;
}

/// The channels of those of a tile's four outputs that are not null.
void finish_outputs(const float* from, size_t stride, const float* bias, float min, float max, size_t channels,
                    float* const* to) {
  const F8 low = splat8(min), high = splat8(max);
  for (size_t c = 0; c < channels; c += 8) {
    const size_t count = channels - c;
    const Four tile = transform_back(from + c, stride, count);
    const F8 shift = load_some(bias + c, count);
    for (size_t i = 0; i < 4; ++i)
      if (to[i]) store_some(to[i] + c, clamp(tile.v[i] + shift, low, high), count);
  }
}

OM_SIMD_END

/// The kernel's part of every place: [place][m, c].
std::array<std::vector<float>, kPlaces> transform_kernels(const float* weights, size_t count) {
  std::array<std::vector<float>, kPlaces> out;
  for (auto& each : out) each.resize(count);
  const auto line = [](float a, float b, float c) { return std::array{a, (a + b + c) / 2, (a - b + c) / 2, c}; };
  for (size_t k = 0; k < count; ++k) {
    const float* g = weights + 9 * k;
    std::array<std::array<float, 4>, 3> columns;
    for (size_t j = 0; j < 3; ++j) columns[j] = line(g[j], g[3 + j], g[6 + j]);
    for (size_t i = 0; i < 4; ++i) {
      const auto row = line(columns[0][i], columns[1][i], columns[2][i]);
      for (size_t j = 0; j < 4; ++j) out[4 * i + j][k] = row[j];
    }
  }
  return out;
}

class WinogradConv : public Prepared {
 public:
  WinogradConv(const Conv2d& p, const float* bias) : p_(p), zeros_(to_size(p.c)), bias_(to_size(p.m)) {
    if (bias) std::copy_n(bias, p.m, bias_.begin());
    tiles_w_ = (p.out_w() + 1) / 2;
    tiles_ = p.n * ((p.out_h() + 1) / 2) * tiles_w_;
    const int64_t most = std::max<int64_t>(1, kBlockFloats / (kPlaces * (p.c + p.m)));
    const int64_t blocks = (tiles_ + most - 1) / most;
    block_ = (tiles_ + blocks - 1) / blocks;
  }

  bool prepare(const float* weights, std::string& refusal) {
    const auto kernels = transform_kernels(weights, to_size(p_.m * p_.c));
    for (const auto& kernel : kernels) {
      const FullyConnected product{.m = block_, .k = p_.c, .n = p_.m, .transposed_b = true};
      products_.push_back(fully_connected(product, kernel.data(), nullptr, refusal));
      if (!products_.back()) return false;
    }
    return true;
  }

  size_t workspace_bytes() const override {
    return input_bytes() + patch_bytes() + float_bytes(kPlaces * block_ * p_.m) + output_bytes();
  }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    if (!p_.nhwc_input) {
      float* copy = reinterpret_cast<float*>(workspace);
      transpose_planes(x, copy, p_.n, p_.c, p_.h * p_.w);
      x = copy;
    }
    float* patches = reinterpret_cast<float*>(workspace + input_bytes());
    float* results = reinterpret_cast<float*>(workspace + input_bytes() + patch_bytes());
    float* nhwc = p_.nhwc_output ? y : results + float_bytes(kPlaces * block_ * p_.m) / sizeof(float);
    for (int64_t first = 0; first < tiles_; first += block_) {
      const size_t count = to_size(std::min(block_, tiles_ - first));
      parallel(count, grain(p_.c), [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          transform_tile(x, first + static_cast<int64_t>(i), patches + i * to_size(p_.c));
      });
      for (size_t place = 0; place < to_size(kPlaces); ++place) {
        const void* in[] = {patches + place * to_size(block_ * p_.c)};
        void* out[] = {results + place * to_size(block_ * p_.m)};
        products_[place]->run(in, out, nullptr);
      }
      parallel(count, grain(p_.m), [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          finish_tile(results + i * to_size(p_.m), first + static_cast<int64_t>(i), nhwc);
      });
    }
    if (!p_.nhwc_output) transpose_planes(nhwc, y, p_.n, p_.out_h() * p_.out_w(), p_.m);
  }

 private:
  struct Place {
    int64_t n, row, column;  // of the tile's first output
  };
  Place place_of(int64_t tile) const {
    const int64_t per_image = tiles_ / p_.n, at = tile % per_image;
    return {tile / per_image, at / tiles_w_ * 2, at % tiles_w_ * 2};
  }

  void transform_tile(const float* x, int64_t tile, float* to) const {
    const Place at = place_of(tile);
    const float* patch[16];
    for (int64_t i = 0; i < 4; ++i) {
      for (int64_t j = 0; j < 4; ++j) {
        const int64_t row = at.row + i - p_.pad_top, column = at.column + j - p_.pad_left;
        const bool inside = row >= 0 && row < p_.h && column >= 0 && column < p_.w;
        patch[4 * i + j] = inside ? x + ((at.n * p_.h + row) * p_.w + column) * p_.c : zeros_.data();
      }
    }
    transform_patch(patch, to_size(p_.c), to, to_size(block_ * p_.c));
  }

  void finish_tile(const float* from, int64_t tile, float* nhwc) const {
    const Place at = place_of(tile);
    float* to[4];
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < 2; ++j) {
        const int64_t row = at.row + i, column = at.column + j;
        const bool inside = row < p_.out_h() && column < p_.out_w();
        to[2 * i + j] = inside ? nhwc + ((at.n * p_.out_h() + row) * p_.out_w() + column) * p_.m : nullptr;
      }
    }
    finish_outputs(from, to_size(block_ * p_.m), bias_.data(), p_.min, p_.max, to_size(p_.m), to);
  }

  static size_t grain(int64_t channels) { return to_size(kThreadWork / (64 * channels) + 1); }
  size_t input_bytes() const { return p_.nhwc_input ? 0 : float_bytes(p_.n * p_.c * p_.h * p_.w); }
  size_t output_bytes() const { return p_.nhwc_output ? 0 : float_bytes(p_.n * p_.m * p_.out_h() * p_.out_w()); }
  size_t patch_bytes() const { return float_bytes(kPlaces * block_ * p_.c); }

  Conv2d p_;
  int64_t tiles_w_, tiles_, block_;  // in a row, in all, in a block
  std::vector<float> zeros_, bias_;
  std::vector<PreparedPtr> products_;
};

}  // namespace

bool suits_winograd(const Conv2d& p) {
  return p.kernel_h == 3 && p.kernel_w == 3 && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 &&
         p.dilation_w == 1 && p.pad_top <= 1 && p.pad_left <= 1 && p.pad_bottom <= 1 && p.pad_right <= 1 &&
         p.groups == 1 && p.c >= 16 && p.m >= 16 && p.n * p.out_h() * p.out_w() >= 64;
}

PreparedPtr conv2d_winograd(const Conv2d& p, const float* weights, const float* bias, std::string& refusal) {
  auto conv = std::make_unique<WinogradConv>(p, bias);
  if (!conv->prepare(weights, refusal)) return nullptr;
  return conv;
}

}  // namespace onemodel::kernels::xnn
