#include <limits>

#include "kernels/xnn/elementwise.h"
#include "kernels/xnn/layout.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

OM_SIMD_BEGIN

template <Binary kFunction>
OM_INLINE float evaluate(float a, float b) {
  switch (kFunction) {
    case Binary::add: return a + b;
    case Binary::sub: return a - b;
    case Binary::mul: return a * b;
    case Binary::div: return a / b;
    case Binary::min: return a != a ? a : b > a ? a : b;  // b when it is NaN
    case Binary::max: return a != a ? a : b < a ? a : b;
    case Binary::squared_difference: return (a - b) * (a - b);
  }
  return a;
}

/// y[i] = f(a[i], b[i]); an operand whose step is 0 stays at its first element.
using Loop = void (*)(const float* a, bool a_steps, const float* b, bool b_steps, float* y, size_t count);

template <Binary kFunction>
void loop(const float* a, bool a_steps, const float* b, bool b_steps, float* y, size_t count) {
  if (a_steps && b_steps) {
    OM_INDEPENDENT
    for (size_t i = 0; i < count; ++i) y[i] = evaluate<kFunction>(a[i], b[i]);
  } else if (a_steps) {
    const float fixed = *b;
    OM_INDEPENDENT
    for (size_t i = 0; i < count; ++i) y[i] = evaluate<kFunction>(a[i], fixed);
  } else if (b_steps) {
    const float fixed = *a;
    OM_INDEPENDENT
    for (size_t i = 0; i < count; ++i) y[i] = evaluate<kFunction>(fixed, b[i]);
  } else {
    std::fill(y, y + count, evaluate<kFunction>(*a, *b));
  }
}

void clamp_loop(float* y, size_t count, float low, float high) {
  for (size_t i = 0; i < count; ++i) {
    const float v = y[i] < low ? low : y[i];
    y[i] = v > high ? high : v;
  }
}

OM_SIMD_END

Loop loop_of(Binary function) {
  switch (function) {
    case Binary::add: return loop<Binary::add>;
    case Binary::sub: return loop<Binary::sub>;
    case Binary::mul: return loop<Binary::mul>;
    case Binary::div: return loop<Binary::div>;
    case Binary::min: return loop<Binary::min>;
    case Binary::max: return loop<Binary::max>;
    case Binary::squared_difference: return loop<Binary::squared_difference>;
  }
  return nullptr;
}

/// The output's axes, merged where both operands step evenly through them.
struct Plan {
  Dims shape, a, b;  // extents, and strides of the operands: 0 where they are broadcast
  int64_t inner() const { return shape.empty() ? 1 : shape.back(); }
};

Plan merge(const Dims& out, const Dims& a, const Dims& b) {
  const auto strides = [&](const Dims& own) {
    Dims result = Dims::filled(out.size(), 0);
    const Dims dense = contiguous_strides(own);
    for (size_t i = 0; i < own.size(); ++i)
      if (own[i] != 1) result[out.size() - own.size() + i] = dense[i];
    return result;
  };
  const Dims a_strides = strides(a), b_strides = strides(b);
  Plan plan;
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == 1) continue;
    const size_t last = plan.shape.size() - 1;
    if (!plan.shape.empty() && plan.a[last] == a_strides[i] * out[i] && plan.b[last] == b_strides[i] * out[i]) {
      plan.shape[last] *= out[i];
      plan.a[last] = a_strides[i];
      plan.b[last] = b_strides[i];
    } else {
      plan.shape.push_back(out[i]);
      plan.a.push_back(a_strides[i]);
      plan.b.push_back(b_strides[i]);
    }
  }
  return plan;
}

class BinaryKernel : public Prepared {
 public:
  BinaryKernel(Binary function, const Plan& plan, float low, float high)
      : loop_(loop_of(function)), plan_(plan), low_(low), high_(high) {}

  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    const auto body = [&](size_t begin, size_t end) {
      run_range(input_f32(inputs, 0), input_f32(inputs, 1), output_f32(outputs), static_cast<int64_t>(begin),
                static_cast<int64_t>(end));
    };
    parallel(to_size(numel(plan_.shape)), 1 << 16, body);
  }

 private:
  void run_range(const float* a, const float* b, float* y, int64_t begin, int64_t end) const {
    const size_t rank = plan_.shape.size();
    const int64_t a_step = rank ? plan_.a.back() : 0, b_step = rank ? plan_.b.back() : 0;
    while (begin < end) {
      int64_t rest = begin / plan_.inner(), a_at = 0, b_at = 0;
      const int64_t first = begin % plan_.inner();
      const int64_t count = std::min(end - begin, plan_.inner() - first);
      for (size_t axis = rank; axis-- > 1;) {
        const int64_t index = rest % plan_.shape[axis - 1];
        rest /= plan_.shape[axis - 1];
        a_at += index * plan_.a[axis - 1];
        b_at += index * plan_.b[axis - 1];
      }
      loop_(a + a_at + first * a_step, a_step != 0, b + b_at + first * b_step, b_step != 0, y + begin, to_size(count));
      if (!unbounded(low_, high_)) clamp_loop(y + begin, to_size(count), low_, high_);
      begin += count;
    }
  }

  Loop loop_;
  Plan plan_;
  float low_, high_;
};

}  // namespace

PreparedPtr binary(Binary function, const Dims& a, const Dims& b, float low, float high, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  Dims out;
  if (!broadcast(a, b, out)) return refuse(refusal, "shapes ", a, " and ", b, " do not fit");
  if (numel(out) == 0) return refuse(refusal, "a size is zero");
  return std::make_unique<BinaryKernel>(function, merge(out, a, b), low, high);
}

PreparedPtr binary(Binary function, const Dims& a, const Dims& b, std::string& refusal) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return binary(function, a, b, -kInfinity, kInfinity, refusal);
}

}  // namespace onemodel::kernels::xnn
