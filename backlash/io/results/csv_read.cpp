// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/csv_read.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <list>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/base/printable.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || !text) throw IoError(fmt::format("{} cannot be read", file.string()));
  return text.str();
}

/// Walks through the fields of a file (RFC 4180).
class CsvFields {
 public:
  CsvFields(std::string_view text, const std::filesystem::path& file) : text_(text), file_(file) {
    const std::size_t last = text.rfind('\n');
    text_ = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  }

  bool at_end() const { return at_ >= text_.size(); }

  /// The fields of the next line. Quoted ones live as long as the next call.
  const std::vector<std::string_view>& next_line() {
    fields_.clear();
    unquoted_.clear();
    ++line_;
    do fields_.push_back(next_field());
    while (text_[at_ - 1] == ',');
    return fields_;
  }

  [[noreturn]] void refuse(const std::string& complaint) const {
    throw InputError(fmt::format("{}:{}: {}", file_.string(), line_, complaint));
  }

 private:
  std::string_view next_field() {
    if (text_[at_] == '"') return quoted_field();
    const std::size_t end = text_.find_first_of(",\n", at_);
    std::string_view field = text_.substr(at_, end - at_);
    at_ = end + 1;
    if (text_[end] == '\n' && field.ends_with('\r')) field.remove_suffix(1);
    return field;
  }

  std::string_view quoted_field() {
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && text_.substr(at_ + 1, 1) != "\"") break;
      if (text_[at_] == '"') ++at_;
      field.push_back(text_[at_]);
    }
    at_ = std::min(text_.find_first_of(",\n", at_), text_.size() - 1) + 1;
    unquoted_.push_back(std::move(field));
    return *unquoted_.rbegin();
  }

  std::string_view text_;
  std::filesystem::path file_;
  std::size_t at_ = 0;
  int line_ = 0;
  std::vector<std::string_view> fields_;
  std::list<std::string> unquoted_;
};

/// "slider.x [m]" taken apart; files of earlier versions have no units.
Channel channel_of(std::string_view written) {
  const std::string field = plain_text(written);
  const std::size_t bracket = field.rfind(" [");
  if (bracket == std::string::npos || !field.ends_with(']')) return {field, ""};
  return {field.substr(0, bracket), field.substr(bracket + 2, field.size() - bracket - 3)};
}

/// Whether the fields of a column are names.
bool holds_names(CsvTable kind, std::string_view column) {
  if (kind == CsvTable::states || kind == CsvTable::steps) return false;
  return column == "contact" || column == "kind" || column == "state" || column == "unit";
}

/// Names of a column as numbers, in the order in which they are met.
struct Words {
  bool used = false;
  std::map<std::string, int, std::less<>> numbers{};

  int number(std::string_view word, std::vector<std::string>& labels) {
    const auto found = numbers.find(word);
    if (found != numbers.end()) return found->second;
    labels.push_back(plain_text(word));
    return numbers.emplace(word, static_cast<int>(labels.size()) - 1).first->second;
  }
};

/// An empty field is a value that is not defined, NaN.
double number_in(std::string_view field, const std::string& column, const CsvFields& fields) {
  if (field.empty() && column != "t") return NAN;
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size())
    fields.refuse(
        fmt::format("column '{}': found '{}', expected a number", column, field.substr(0, 40)));
  return value;
}

}  // namespace

ResultsTable read_csv_table(const std::filesystem::path& file, CsvTable kind) {
  const std::string text = read_whole(file);
  CsvFields fields(text, file);
  ResultsTable table;
  if (fields.at_end()) fields.refuse("has no line with the names of its columns");
  for (const std::string_view name : fields.next_line()) table.channels.push_back(channel_of(name));
  if (table.channels.front().name != "t")
    fields.refuse("is no table of a run: its first column is not 't'");
  const std::size_t columns = table.channels.size();
  table.labels.resize(columns);
  std::vector<Words> words(columns);
  for (std::size_t j = 0; j < columns; ++j)
    words[j].used = holds_names(kind, table.channels[j].name);
  std::vector<double> values;
  while (!fields.at_end()) {
    const std::vector<std::string_view>& line = fields.next_line();
    if (line.size() != columns)
      fields.refuse(fmt::format("has {} columns, expected {}", line.size(), columns));
    for (std::size_t j = 0; j < columns; ++j)
      values.push_back(words[j].used ? words[j].number(line[j], table.labels[j])
                                     : number_in(line[j], table.channels[j].name, fields));
  }
  table.values =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          values.data(), static_cast<Index>(values.size() / columns), static_cast<Index>(columns));
  return table;
}

}  // namespace backlash
