// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

const Keys<OutputPoint>& point_keys() {
  static const Keys<OutputPoint> keys{
      required(Key<OutputPoint>{{"body", text_type("name of a body"), "the body that it is on"},
                                [](const Value& v, OutputPoint& p) {
                                  p.at.body = v.reference(v.names().bodies, "body");
                                }}),
      fallback("[0, 0]", Key<OutputPoint>{{"at", point_type(), "where on the body"},
                                          [](const Value& v, OutputPoint& p) {
                                            p.at.p_B = read_pose(v, p.at.body).p;
                                          }}),
  };
  return keys;
}

const Keys<PlotDescription>& plot_keys() {
  using P = PlotDescription;
  static const Keys<P> keys{
      Key<P>{{"title", text_type("text"), "what it shows"},
             [](const Value& v, P& p) { p.title = v.text(); }},
      fallback("t", Key<P>{{"x", text_type("name of a channel"), "what the plot is over"},
                           [](const Value& v, P& p) { p.x = v.text() == "t" ? "" : v.text(); }}),
      required(Key<P>{{"y",
                       either_type({text_type("name of a channel"),
                                    list_type(text_type("name of a channel"), -1,
                                              "list of names of channels")}),
                       "channels of the results; `*` stands for any letters"},
                      [](const Value& v, P& p) {
                        if (v.is_scalar())
                          p.y.push_back(v.text());
                        else
                          for (const Value& name : v.items(-1, "names of channels"))
                            p.y.push_back(name.text());
                      }}),
  };
  return keys;
}

void read_plots(const Value& v, OutputOptions& o) {
  read_items(v, "set of plots", [&](const Value& set, const std::string& name) {
    PlotSet& made = o.plots.emplace_back(PlotSet{.name = name});
    read_items(set, "plot", [&](const Value& item, const std::string& plot) {
      PlotDescription& description = made.plots.emplace_back(PlotDescription{.name = plot});
      read_mapping(item, plot_keys(), "a plot", description);
    });
  });
}

/// Its name stands alone in formulas, and is that of a column.
void check_new(const Value& item, const std::string& name) {
  const std::vector<std::string_view> taken = expression_function_names();
  if (name == "t" || item.names().states.contains(name) || item.names().parameters.contains(name) ||
      std::ranges::find(taken, name) != taken.end())
    item.fail(fmt::format("'{}' has a meaning in formulas already; choose another name", name));
}

const Keys<OutputOptions>& output_keys() {
  using O = OutputOptions;
  static const Keys<O> keys{
      fallback("about 2000 rows",
               Key<O>{{"every", either_type({number_type(dim::time), text_type("`step`")}),
                       "time between records, or each step"},
                      [](const Value& v, O& o) {
                        const bool each = v.is_scalar() && v.node().text == "step";
                        const bool word = v.is_scalar() && is_name(v.node().text) &&
                                          !v.names().parameters.contains(v.node().text);
                        if (word && !each)
                          v.fail(fmt::format("expected a time, as 1 ms, or 'step', found '{}'",
                                             v.node().text));
                        o.every = each ? 0 : v.number(dim::time, positive);
                      }}),
      Key<O>{{"points", items_type(mapping_type("point"), "names, each with a point"),
              "points whose motion is recorded"},
             [](const Value& v, O& o) {
               read_items(v, "point", [&](const Value& item, const std::string& name) {
                 OutputPoint point{.name = name, .where = item.where()};
                 read_mapping(item, point_keys(), "a point", point);
                 o.points.push_back(point);
               });
             }},
      Key<O>{{"quantities",
              items_type(number_type("formula"), "names, each with a formula of channels"),
              "formulas of any channels that are recorded, too: `motor.torque*main.u`"},
             [](const Value& v, O& o) {
               read_items(v, "quantity", [&](const Value& item, const std::string& name) {
                 check_new(item, name);
                 o.quantities.push_back(item.channel_formula(name, o.quantities));
               });
             }},
      Key<O>{{"plots",
              items_type(items_type(mapping_type("plot"), "names, each with a plot"),
                         "names of sets, each with its plots"),
              "sets of plots that a report offers, such as the figures of a paper"},
             read_plots},
  };
  return keys;
}

}  // namespace

void read_output(const Value& value) {
  OutputOptions& options = value.context().model.output;
  options.where = value.where();
  read_mapping(value, output_keys(), "output", options);
}

std::vector<DefinitionInfo> output_definitions() {
  return {{"output", "What is recorded.", {info("output", output_keys())}},
          {"point", "A point of a body.", {info("point", point_keys())}},
          {"plot",
           "Channels of the results over the time, or over another channel.",
           {info("plot", plot_keys())}}};
}

}  // namespace backlash::reading
