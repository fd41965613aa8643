#include "kernels/portable/conv.h"

#include "core/error.h"
#include "kernels/portable_support.h"

namespace onemodel::kernels {
namespace {

using namespace test;

Dims joined(std::initializer_list<int64_t> front, const Dims& back) {
  Dims out(front);
  for (int64_t v : back) out.push_back(v);
  return out;
}

/// Sizes of the three arrays, and the pairs that each weight brings together.
struct Case {
  ConvShape shape;

  Dims x() const { return joined({shape.batch, shape.in_channels}, shape.input); }
  Dims y() const { return joined({shape.batch, shape.out_channels}, shape.output); }
  Dims w() const { return joined({shape.out_channels, shape.in_channels / shape.groups}, shape.window.kernel); }

  /// Calls `f(place in x, place in w, place in y)` for every product of the convolution.
  template <class F>
  void for_products(const F& f) const {
    const size_t rank = shape.input.size();
    const Dims xs = contiguous_strides(x()), ys = contiguous_strides(y());
    const int64_t ins = shape.in_channels / shape.groups, outs = shape.out_channels / shape.groups;
    for_each_index(w(), [&](const Dims& wi, int64_t w_place) {
      for_each_index(joined({shape.batch}, shape.output), [&](const Dims& o, int64_t) {
        int64_t x_place = o[0] * xs[0] + (wi[0] / outs * ins + wi[1]) * xs[1];
        int64_t y_place = o[0] * ys[0] + wi[0] * ys[1];
        for (size_t d = 0; d < rank; ++d) {
          const int64_t at =
              o[d + 1] * shape.window.strides[d] + wi[d + 2] * shape.window.dilations[d] - shape.window.pads_begin[d];
          if (at < 0 || at >= shape.input[d]) return;
          x_place += at * xs[d + 2];
          y_place += o[d + 1] * ys[d + 2];
        }
        f(x_place, w_place, y_place);
      });
    });
  }
};

Case make_case(int64_t batch, int64_t in, int64_t out, int64_t groups, const Dims& input, const Window& window) {
  ConvShape shape{batch, in, out, groups, input, {}, window};
  for (size_t d = 0; d < input.size(); ++d) {
    const int64_t padded = input[d] + window.pads_begin[d] + window.pads_end[d];
    const int64_t reach = (window.kernel[d] - 1) * window.dilations[d] + 1;
    shape.output.push_back((padded - reach) / window.strides[d] + 1);
  }
  return {shape};
}

std::vector<Case> cases() {
  const Window plain{{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
  return {
      make_case(2, 3, 5, 1, {7, 9}, plain),
      make_case(1, 4, 8, 1, {6, 5}, {{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}}),
      make_case(2, 6, 9, 3, {8, 7}, {{2, 3}, {2, 3}, {1, 2}, {0, 2}, {1, 1}}),
      make_case(1, 8, 8, 8, {9, 11}, plain),                                     // depthwise
      make_case(2, 4, 8, 4, {9, 10}, {{3, 3}, {2, 2}, {1, 1}, {1, 0}, {1, 2}}),  // two outputs each
      make_case(1, 10, 20, 2, {20, 21}, {{5, 4}, {3, 2}, {2, 1}, {4, 3}, {4, 0}}),
      make_case(3, 2, 6, 1, {30}, {{5}, {2}, {3}, {4}, {6}}),
      make_case(1, 3, 4, 1, {5, 6, 7}, {{2, 3, 2}, {1, 2, 2}, {1, 1, 2}, {1, 0, 1}, {0, 1, 1}}),
      make_case(1, 4, 130, 1, {4, 4}, {{2, 2}, {4, 4}, {1, 1}, {0, 0}, {0, 0}}),  // unseen inputs
      make_case(1, 40, 4, 1, {19, 18}, plain),                                    // several depths
      make_case(1, 5, 7, 1, {3, 3}, {{3, 3}, {1, 1}, {1, 1}, {5, 4}, {4, 5}}),    // mostly padding
  };
}

template <class T>
void check_all() {
  for (const Case& c : cases()) {
    SCOPED_TRACE(concat(dtype_of<T>, " x ", c.x(), " w ", c.w(), " y ", c.y()));
    const int64_t xn = numel(c.x()), wn = numel(c.w()), yn = numel(c.y());
    const Array<T> x = values<T>(xn, 1), w = values<T>(wn, 2), y = values<T>(yn, 3), bias = values<T>(200, 4);
    Array<double> want_y(yn), want_x(xn), want_w(wn);
    c.for_products([&](int64_t xi, int64_t wi, int64_t yi) {
      want_y[yi] += number(x[xi]) * number(w[wi]);
      want_x[xi] += number(y[yi]) * number(w[wi]);
      want_w[wi] += number(y[yi]) * number(x[xi]);
    });
    const double tolerance = 40 * kPrecision<T>;
    expect_close(run<T>(yn, [&](T* out) { conv<T>(c.shape, x.data(), w.data(), nullptr, out); }), want_y, tolerance);
    expect_close(run<T>(xn, [&](T* out) { conv_transpose<T>(c.shape, y.data(), w.data(), nullptr, out); }), want_x,
                 tolerance);
    expect_close(run<T>(wn, [&](T* out) { conv_weight_gradient(c.shape, x.data(), y.data(), out); }), want_w,
                 tolerance);
    for (int64_t i = 0; i < yn; ++i) want_y[i] += number(bias[i / numel(c.shape.output) % c.shape.out_channels]);
    for (int64_t i = 0; i < xn; ++i) want_x[i] += number(bias[i / numel(c.shape.input) % c.shape.in_channels]);
    expect_close(run<T>(yn, [&](T* out) { conv(c.shape, x.data(), w.data(), bias.data(), out); }), want_y, tolerance);
    expect_close(run<T>(xn, [&](T* out) { conv_transpose(c.shape, y.data(), w.data(), bias.data(), out); }), want_x,
                 tolerance);
  }
}

TEST(Conv, AndItsGradientsMatchTheReferenceInFloat) { check_all<float>(); }
TEST(Conv, AndItsGradientsMatchTheReferenceInDouble) { check_all<double>(); }

TEST(Conv, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Case& c : {make_case(2, 16, 24, 1, {30, 31}, {{3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}}),
                        make_case(2, 16, 16, 16, {40, 41}, {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}})}) {
    const int64_t xn = numel(c.x()), wn = numel(c.w()), yn = numel(c.y());
    const Array<float> x = values<float>(xn, 1), w = values<float>(wn, 2), y = values<float>(yn, 3);
    run_threaded<float>(yn, [&](float* out) { conv<float>(c.shape, x.data(), w.data(), nullptr, out); });
    run_threaded<float>(xn, [&](float* out) { conv_transpose<float>(c.shape, y.data(), w.data(), nullptr, out); });
    run_threaded<float>(wn, [&](float* out) { conv_weight_gradient(c.shape, x.data(), y.data(), out); });
  }
}

TEST(Conv, OfEmptyExtents) {
  const Window window{{2}, {1}, {1}, {0}, {0}};
  const float x = 1, w[4] = {1, 2, 3, 4};
  run<float>(0, [&](float* y) { conv<float>({0, 1, 2, 1, {5}, {4}, window}, &x, w, nullptr, y); });
  run<float>(0, [&](float* y) { conv<float>({1, 1, 2, 1, {1}, {0}, window}, &x, w, nullptr, y); });
  expect_equal(run<float>(4,
                          [&](float* g) {
                            conv_weight_gradient({0, 1, 2, 1, {5}, {4}, window}, &x, &x, g);
                          }),
               {0, 0, 0, 0});
}

TEST(Conv, RejectsOtherRanksAndDtypes) {
  const float x = 1;
  float y;
  const Window window{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  EXPECT_THROW(conv<float>({1, 1, 1, 1, {1, 1, 1, 1}, {1, 1, 1, 1}, window}, &x, &x, nullptr, &y), ShapeError);
  EXPECT_THROW(conv<float>({1, 1, 1, 1, {1}, {1}, window}, &x, &x, nullptr, &y), ShapeError);
  const int32_t i = 1;
  int32_t j;
  EXPECT_THROW(conv<int32_t>({1, 1, 1, 1, {1}, {1}, {{1}, {1}, {1}, {0}, {0}}}, &i, &i, nullptr, &j), DTypeError);
}

}  // namespace
}  // namespace onemodel::kernels
