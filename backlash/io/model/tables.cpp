// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "backlash/io/model/point_file.h"
#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

constexpr std::string_view table_interpolations[] = {"linear", "cubic"};
constexpr std::string_view table_extensions[] = {"hold", "linear", "periodic"};

/// A table while it is read.
struct WrittenTable {
  std::string csv{};
  Unit units[2]{};  ///< of the numbers in the file
  bool has_units = false;
  Table table{.interpolation = Interpolation::cubic};
  std::optional<Dimension> argument{}, value{};
};

/// A number of one column, whose dimension is that of the first that says one.
double read_table_number(const Value& v, std::optional<Dimension>& dimension) {
  const Value::Quantity found = v.quantity();
  if (!dimension) dimension = found.dimension;
  if (found.dimension && !fits(*found.dimension, *dimension))
    v.fail(fmt::format("expected {}, as in the points before, found {}",
                       dimension_phrase(*dimension), v.node().text));
  return found.value;
}

void read_written_points(const Value& v, WrittenTable& t) {
  for (const Value& point : v.items(-1, "a list of points [x, y]")) {
    const std::vector<Value> parts = point.items(2, "a point [x, y]");
    t.table.x.push_back(read_table_number(parts[0], t.argument));
    t.table.y.push_back(read_table_number(parts[1], t.value));
  }
}

void read_table_units(const Value& v, WrittenTable& t) {
  const std::vector<Value> parts = v.items(2, "the units of x and y, such as [s, mm]");
  for (std::size_t i = 0; i < 2; ++i) {
    if (parts[i].text() == "-") continue;
    try {
      t.units[i] = read_unit(parts[i].text());
    } catch (const InputError& error) {
      parts[i].fail(error.what());
    }
    if (t.units[i].length != parts[i].text().size())
      parts[i].fail(fmt::format("expected a unit, found '{}'", parts[i].text()));
    (i == 0 ? t.argument : t.value) = t.units[i].dimension;
  }
  t.has_units = true;
}

const Keys<WrittenTable>& table_definition_keys() {
  using T = WrittenTable;
  static const Keys<T> keys{
      Key<T>{{"points", table_points_type("[[x, y], …]"), "x increasing; with or without units"},
             read_written_points},
      Key<T>{{"csv", text_type("name of a file"),
              "beside the model file: x and y in each line, x increasing"},
             [](const Value& v, T& t) { t.csv = v.text(); }},
      fallback("SI", Key<T>{{"units", list_type(text_type("unit"), 2, "[unit of x, unit of y]"),
                             "of the numbers in the file; `-` of plain ones"},
                            read_table_units}),
      fallback("cubic", Key<T>{{"interpolation", choice_type(table_interpolations),
                                "between the points; cubic: with continuous slope and curvature"},
                               [](const Value& v, T& t) {
                                 t.table.interpolation =
                                     Interpolation(v.choice(table_interpolations));
                               }}),
      fallback("hold", Key<T>{{"beyond", choice_type(table_extensions),
                               "before the first point and after the last"},
                              [](const Value& v, T& t) {
                                t.table.extension = Extension(v.choice(table_extensions));
                              }}),
  };
  return keys;
}

void read_table_file(const Value& item, WrittenTable& t) {
  checked(item, [&] {
    for (const Vec2& p : read_point_file(beside(item, t.csv))) {
      t.table.x.push_back(p.x() * t.units[0].factor);
      t.table.y.push_back(p.y() * t.units[1].factor);
    }
  });
}

/// Formulas call it by its name.
void require_free_name(const Value& section, const YamlEntry& entry) {
  const std::vector<std::string_view> taken = expression_function_names();
  if (std::ranges::find(taken, entry.key) != taken.end())
    section.fail(entry, fmt::format("'{}' has a meaning in formulas already; choose another name",
                                    entry.key));
}

}  // namespace

void read_tables(const Value& value) {
  auto& tables = value.context().names.tables;
  if (value.is_mapping())
    for (const YamlEntry& entry : value.node().entries) {
      require_free_name(value, entry);
      tables[entry.key] = {};
    }
  read_items(value, "table", [&](const Value& item, const std::string& name) {
    constexpr std::string_view sources[] = {"points", "csv"};
    WrittenTable written;
    read_mapping(item, table_definition_keys(), "a table", written);
    require_one_of(item, sources, Count::exactly_one);
    if (written.has_units && written.csv.empty()) item.fail("'units' goes with 'csv'");
    if (!written.csv.empty()) read_table_file(item, written);
    checked(item, [&] {
      tables[name] = {std::make_shared<const TableFunction>(std::move(written.table)),
                      written.argument, written.value};
    });
  });
}

std::vector<DefinitionInfo> table_definitions() {
  return {{"table",
           "A function that is given by points, which formulas call by its name: one of `points` "
           "and `csv`.",
           {info("table", table_definition_keys())}}};
}

}  // namespace backlash::reading
