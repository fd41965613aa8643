#pragma once
// Objects that JavaScript holds by number.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/tensor.h"

namespace onemodel::bindings {

/// Numbers from 1 on; a freed number is given again. `what` names the objects in errors.
template <class T>
class Handles {
 public:
  explicit Handles(std::string_view what) : what_(what) {}

  uint32_t add(T object) {
    if (free_.empty()) {
      if (slots_.size() == slots_.capacity()) grow();
      slots_.push_back({std::move(object), true});
      ++live_;
      return static_cast<uint32_t>(slots_.size());
    }
    const uint32_t handle = free_.back();
    free_.pop_back();
    slots_[handle - 1] = {std::move(object), true};
    ++live_;
    return handle;
  }

  T& get(uint32_t handle) {
    T* object = find(handle);
    check<ArgumentError>(object != nullptr, "this ", what_, " was disposed of");
    return *object;
  }

  /// The object, or null where there is none.
  T* find(uint32_t handle) {
    return handle >= 1 && handle <= slots_.size() && slots_[handle - 1].used ? &slots_[handle - 1].object : nullptr;
  }

  /// How many handles there are to objects for which `is_it`.
  template <class F>
  size_t count(F&& is_it) const {
    return static_cast<size_t>(
        std::ranges::count_if(slots_, [&](const Slot& slot) { return slot.used && is_it(slot.object); }));
  }

  /// Freeing twice, or nothing, is no error. It needs no memory: a full one is made room in.
  void release(uint32_t handle) {
    if (!find(handle)) return;
    T gone = std::move(slots_[handle - 1].object);
    slots_[handle - 1] = {};
    free_.push_back(handle);
    --live_;
  }

  size_t live() const { return live_; }

 private:
  struct Slot {
    T object{};
    bool used = false;
  };
  // Room for every handle to be free, too.
  void grow() {
    const size_t room = std::max<size_t>(64, 2 * slots_.size());
    free_.reserve(room);
    slots_.reserve(room);
  }

  std::string_view what_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  size_t live_ = 0;
};

Handles<Tensor>& tensors();

}  // namespace onemodel::bindings
