#pragma once

// Values as bytes, for processes of the same program that work together. A type says what it consists of in one member
// function for both ways:
//
//   template <typename Archive>
//   void archive(Archive& parts) { parts(first, second); }

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace norn {

class Packer;

template <typename T>
concept Archived = requires(T& value, Packer& packer) {
  value.archive(packer);
};
template <typename T>
concept Plain = std::is_trivially_copyable_v<T> && !Archived<T>;

class Packer {
 public:
  explicit Packer(std::string& bytes) : bytes_(bytes) {}

  template <typename... Parts>
  void operator()(Parts&... parts) {
    (put(parts), ...);
  }

 private:
  void put(Plain auto& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(Archived auto& value) { value.archive(*this); }
  void put_size(std::uint64_t size) { put(size); }
  void put(std::string& text) {
    put_size(text.size());
    bytes_ += text;
  }
  template <typename A, typename B>
  requires(!Plain<std::pair<A, B>>) void put(std::pair<A, B>& pair) {
    (*this)(const_cast<std::remove_const_t<A>&>(pair.first), pair.second);
  }
  void put(std::vector<bool>& values) {
    put_size(values.size());
    for (bool value : values) put(value);
  }
  template <typename T>
  void put(std::vector<T>& values) {
    put_size(values.size());
    if constexpr (Plain<T>) {
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    } else {
      for (T& value : values) put(value);
    }
  }
  template <typename T>
  requires(!Plain<std::optional<T>>) void put(std::optional<T>& value) {
    bool is_there = value.has_value();
    put(is_there);
    if (is_there) put(*value);
  }
  template <typename Key, typename Value>
  void put(std::map<Key, Value>& map) {
    put_size(map.size());
    for (auto& [key, value] : map) (*this)(const_cast<Key&>(key), value);
  }

  std::string& bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <typename... Parts>
  void operator()(Parts&... parts) {
    (get(parts), ...);
  }

 private:
  std::string_view cut(std::uint64_t size) {
    if (size > rest_.size()) throw std::runtime_error("what another process sent is not complete");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  std::uint64_t get_size() {
    std::uint64_t size = 0;
    get(size);
    return size;
  }
  void get(Plain auto& value) { std::memcpy(static_cast<void*>(&value), cut(sizeof value).data(), sizeof value); }
  void get(Archived auto& value) { value.archive(*this); }
  void get(std::string& text) { text = cut(get_size()); }
  template <typename A, typename B>
  requires(!Plain<std::pair<A, B>>) void get(std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
  void get(std::vector<bool>& values) {
    values.clear();
    for (std::uint64_t left = get_size(); left != 0; --left) {
      bool value = false;
      get(value);
      values.push_back(value);
    }
  }
  template <typename T>
  void get(std::vector<T>& values) {
    values.clear();
    const std::uint64_t size = get_size();
    if constexpr (Plain<T>) {
      const std::string_view bytes = cut(size * sizeof(T));
      values.resize(size);
      if (size != 0) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
    } else {
      for (std::uint64_t i = 0; i < size; ++i) get(values.emplace_back());
    }
  }
  template <typename T>
  requires(!Plain<std::optional<T>>) void get(std::optional<T>& value) {
    bool is_there = false;
    get(is_there);
    value.reset();
    if (is_there) get(value.emplace());
  }
  template <typename Key, typename Value>
  void get(std::map<Key, Value>& map) {
    map.clear();
    for (std::uint64_t left = get_size(); left != 0; --left) {
      std::pair<Key, Value> entry;
      (*this)(entry.first, entry.second);
      map.insert(std::move(entry));
    }
  }

  std::string_view rest_;
};

template <typename T>
std::string pack(T& value) {
  std::string bytes;
  Packer packer(bytes);
  packer(value);
  return bytes;
}

template <typename T>
T unpack(std::string_view bytes) {
  T value;
  Unpacker unpacker(bytes);
  unpacker(value);
  return value;
}

}  // namespace norn
