// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backlash/base/input_error.h"
#include "backlash/base/types.h"

namespace backlash {

/// Turns values into bytes of this machine, or bytes back into the values: one list of fields
/// serves both, so that what is written is what is read. A class lists its fields in a member
/// `void archive(Archive&)`: what lies between them in memory is nobody's, and is not written.
class Archive {
 public:
  Archive() = default;                                                             ///< to write
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)), reads_(true) {}  ///< to read

  bool reads() const { return reads_; }
  const std::string& bytes() const { return bytes_; }

  template <class... T>
  void operator()(T&... values) {
    (pass(values), ...);
  }

  /// Throws InputError if bytes are left.
  void require_end() const {
    if (reads_ && at_ != bytes_.size()) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw InputError("what was saved of the run is not what this program saves");
  }

  void pass_bytes(void* data, std::size_t size) {
    if (!reads_) {
      bytes_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > bytes_.size() - at_) refuse();
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }

  /// Of `size` elements; never more than there are bytes left.
  std::size_t pass_size(std::size_t size) {
    auto stored = static_cast<std::uint64_t>(size);
    pass(stored);
    if (reads_ && stored > bytes_.size() - at_) refuse();
    return static_cast<std::size_t>(stored);
  }

  template <class T>
  void pass(T& value) {
    if constexpr (requires { value.archive(*this); })
      value.archive(*this);
    else
      pass_plain(value);
  }
  template <class T>
  void pass_plain(T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    pass_bytes(&value, sizeof value);
  }
  void pass(bool& value) {
    auto stored = static_cast<unsigned char>(value);
    pass(stored);
    value = stored != 0;
  }
  template <class T, std::size_t N>
  void pass(T (&values)[N]) {
    for (T& value : values) pass(value);
  }
  template <class T, std::size_t N>
  void pass(std::array<T, N>& values) {
    for (T& value : values) pass(value);
  }
  void pass(Vector& vector) {
    const std::size_t size = pass_size(static_cast<std::size_t>(vector.size()));
    vector.resize(static_cast<Eigen::Index>(size));
    pass_bytes(vector.data(), size * sizeof(double));
  }
  void pass(Vec3& vector) { pass_bytes(vector.data(), 3 * sizeof(double)); }
  void pass(std::string& text) {
    text.resize(pass_size(text.size()));
    pass_bytes(text.data(), text.size());
  }
  template <class T>
  void pass(std::vector<T>& values) {
    values.resize(pass_size(values.size()));
    for (T& value : values) pass(value);
  }
  template <class K, class T>
  void pass(std::map<K, T>& values) {
    std::size_t left = pass_size(values.size());
    if (!reads_)
      for (auto& [key, value] : values) {
        K copy = key;
        (*this)(copy, value);
      }
    else
      for (values.clear(); left > 0; --left) {
        K key{};
        pass(key);
        pass(values[key]);
      }
  }
  template <class A, class B>
  void pass(std::pair<A, B>& values) {
    (*this)(values.first, values.second);
  }
  template <class T>
  void pass(std::optional<T>& value) {
    bool there = value.has_value();
    pass(there);
    if (there && !value) value.emplace();
    if (!there) value.reset();
    if (there) pass(*value);
  }

  std::string bytes_;
  std::size_t at_ = 0;  ///< read so far
  bool reads_ = false;
};

}  // namespace backlash
