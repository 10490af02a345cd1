// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/expression_code.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include <fmt/format.h>

#include "backlash/base/nearest_name.h"

namespace backlash {
namespace {

struct FunctionEntry {
  std::string_view name;
  int arguments;
  Operation operation;
};

/// All functions. `min` and `max` take two arguments or more.
constexpr FunctionEntry function_table[] = {
    {"sin", 1, Operation::sine},
    {"cos", 1, Operation::cosine},
    {"tan", 1, Operation::tangent},
    {"asin", 1, Operation::arc_sine},
    {"acos", 1, Operation::arc_cosine},
    {"atan", 1, Operation::arc_tangent},
    {"atan2", 2, Operation::arc_tangent_2},
    {"sinh", 1, Operation::hyperbolic_sine},
    {"cosh", 1, Operation::hyperbolic_cosine},
    {"tanh", 1, Operation::hyperbolic_tangent},
    {"sqrt", 1, Operation::square_root},
    {"exp", 1, Operation::exponential},
    {"log", 1, Operation::logarithm},
    {"abs", 1, Operation::absolute},
    {"min", 2, Operation::minimum},
    {"max", 2, Operation::maximum},
    {"sign", 1, Operation::sign},
    {"step", 1, Operation::heaviside},
    {"step", 5, Operation::smooth_step},
    {"floor", 1, Operation::round_down},
    {"mod", 2, Operation::modulo},
    {"if", 3, Operation::choose},
    {"harmonic", 1, Operation::harmonic},
    {"cycloidal", 1, Operation::cycloidal},
    {"modified_sine", 1, Operation::modified_sine},
    {"poly_345", 1, Operation::polynomial_345},
    {"poly_4567", 1, Operation::polynomial_4567},
};

struct ConstantEntry {
  std::string_view name;
  double value;
};
constexpr ConstantEntry constant_table[] = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

constexpr std::string_view word_operators[] = {"and", "or", "not"};

constexpr int max_nesting = 100;

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;  // parts of letters beyond ASCII
}

/// value × factor; for a factor such as 1e-3 rounded as the decimal number is, so that 17 mm is
/// 0.017 to the last bit.
double scaled(double value, double factor) {
  const double inverse = 1 / factor;
  return factor < 1 && inverse == std::round(inverse) ? value / inverse : value * factor;
}

struct BinaryEntry {
  std::string_view sign;
  Operation operation;
};
constexpr BinaryEntry comparisons[] = {
    {"<=", Operation::less_equal}, {">=", Operation::greater_equal}, {"==", Operation::equal},
    {"!=", Operation::not_equal},  {"<", Operation::less},           {">", Operation::greater}};
constexpr BinaryEntry sums[] = {{"+", Operation::add}, {"-", Operation::subtract}};
constexpr BinaryEntry products[] = {{"*", Operation::multiply}, {"/", Operation::divide}};

struct SignElsewhere {
  std::string_view sign, meant;
};
/// As other languages write operators, the longer ones first.
constexpr SignElsewhere operators_elsewhere[] = {{"=>", ">="},  {"=<", "<="}, {"=", "=="},
                                                 {"&&", "and"}, {"&", "and"}, {"||", "or"},
                                                 {"|", "or"},   {"<>", "!="}};

/// Recursive descent, one function a level of precedence: or, and, not, comparison, sum, product,
/// sign, power, primary.
class Compiler {
 public:
  Compiler(std::string_view text, const ExpressionNames& names) : text_(text), names_(names) {}

  ExpressionCode compile() {
    skip_space();
    if (at_ == text_.size()) fail("an empty formula, expected a number or a name");
    disjunction();
    if (at_ < text_.size())
      fail(fmt::format("found {}, expected an operator or the end{}", found(), hint()));
    return std::move(code_);
  }

 private:
  /// Of an operator that is written as elsewhere, and of a unit that is written as a fraction of
  /// one: 50 1/m.
  std::string hint() const {
    const std::string_view rest = text_.substr(at_);
    for (const auto& [sign, meant] : operators_elsewhere)
      if (rest.starts_with(sign)) return fmt::format("; did you mean '{}'?", meant);
    if (!rest.starts_with("1/")) return "";
    const std::string_view unit = rest.substr(2, rest.find_first_of(" */+-^()", 2) - 2);
    return unit.empty() ? "" : fmt::format("; the unit 1/{0} is {0}^-1", unit);
  }

