// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backlash/io/model/slips.h"

namespace backlash::reading {
namespace {

/// A line of the text, without its comment.
struct Line {
  std::string_view text{};
  int number = 0;            ///< from 1
  std::size_t indent = 0;    ///< spaces and tabs before the first word
  std::size_t brackets = 0;  ///< open ones, of the lines before
};

struct Bracket {
  char sign = 0;
  int line = 0, column = 0;  ///< from 1
  std::size_t indent = 0;    ///< of its line
};

char closing(char sign) { return sign == '{' ? '}' : ']'; }

/// Walks through the text, outside of quotes and comments, and stops where brackets cannot fit.
class Scanner {
 public:
  explicit Scanner(std::string_view text) {
    int number = 0;
    for (std::size_t at = 0; at < text.size() && !wrong_;) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      scan(text.substr(at, end - at), ++number);
      at = end + 1;
    }
  }

  const std::vector<Line>& lines() const { return lines_; }
  const std::vector<Bracket>& open() const { return open_; }  ///< at the end, or where it stopped
  const std::optional<YamlSlip>& wrong() const { return wrong_; }  ///< where it stopped
  /// Quotes that are open at the end.
  std::optional<YamlSlip> open_quote() const {
    if (!quote_ || wrong_) return std::nullopt;
    return YamlSlip{quote_line_, quote_column_,
                    fmt::format("the text that begins here with {0} is not closed by {0}", quote_)};
  }

 private:
  void scan(std::string_view text, int number) {
    const std::size_t indent = std::min(text.find_first_not_of(" \t\r"), text.size());
    if (indent == text.size() || text[indent] == '#') return;
    if (!quote_) begin_line(text, number, indent);
    if (wrong_) return;
    std::size_t end = text.size();
    for (std::size_t i = indent; i < text.size() && !wrong_; ++i) {
      const char c = text[i];
      if (quote_) {
        const bool doubled = c == '\'' && quote_ == c && text.substr(i + 1, 1) == "'";
        if (doubled || (c == '\\' && quote_ == '"'))
          ++i;
        else if (c == quote_)
          quote_ = 0;
      } else if ((c == '"' || c == '\'') && begins_value(text, i)) {
        quote_ = c;
        quote_line_ = number;
        quote_column_ = static_cast<int>(i) + 1;
      } else if (c == '#' && i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) {
        end = i;
        break;
      } else if ((c == '{' || c == '[') && (!open_.empty() || begins_value(text, i))) {
        open_.push_back({c, number, static_cast<int>(i) + 1, indent});
      } else if ((c == '}' || c == ']') && !open_.empty()) {
        close(c, number, static_cast<int>(i) + 1);
      }
    }
    lines_.back().text = text.substr(0, end);
  }

  /// A key at the place where the line of an open bracket begins, or before it: it was forgotten.
  void begin_line(std::string_view text, int number, std::size_t indent) {
    lines_.push_back({text, number, indent, open_.size()});
    if (open_.empty() || indent > open_.front().indent) return;
    const std::size_t colon = text.find(':');
    const bool key = colon != std::string_view::npos &&
                     (colon + 1 == text.size() || text[colon + 1] == ' ') &&
                     text.find_first_of("{}[],") > colon;
    if (key) wrong_ = not_closed(open_.back());
  }

  static bool begins_value(std::string_view text, std::size_t at) {
    const std::size_t before =
        at == 0 ? std::string_view::npos : text.find_last_not_of(" \t", at - 1);
    return before == std::string_view::npos ||
           std::string_view(":,[{-").find(text[before]) != std::string_view::npos;
  }

  void close(char sign, int line, int column) {
    const Bracket& last = open_.back();
    if (sign == closing(last.sign))
      open_.pop_back();
    else
      wrong_ = {line, column,
                fmt::format("found '{}', but the '{}' of line {}, column {} is not closed yet",
                            sign, last.sign, last.line, last.column)};
  }

 public:
  static YamlSlip not_closed(const Bracket& bracket) {
    return {bracket.line, bracket.column,
            fmt::format("the '{}' that begins here is not closed by '{}'", bracket.sign,
                        closing(bracket.sign))};
  }

