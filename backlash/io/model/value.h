// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/input_error.h"
#include "backlash/base/number_range.h"
#include "backlash/base/source_location.h"
#include "backlash/base/units.h"
#include "backlash/io/model/allowed_folders.h"
#include "backlash/io/model/yaml_document.h"
#include "backlash/model/joint.h"
#include "backlash/model/model.h"
#include "backlash/model/signal.h"

/// Reading of single values: numbers with units, points, names. Every error is an InputError
/// "file:line:column: path: what was found, what was expected".
namespace backlash::reading {

/// What formulas and references may name.
struct Names {
  /// Value, dimension if known, and whether anything used it, of a parameter.
  struct ParameterValue {
    double value = 0;
    std::optional<Dimension> dimension{};
    bool used = false;
  };
  std::map<std::string, ParameterValue, std::less<>> parameters{};
  std::map<std::string, JointKind, std::less<>> joints{};  ///< of their kind alone
  std::vector<std::string> bodies{};                       ///< the ground included
  std::vector<std::string> forces{};
  std::vector<std::string> contacts{};
  std::vector<std::string> events{};
  std::set<std::string, std::less<>> set_by_events{};  ///< parameters that change while it moves
  std::vector<std::string> laws{};
  std::vector<std::string> profiles{};
  /// State variables, with their dimensions as far as they are known.
  std::map<std::string, std::optional<Dimension>, std::less<>> states{};
  /// A function that is given by points, with the dimensions of argument and value, if known.
  struct NamedTable {
    std::shared_ptr<const TableFunction> table{};  ///< null: it has an error
    std::optional<Dimension> argument{}, value{};
  };
  std::map<std::string, NamedTable, std::less<>> tables{};
  std::set<std::string, std::less<>> unreadable{};  ///< parameters, bodies and joints with an error
};

/// A value that replaces a parameter's (`--set name=value`).
struct Override {
  std::string name{};
  std::string text{};
};

/// Thrown where an item cannot be read on because of an error that the context has already.
struct Reported {};

/// What is known while a model is read.
struct Context {
  Names names{};
  Model model{};             ///< as far as it is read
  AllowedFolders folders{};  ///< for other files that it names
  std::vector<Override> overrides{};
  std::function<void(std::string_view)> prepare_parameter{};  ///< called before one is looked up
  std::vector<InputError> errors{};                           ///< each once

  /// Keeps an error, so that others can be looked for.
  void report(const InputError& error);

  /// Does what it is told; false if there was an error, which is kept.
  bool attempt(const std::function<void()>& read);
};

/// Which numbers a key takes.
using Range = NumberRange;
inline constexpr Range any{}, positive{Range::Kind::positive},
    not_negative{Range::Kind::not_negative};
constexpr Range between(double lower, double upper) { return {Range::Kind::between, lower, upper}; }

/// A node of the file and the path that led to it.
class Value {
 public:
  Value(const YamlNode& node, Context& context, std::string path)
      : node_(&node), context_(&context), path_(std::move(path)) {}

  const YamlNode& node() const { return *node_; }
  Context& context() const { return *context_; }
  const Names& names() const { return context_->names; }
  const std::string& path() const { return path_; }
  SourceLocation where() const;

  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail(const YamlEntry& at, const std::string& message) const;  ///< at a key

  bool is_list() const { return node_->kind == YamlNode::Kind::list; }
  bool is_mapping() const { return node_->kind == YamlNode::Kind::mapping; }
  bool is_scalar() const { return node_->kind == YamlNode::Kind::scalar; }
  bool is_empty() const { return node_->kind == YamlNode::Kind::empty; }

  /// The value of a key, if it is there.
  std::optional<Value> find(std::string_view key) const;
  Value child(const YamlEntry& entry) const;

  /// The items of a list of that many (−1: any number).
  std::vector<Value> items(int count, std::string_view expected) const;

  std::string text() const;  ///< any scalar
  bool flag() const;         ///< true or false
  int integer(int lower, int upper) const;
  int whole_number(int lower, int upper) const;  ///< from a formula of parameters
  std::size_t choice(std::span<const std::string_view> options) const;  ///< which one

