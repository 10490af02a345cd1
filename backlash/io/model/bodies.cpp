// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

/// A body while it is read.
struct BodyDraft {
  Body body{};
  double thickness = 0;  ///< [m]
};

const Keys<Frame>& frame_keys() {
  static const Keys<Frame> keys{
      fallback("[0, 0]", Key<Frame>{{"at", vector_type(dim::length), "its origin"},
                                    [](const Value& v, Frame& f) {
                                      f.X_BF.p = in_space(v.vector(dim::length));
                                    }}),
      fallback("0", Key<Frame>{{"angle", number_type(dim::angle), "by which it is turned"},
                               [](const Value& v, Frame& f) {
                                 f.X_BF.rotation.z() = v.number(dim::angle);
                               }}),
  };
  return keys;
}

const Keys<InitialMotion>& initial_motion_keys() {
  static const Keys<InitialMotion> keys{
      fallback("[0, 0]", Key<InitialMotion>{{"position", vector_type(dim::length),
                                             "of the body's origin, in the world"},
                                            [](const Value& v, InitialMotion& m) {
                                              m.X_WB.p = in_space(v.vector(dim::length));
                                            }}),
      fallback("0",
               Key<InitialMotion>{{"angle", number_type(dim::angle), "against the world's axes"},
                                  [](const Value& v, InitialMotion& m) {
                                    m.X_WB.rotation.z() = v.number(dim::angle);
                                  }}),
      fallback("[0, 0]", vector_key("velocity", &InitialMotion::velocity, dim::velocity,
                                    "of the body's origin")),
      fallback("0", Key<InitialMotion>{{"speed", number_type(dim::angular_velocity),
                                        "at which it turns, counter-clockwise"},
                                       [](const Value& v, InitialMotion& m) {
                                         m.angular_velocity.z() = v.number(dim::angular_velocity);
                                       }}),
  };
  return keys;
}

Keys<BodyDraft> outline_keys() {
  return {
      Key<BodyDraft>{
          {"shape", mapping_type("shape"), "the only shape; it is called `shape`"},
          [](const Value& v, BodyDraft& d) { d.body.shapes.push_back(read_shape(v, "shape")); }},
      Key<BodyDraft>{{"shapes", items_type(mapping_type("shape"), "names, each with a shape"),
                      "several shapes"},
                     [](const Value& v, BodyDraft& d) {
                       read_items(v, "shape", [&](const Value& item, const std::string& name) {
                         d.body.shapes.push_back(read_shape(item, name));
                       });
                     }},
      Key<BodyDraft>{{"frames", items_type(mapping_type("frame"), "names, each with a frame"),
                      "named places that joints and forces may refer to"},
                     [](const Value& v, BodyDraft& d) {
                       read_items(v, "frame", [&](const Value& item, const std::string& name) {
                         Frame frame{.name = name, .where = item.where()};
                         read_mapping(item, frame_keys(), "a frame", frame);
                         d.body.frames.push_back(frame);
                       });
                     }},
  };
}

/// A number of the body that `access` gives.
template <class Access>
Key<BodyDraft> body_number(std::string name, const Dimension& dimension, std::string doc,
                           Access access) {
  return {
      {std::move(name), number_type(dimension), std::move(doc)},
      [=](const Value& v, BodyDraft& d) { access(d.body) = v.number(dimension, not_negative); }};
}

const Keys<BodyDraft>& ground_keys() {
  static const Keys<BodyDraft> keys = outline_keys();
  return keys;
}

const Keys<BodyDraft>& body_keys() {
  static const Keys<BodyDraft> keys = [] {
    Keys<BodyDraft> all{
        body_number("mass", dim::mass, "the mass; needed without a density",
                    [](Body& body) -> double& { return body.mass; }),
        fallback("0", body_number("inertia", dim::inertia, "about the centre of mass",
                                  [](Body& body) -> double& { return body.inertia.zz; })),
        fallback("[0, 0]", Key<BodyDraft>{{"com", vector_type(dim::length), "the centre of mass"},
                                          [](const Value& v, BodyDraft& d) {
                                            d.body.com = in_space(v.vector(dim::length));
                                          }}),
        Key<BodyDraft>{{"density", number_type(dim::density),
                        "mass, inertia and centre of mass follow from the circles and polygons"},
                       [](const Value& v, BodyDraft& d) {
                         d.body.density = v.number(dim::density, positive);
                       }},
        number_key("thickness", &BodyDraft::thickness, dim::length, positive,
                   "goes with a density"),
        Key<BodyDraft>{
            {"initial", mapping_type("initial_motion"), "motion at the start, if no joint says it"},
            [](const Value& v, BodyDraft& d) {
              d.body.initial.emplace();
              read_mapping(v, initial_motion_keys(), "an initial motion", *d.body.initial);
            }},
    };
    for (Key<BodyDraft>& key : outline_keys()) all.push_back(std::move(key));
    return all;
  }();
  return keys;
}

/// Mass, inertia and centre of mass from the density, or as given.
void settle_mass(const Value& value, BodyDraft& draft) {
  if (!value.find("density")) {
    if (value.find("thickness")) value.fail("'thickness' goes with a 'density'");
    if (!value.find("mass"))
      value.fail(fmt::format(
          "missing key 'mass': a body needs it, or a 'density' and a 'thickness'{}",
          draft.body.name == "world" ? fmt::format("; the world is called '{}'", ground_name)
                                     : ""));
    return;
  }
  for (const char* key : {"mass", "inertia", "com"})
    if (value.find(key))
      value.fail(fmt::format("'{}' follows from the 'density'; give one of them", key));
  if (!value.find("thickness")) value.fail("missing key 'thickness': a 'density' needs it");
  checked(value, [&] {
    const MassProperties p = plate_properties(draft.body, draft.body.density * draft.thickness);
    draft.body.mass = p.mass;
    draft.body.inertia.zz = p.inertia;
    draft.body.com = in_space(p.com);
  });
}

Body read_body(const Value& value, const std::string& name) {
  constexpr std::string_view outlines[] = {"shape", "shapes"};
  BodyDraft draft{.body = {.name = name, .where = value.where()}};
  const bool ground = name == ground_name;
  read_mapping(value, ground ? ground_keys() : body_keys(), ground ? "the ground" : "a body",
               draft);
  require_one_of(value, outlines, Count::at_most_one);
  if (!ground) settle_mass(value, draft);
  checked(value, [&] { validate(draft.body); });
  return draft.body;
}

}  // namespace

void read_bodies_section(const Value& value) {
  Model& model = value.context().model;
  read_items(value, "body", [&](const Value& item, const std::string& name) {
    Body body;
    if (!value.context().attempt([&] { body = read_body(item, name); })) {
      value.context().names.unreadable.insert(name);
      throw Reported{};
    }
    if (name == ground_name)
      model.ground = std::move(body);
    else
      model.bodies.push_back(std::move(body));
  });
  if (model.bodies.empty()) value.fail("expected a body besides the ground, found none");
}

std::vector<DefinitionInfo> body_definitions() {
  return {{"body",
           "A rigid body. Points and shapes are given in its own frame.",
           {info("body", body_keys())}},
          {"ground",
           "The body named `ground` is the world; it has no mass.",
           {info("ground", ground_keys())}},
          {"frame", "A named place and direction on a body.", {info("frame", frame_keys())}},
          {"initial_motion",
           "How a body moves at the start, in the world.",
           {info("initial_motion", initial_motion_keys())}}};
}

}  // namespace backlash::reading