  [[noreturn]] void fail(const std::string& message) { fail(message, at_); }
  [[noreturn]] void fail(const std::string& message, std::size_t where) {
    throw ExpressionError(message, static_cast<int>(where) + 1);
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }

  /// The word that starts here, dots included ("crank.q").
  std::string_view word_here() const {
    std::size_t end = at_;
    if (end >= text_.size() || !is_letter(text_[end])) return {};
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) ||
                                  (text_[end] == '.' && end + 1 < text_.size() &&
                                   (is_letter(text_[end + 1]) || is_digit(text_[end + 1])))))
      ++end;
    return text_.substr(at_, end - at_);
  }

  std::string found() const {
    if (at_ >= text_.size()) return "the end";
    const std::string_view word = word_here();
    return fmt::format("'{}'", word.empty() ? text_.substr(at_, 1) : word);
  }

  bool take(std::string_view sign) {
    if (!text_.substr(at_).starts_with(sign)) return false;
    if (is_letter(sign[0]) && word_here() != sign) return false;
    at_ += sign.size();
    skip_space();
    return true;
  }

  void expect(std::string_view sign) {
    if (!take(sign)) fail(fmt::format("found {}, expected '{}'", found(), sign));
  }

  void emit(Operation operation, std::size_t where, int index = -1, double value = 0) {
    depth_ += 1 - arguments(operation);
    if (depth_ > max_expression_depth) fail("the formula is too deeply nested", where);
    code_.push_back({operation, index, value, static_cast<int>(where) + 1});
  }

  void enter() {
    if (++nesting_ > max_nesting) fail("the formula is too deeply nested");
  }
  void leave() { --nesting_; }

  void disjunction() {
    enter();
    conjunction();
    for (std::size_t where = at_; take("or"); where = at_) {
      conjunction();
      emit(Operation::either, where);
    }
    leave();
  }

  void conjunction() {
    negation();
    for (std::size_t where = at_; take("and"); where = at_) {
      negation();
      emit(Operation::both, where);
    }
  }

  void negation() {
    const std::size_t where = at_;
    int count = 0;
    while (take("not")) ++count;
    comparison();
    for (; count > 0; --count) emit(Operation::invert, where);
  }

  const BinaryEntry* take_any(std::span<const BinaryEntry> entries) {
    for (const BinaryEntry& entry : entries)
      if (take(entry.sign)) return &entry;
    return nullptr;
  }

  void comparison() {
    sum();
    const std::size_t where = at_;
    const BinaryEntry* entry = take_any(comparisons);
    if (entry == nullptr) return;
    sum();
    emit(entry->operation, where);
    const std::size_t again = at_;
    if (take_any(comparisons) != nullptr)
      fail("a comparison of a comparison; join the two by 'and'", again);
  }

  void sum() {
    product();
    std::size_t where = at_;
    while (const BinaryEntry* entry = take_any(sums)) {
      product();
      emit(entry->operation, where);
      where = at_;
    }
  }

  void product() {
    signed_power();
    std::size_t where = at_;
    while (const BinaryEntry* entry = take_any(products)) {
      signed_power();
      emit(entry->operation, where);
      where = at_;
    }
  }

  void signed_power() {
    const std::size_t where = at_;
    bool minus = false;
    while (true) {
      if (take("-"))
        minus = !minus;
      else if (!take("+"))
        break;
    }
    power();
    if (minus) emit(Operation::negate, where);
  }

  void power() {
    primary();
    const std::size_t where = at_;
    if (take("**")) fail("found '**', expected '^' for a power", where);
    if (!take("^")) return;
    enter();
    signed_power();
    leave();
    emit(Operation::power, where);
  }

  void primary() {
    if (take("(")) {
      disjunction();
      expect(")");
    } else if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      number();
    } else if (const std::string_view word = word_here(); !word.empty()) {
      name(word);
    } else {
      fail(fmt::format("found {}, expected a number, a name or '('", found()));
    }
  }

  void number() {
    const std::size_t where = at_;
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("the number is too large or too small");
    if (error != std::errc()) fail("found '.', expected a number, a name or '('");
    at_ += static_cast<std::size_t>(end - begin);
    skip_space();
    const UnitMatch unit = unit_here();
    emit(Operation::literal, where, unit.tag, scaled(value, unit.factor));
  }

  UnitMatch unit_here() {
    const std::string_view word = word_here();
    const bool letter = !word.empty() || (at_ < text_.size() && text_[at_] == '%');
    if (!letter || std::ranges::find(word_operators, word) != std::end(word_operators)) return {};
    if (!names_.unit) return {};
    UnitMatch unit;
    try {
      unit = names_.unit(text_.substr(at_));
    } catch (const ExpressionError& error) {
      fail(error.what(), at_ + static_cast<std::size_t>(error.column) - 1);
    } catch (const InputError& error) {
      fail(error.what());
    }
    at_ += unit.length;
    skip_space();
    return unit;
  }

  void name(std::string_view word) {
    const std::size_t where = at_;
    at_ += word.size();
    skip_space();
    if (at_ < text_.size() && text_[at_] == '(') return call(word, where);
    for (const ConstantEntry& constant : constant_table)
      if (constant.name == word) return emit(Operation::literal, where, -1, constant.value);
    std::optional<Binding> binding;
    try {
      if (names_.name) binding = names_.name(word);
    } catch (const InputError& error) {
      fail(error.what(), where);
    }
    if (!binding) fail(fmt::format("there is no '{}' here", word), where);
    if (const auto* variable = std::get_if<BoundVariable>(&*binding))
      return emit(Operation::variable, where, variable->index);
    const BoundConstant& constant = std::get<BoundConstant>(*binding);
    emit(Operation::literal, where, constant.tag, constant.value);
  }

  void call_table(const BoundTable& bound, std::size_t where) {
    expect("(");
    disjunction();
    expect(")");
    emit(Operation::table, where, bound.value);
    code_.back().table = bound.table;
    code_.back().argument = bound.argument;
  }

  void call(std::string_view word, std::size_t where) {
    const BoundTable bound = names_.table ? names_.table(word) : BoundTable{};
    if (bound.table) return call_table(bound, where);
    const auto known = [&](const FunctionEntry& f) { return f.name == word; };
    if (std::ranges::none_of(function_table, known)) no_function(word, where);
    const Operation fold = word == "min" ? Operation::minimum : Operation::maximum;
    const bool any_number = word == "min" || word == "max";
    expect("(");
    int count = 0;
    do {
      disjunction();
      if (++count > 2 && any_number) emit(fold, where);
    } while (take(","));
    expect(")");
    if (any_number && count >= 2) return emit(fold, where);
    for (const FunctionEntry& f : function_table)
      if (f.name == word && f.arguments == count) return emit(f.operation, where);
    wrong_count(word, count, where);
  }

  [[noreturn]] void no_function(std::string_view word, std::size_t where) {
    std::vector<std::string> functions;
    for (const FunctionEntry& f : function_table) functions.emplace_back(f.name);
    functions.insert(functions.end(), names_.tables.begin(), names_.tables.end());
    fail(fmt::format("there is no function '{}'{}", word, did_you_mean(word, functions)), where);
  }

  [[noreturn]] void wrong_count(std::string_view word, int count, std::size_t where) {
    std::string counts;
    int last = 0;
    for (const FunctionEntry& f : function_table) {
      if (f.name != word) continue;
      counts += fmt::format("{}{}", counts.empty() ? "" : " or ", f.arguments);
      last = f.arguments;
    }
    if (word == "min" || word == "max") counts += " or more";
    fail(fmt::format("{} takes {} argument{}, found {}", word, counts, last == 1 ? "" : "s", count),
         where);
  }

  std::string_view text_;
  const ExpressionNames& names_;
  ExpressionCode code_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int nesting_ = 0;
};

}  // namespace

ExpressionCode compile_expression(std::string_view text, const ExpressionNames& names) {
  return Compiler(text, names).compile();
}

int arguments(Operation operation) {
  switch (operation) {
    case Operation::literal:
    case Operation::variable:
      return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
    case Operation::both:
    case Operation::either:
      return 2;
    case Operation::negate:
    case Operation::invert:
    case Operation::table:
      return 1;
    default:
      break;
  }
  for (const FunctionEntry& f : function_table)
    if (f.operation == operation) return f.arguments;
  return 0;
}

std::vector<std::string_view> expression_function_names() {
  std::vector<std::string_view> names(std::begin(word_operators), std::end(word_operators));
  for (const ConstantEntry& constant : constant_table) names.push_back(constant.name);
  for (const FunctionEntry& f : function_table)
    if (names.back() != f.name) names.push_back(f.name);
  return names;
}

}  // namespace backlash