  /// A name that is there: of `names`; `what` is "body", "law", …
  std::string reference(std::span<const std::string> names, std::string_view what) const;

  /// A number in SI whose dimension is not known beforehand.
  struct Quantity {
    double value = 0;
    std::optional<Dimension> dimension{};
    bool bare = false;      ///< a number alone, without unit
    bool scaled = false;    ///< with a unit that is not SI's
    bool measured = false;  ///< a unit stands in it, or in a parameter that it uses
  };
  Quantity quantity() const;

  /// A number in SI, from a formula of parameters, with the dimension of its unit checked.
  double number(const Dimension& expected, const Range& range = any) const;
  Vec2 vector(const Dimension& expected) const;  ///< [x, y]
  Vec2 direction() const;                        ///< [x, y], or an angle; of length 1

  /// A formula of the variables with these names, each with its dimension, and of parameters.
  struct Variable {
    std::string_view name;
    Dimension dimension;
  };
  Expression formula(const Dimension& expected, std::span<const Variable> variables) const;

  /// A formula of time, joint coordinates, motions of bodies, and parameters.
  SignalExpression signal_formula(const Dimension& expected) const;
  SignalExpression signal_formula() const;  ///< of any dimension
  /// The same for a force between two points, which may use their `length` and its `rate`.
  SignalExpression tension_formula() const;
  /// The same for the condition of an event, which may use gaps and forces, too.
  SignalExpression condition_formula() const;
  /// A quantity of the output, which may use any channel of the results; `earlier` are those before
  /// it, which it may use, too. Names with a point are checked when the model is assembled.
  OutputQuantity channel_formula(const std::string& name,
                                 std::span<const OutputQuantity> earlier) const;
  Signal signal() const;  ///< one of them alone, such as "crank.q"

 private:
  using FindName = std::function<std::optional<Binding>(std::string_view)>;
  struct Compiled {
    ExpressionCode code{};
    std::vector<Dimension> tags{};
    bool scaled = false;  ///< by a unit that is not SI's
  };
  Compiled compile(const std::string& text, const FindName& variable,
                   std::string_view expected) const;
  using Known = std::optional<Dimension>;  ///< nothing: open
  Known dimension_of(const Compiled& compiled, std::span<const Known> variables) const;
  void check_dimension(const Compiled& compiled, const Known& expected,
                       std::span<const Known> variables) const;
  using FindSignal = std::optional<std::pair<Signal, Known>> (*)(const Names&, std::string_view);
  using Translate = ExpressionCode (*)(ExpressionCode);
  SignalExpression any_signal_formula(const std::optional<Dimension>& expected, FindSignal find,
                                      Translate translate = nullptr) const;
  [[noreturn]] void fail_in_text(const std::string& message, int column) const;

  const YamlNode* node_;
  Context* context_;
  std::string path_;
};

/// Throws InputError unless the text can be a name: a letter or '_', then letters, digits and '_'.
void check_name(const Value& parent, const YamlEntry& entry);
bool is_name(std::string_view text);

/// "; 'motor' is a force" of a name of the model, for where it stands in the place of another kind;
/// else empty.
std::string what_it_is(const Names& names, std::string_view name);

/// The coordinates that a joint of that name has; none if there is no such joint.
std::vector<CoordinateType> coordinate_types_of(const Names& names, std::string_view joint);

/// Names of the joints, sorted.
std::vector<std::string> joint_names(const Names& names);

/// A signal by its name, with its dimension as far as it is known; nothing if the name has no dot
/// and is neither t nor a state variable. Throws InputError if the item or its quantity does not
/// exist.
std::optional<std::pair<Signal, std::optional<Dimension>>> find_signal(const Names& names,
                                                                       std::string_view name);

/// The same, or `length` and `rate` of the distance of two points.
std::optional<std::pair<Signal, std::optional<Dimension>>> find_tension_signal(
    const Names& names, std::string_view name);

/// The same, or what conditions of events alone may use: gap and force of a contact, force, torque
/// and load of a joint.
std::optional<std::pair<Signal, std::optional<Dimension>>> find_condition_signal(
    const Names& names, std::string_view name);

}  // namespace backlash::reading