 private:
  std::vector<Line> lines_;
  std::vector<Bracket> open_;
  std::optional<YamlSlip> wrong_;
  char quote_ = 0;
  int quote_line_ = 0, quote_column_ = 0;  ///< where it begins, from 1
};

std::string_view content(const Line& line) {
  const std::size_t end = line.text.find_last_not_of(" \t\r");
  return line.text.substr(line.indent, end == std::string_view::npos ? 0 : end + 1 - line.indent);
}

/// "rod {mass: 1}" or "rod" alone: the first line, up to where the parser gave up, that has no key.
std::optional<YamlSlip> missing_colon(const std::vector<Line>& lines, int last) {
  for (const Line& line : lines) {
    if (line.number > last || line.brackets > 0) continue;
    const std::string_view text = content(line);
    if (text.starts_with("-") || text.starts_with("%") || text == "...") continue;
    const std::size_t word = std::min(text.find_first_of(" {[:,"), text.size());
    const std::size_t next = std::min(text.find_first_not_of(' ', word), text.size());
    const bool no_colon = text.find(": ") == std::string_view::npos && !text.ends_with(':');
    const bool brace = next < text.size() && (text[next] == '{' || text[next] == '[');
    if (word > 0 && (brace || no_colon))
      return YamlSlip{line.number, static_cast<int>(line.indent + word) + 1,
                      fmt::format("there is no colon after '{}': expected 'name: value'",
                                  text.substr(0, word))};
  }
  return std::nullopt;
}

/// A line that is further in or out than those of the mapping that it should belong to.
std::optional<YamlSlip> wrong_indentation(const std::vector<Line>& lines, int last) {
  std::vector<std::size_t> levels;
  const Line* before = nullptr;
  for (const Line& line : lines) {
    if (line.number > last || line.brackets > 0) continue;
    const std::size_t above = levels.empty() ? 0 : levels.back();
    while (!levels.empty() && levels.back() > line.indent) levels.pop_back();
    const bool opened = before && content(*before).ends_with(':');
    if (levels.empty() || levels.back() < line.indent) {
      if (before && !opened)
        return YamlSlip{line.number, static_cast<int>(line.indent) + 1,
                        fmt::format("this line begins after {} spaces, the lines of the same "
                                    "mapping before it after {}",
                                    line.indent, above)};
      levels.push_back(line.indent);
    }
    before = &line;
  }
  return std::nullopt;
}

/// Of a line: where a key begins that is too long, and its length.
std::optional<std::pair<std::size_t, std::size_t>> long_key_in(std::string_view line) {
  constexpr std::size_t longest = 1024;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool colon = line[i] == ':' && (i + 1 == line.size() || line[i + 1] == ' ');
    if (!colon && std::string_view("{[,").find(line[i]) == std::string_view::npos) continue;
    const std::size_t first = std::min(line.find_first_not_of(" \"'", begin), i);
    if (colon && i - first > longest) return std::pair(first, i - first);
    begin = i + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<YamlSlip> find_long_key(std::string_view text) {
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++number;
    if (const auto key = long_key_in(text.substr(at, end - at)))
      return YamlSlip{number, static_cast<int>(key->first) + 1,
                      fmt::format("found a key of {} letters, expected a shorter one: keys of YAML "
                                  "have at most 1024",
                                  key->second)};
    at = end + 1;
  }
  return std::nullopt;
}

/// Texts in blocks, after | and >, have quotes that are none.
std::optional<YamlSlip> find_open_quote(std::string_view text) {
  for (const std::string_view block : {": |", ": >", "- |", "- >"})
    if (text.find(block) != std::string_view::npos) return std::nullopt;
  return Scanner(text).open_quote();
}

YamlSlip find_yaml_slip(std::string_view text, int line, int column, const std::string& complaint) {
  if (const auto slip = find_long_key(text)) return *slip;
  const Scanner scanner(text);
  for (const Line& each : scanner.lines()) {
    const std::size_t tab = each.text.substr(0, each.indent).find('\t');
    if (tab != std::string_view::npos && each.number <= line)
      return {each.number, static_cast<int>(tab) + 1,
              "this line begins with a tab; indent by spaces, YAML takes no tabs"};
  }
  if (scanner.wrong()) return *scanner.wrong();
  if (!scanner.open().empty()) return Scanner::not_closed(scanner.open().back());
  if (const auto slip = missing_colon(scanner.lines(), line)) return *slip;
  if (const auto slip = wrong_indentation(scanner.lines(), line)) return *slip;
  return {line, column, "this is not valid YAML: " + complaint};
}

}  // namespace backlash::reading
