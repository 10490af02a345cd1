// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
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

const Keys<OutputOptions>& output_keys() {
  using O = OutputOptions;
  static const Keys<O> keys{
      fallback("step", Key<O>{{"every", either_type({number_type(dim::time), text_type("`step`")}),
                               "time between records, or each step"},
                              [](const Value& v, O& o) {
                                o.every = v.is_scalar() && v.node().text == "step"
                                              ? 0
                                              : v.number(dim::time, positive);
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
          {"point", "A point of a body.", {info("point", point_keys())}}};
}

}  // namespace backlash::reading
