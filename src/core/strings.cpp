#include "core/strings.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "core/storage.h"

namespace onemodel {
namespace {

struct Text {
  std::string text;
  bool is_used = false, is_marked = false;
};

// What a text takes besides its bytes, roughly: its place in the list and in the table.
constexpr int64_t kTextOverhead = 96;
// Below this it is not worth looking.
constexpr int64_t kLeastDue = 1 << 20;

// Destroyed never: storages in static variables may be freed after it would be.
struct Pool {
  std::mutex mutex;
  std::deque<Text> texts{Text{}};  // in place, so that views of them last; the first is the empty one
  std::unordered_map<std::string_view, uint32_t> numbers;
  std::vector<uint32_t> unused;
  std::vector<const Storage*> storages;
  int64_t users = 0, bytes = 0, due = kLeastDue;

  static Pool& get() {
    static Pool* const pool = new Pool;
    return *pool;
  }

  Text* find(uint32_t number) {
    Text* text = number < texts.size() ? &texts[number] : nullptr;
    return text && text->is_used ? text : nullptr;
  }

  // A storage's bytes are also other things than handles, and of those a thread may write some now: what looks like a
  // handle counts.
  void mark(const Storage& storage) {
    for (size_t at = 0; at + sizeof(uint32_t) <= storage.bytes(); at += sizeof(uint32_t)) {
      uint32_t number;
      std::memcpy(&number, storage.data() + at, sizeof number);
      if (Text* text = find(number)) text->is_marked = true;
    }
  }

  void sweep() {
    for (const Storage* storage : storages) mark(*storage);
    for (uint32_t number = 1; number < texts.size(); ++number) {
      Text& text = texts[number];
      if (text.is_used && !text.is_marked) {
        bytes -= kTextOverhead + static_cast<int64_t>(text.text.size());
        numbers.erase(text.text);
        text = {};
        unused.push_back(number);
      }
      text.is_marked = false;
    }
    due = std::max(kLeastDue, 2 * bytes);
  }

  uint32_t add(std::string_view text) {
    const auto found = numbers.find(text);
    if (found != numbers.end()) return found->second;
    uint32_t number = static_cast<uint32_t>(texts.size());
    if (unused.empty()) {
      if (texts.size() > UINT32_MAX) throw Error("MemoryError", "OutOfMemory", "there are 2^32 different strings");
      texts.emplace_back();
      unused.reserve(texts.size());  // so that sweeping allocates nothing
    } else {
      number = unused.back();
      unused.pop_back();
    }
    texts[number] = {std::string(text), true, false};
    numbers.emplace(texts[number].text, number);
    bytes += kTextOverhead + static_cast<int64_t>(text.size());
    return number;
  }
};

}  // namespace

Strings::Strings(bool wanted) : wanted_(wanted) {
  if (!wanted) return;
  Pool& pool = Pool::get();
  const std::lock_guard lock(pool.mutex);
  ++pool.users;
}

Strings::~Strings() {
  if (!wanted_) return;
  Pool& pool = Pool::get();
  const std::lock_guard lock(pool.mutex);
  if (--pool.users == 0 && pool.bytes > pool.due) pool.sweep();
}

StringHandle Strings::add(std::string_view text) {
  if (text.empty()) return StringHandle::empty;
  Pool& pool = Pool::get();
  const std::lock_guard lock(pool.mutex);
  return static_cast<StringHandle>(pool.add(text));
}

std::string_view Strings::operator[](StringHandle handle) const {
  Pool& pool = Pool::get();
  const std::lock_guard lock(pool.mutex);
  const Text* text = pool.find(static_cast<uint32_t>(handle));
  return text ? std::string_view(text->text) : std::string_view();
}

StringCounters string_counters() {
  Pool& pool = Pool::get();
  const std::lock_guard lock(pool.mutex);
  return {static_cast<int64_t>(pool.numbers.size()), pool.bytes};
}

void detail::enroll_strings(const Storage* storage, std::atomic<bool>& is_enrolled) {
  Pool& pool = Pool::get();
  const std::lock_guard lock(pool.mutex);
  if (is_enrolled) return;
  pool.storages.push_back(storage);
  is_enrolled = true;
}

void detail::forget_strings(const Storage* storage) {
  Pool& pool = Pool::get();
  const std::lock_guard lock(pool.mutex);
  std::erase(pool.storages, storage);
}

}  // namespace onemodel
