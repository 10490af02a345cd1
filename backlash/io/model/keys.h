// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backlash/base/nearest_name.h"
#include "backlash/io/model/value.h"

/// One table for each kind of mapping in the model file says its keys. Reader, JSON Schema and
/// reference all come from these tables.
namespace backlash::reading {

/// What a value looks like.
struct ValueType {
  enum class Form {
    number,  ///< or a formula as text
    text,
    flag,
    integer,
    choice,   ///< one of `names`
    list,     ///< of parts[0], `count` of them (−1: any number)
    mapping,  ///< as the definition `names[0]`
    items,    ///< names of the user's, each with a value as parts[0]
    either    ///< one of the parts
  };
  Form form = Form::text;
  std::string phrase{};  ///< for people: "length [m]"
  std::vector<std::string> names{};
  std::vector<ValueType> parts{};
  int count = -1;
};

ValueType number_type(const Dimension& dimension);
ValueType number_type(std::string phrase);
ValueType text_type(std::string phrase);
ValueType flag_type();
ValueType integer_type();
ValueType choice_type(std::span<const std::string_view> options);
ValueType list_type(ValueType part, int count, std::string phrase);
ValueType vector_type(const Dimension& dimension);  ///< [x, y]
ValueType mapping_type(std::string definition);
ValueType items_type(ValueType part, std::string phrase);
ValueType either_type(std::vector<ValueType> parts);

struct KeyInfo {
  std::string name{};
  ValueType type{};
  std::string doc{};
  std::string fallback{};  ///< what holds without the key; empty: nothing to say
  bool required = false;
  std::string formerly{};  ///< what it was called before
};

/// How the value of a key is read into a T.
template <class T>
struct Key : KeyInfo {
  std::function<void(const Value&, T&)> read{};
};

/// The keys of a mapping, in the order in which they are read.
template <class T>
using Keys = std::vector<Key<T>>;

/// A kind of mapping, for the schema and the reference.
struct MappingInfo {
  std::string name{};  ///< "body"; with a type: "revolute"
  std::vector<KeyInfo> keys{};
  std::vector<std::string> also{};  ///< other values of the selector that have the same keys
};

template <class T>
MappingInfo info(std::string name, const Keys<T>& keys) {
  return {std::move(name), {keys.begin(), keys.end()}};
}

/// A kind of mapping whose keys may depend on one of them, its selector.
struct DefinitionInfo {
  std::string name{};  ///< "joint"
  std::string doc{};
  std::vector<MappingInfo> variants{};  ///< one, or one for each value of the selector
  std::string selector = "type";        ///< the key that chooses among several variants
  /// The variant of those without the selector, which has no value for it; and the value that holds
  /// without it. Both empty: it is needed.
  std::string otherwise{}, fallback{};
};

/// All definitions, the whole file first.
std::vector<DefinitionInfo> definitions();

template <class T>
Key<T> required(Key<T> key) {
  key.required = true;
  return key;
}

template <class T>
Key<T> fallback(std::string text, Key<T> key) {
  key.fallback = std::move(text);
  return key;
}

template <class T>
Key<T> number_key(std::string name, double T::*member, const Dimension& dimension,
                  const Range& range, std::string doc) {
  return {{std::move(name), number_type(dimension), std::move(doc)},
          [=](const Value& v, T& target) { target.*member = v.number(dimension, range); }};
}

template <class T>
Key<T> vector_key(std::string name, Vec2 T::*member, const Dimension& dimension, std::string doc) {
  return {{std::move(name), vector_type(dimension), std::move(doc)},
          [=](const Value& v, T& target) { target.*member = v.vector(dimension); }};
}

/// Of what may be in space: the reader fills its x and y.
template <class T>
Key<T> vector_key(std::string name, Vec3 T::*member, const Dimension& dimension, std::string doc) {
  return {{std::move(name), vector_type(dimension), std::move(doc)},
          [=](const Value& v, T& target) { target.*member = in_space(v.vector(dimension)); }};
}

template <class T>
Key<T> flag_key(std::string name, bool T::*member, std::string doc) {
  return {{std::move(name), flag_type(), std::move(doc)},
          [=](const Value& v, T& target) { target.*member = v.flag(); }};
}

template <class T>
Key<T> law_key(std::string T::*member) {
  return {{"law", text_type("name of a law"), "the law of the contacts"},
          [=](const Value& v, T& target) { target.*member = v.reference(v.names().laws, "law"); }};
}

/// The keys of the tables, for messages.
template <class T>
std::vector<std::string> key_names(const Keys<T>& keys) {
  std::vector<std::string> names;
  for (const Key<T>& key : keys) names.push_back(key.name);
  return names;
}

/// A key that a mapping may have, and what it was called before.
struct KnownKey {
  std::string name{}, formerly{};
};

template <class T>
std::vector<KnownKey> known_keys(const Keys<T>& keys) {
  std::vector<KnownKey> known;
  for (const Key<T>& key : keys) known.push_back({key.name, key.formerly});
  return known;
}

/// Refuses what is no mapping, and reports keys that the list does not have: false if there are
/// any. `what` is "a body", "a law".
bool check_keys(const Value& value, std::span<const KnownKey> known, std::string_view what);

/// Reports all that is wrong with the keys; what is read then is not whole, which Reported says.
template <class T>
void read_mapping(const Value& value, const Keys<T>& keys, std::string_view what, T& target) {
  const bool known = check_keys(value, known_keys(keys), what);
  bool good = known;
  for (const Key<T>& key : keys) {
    const std::optional<Value> found = value.find(key.name);
    if (found) good = value.context().attempt([&] { key.read(*found, target); }) && good;
    if (!found && key.required && known)  // else it may be there, misspelt
      good = value.context().attempt([&] {
        value.fail(fmt::format("missing key '{}': {} needs it ({})", key.name, what, key.doc));
      });
  }
  if (!good) throw Reported{};
}

/// Reads the items of a mapping of names, reporting all that is wrong with them; nothing is an
/// empty one.
void read_items(const Value& value, std::string_view what,
                const std::function<void(const Value&, const std::string& name)>& read);

/// Runs a check of an item, and says where the item stands if it fails.
void checked(const Value& value, const std::function<void()>& check);

/// How many of these keys are there; throws InputError if it is not one (or more than one, if none
/// is `optional`).
enum class Count { exactly_one, at_most_one };
void require_one_of(const Value& value, std::span<const std::string_view> keys, Count count);

/// A point of a body: [x, y] in its frame, or the name of one of its frames.
ValueType point_type();
Pose read_pose(const Value& value, const std::string& body);

/// Two points, the first of body A and the second of body B.
ValueType points_type();
std::pair<Pose, Pose> read_points(const Value& value, const std::string& body_A,
                                  const std::string& body_B);

/// [A, B]: names of two bodies.
ValueType bodies_type();
std::pair<std::string, std::string> read_bodies(const Value& value);

/// [[x, y], …]: the points of a table.
ValueType table_points_type(const std::string& phrase);
Table read_table_points(const Value& value, const std::optional<Dimension>& x, const Dimension& y);

/// The path of a file beside the one that the value stands in, if it may be read. Throws
/// InputError.
std::filesystem::path beside(const Value& value, const std::string& file);

}  // namespace backlash::reading
