// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

void append_body(const Body& body, std::vector<ShapeName>& shapes) {
  for (const BodyShape& shape : body.shapes) shapes.push_back({body.name, shape.name});
}

template <class Visit>
void for_each_body(const Model& model, Visit visit) {
  visit(model.ground);
  for (const Body& body : model.bodies) visit(body);
}

std::vector<ShapeName> shapes_of_group(const Model& model, std::string_view group) {
  std::vector<ShapeName> shapes;
  for_each_body(model, [&](const Body& body) {
    for (const BodyShape& shape : body.shapes)
      if (std::ranges::find(shape.groups, group) != shape.groups.end())
        shapes.push_back({body.name, shape.name});
  });
  return shapes;
}

/// All that may be named where shapes are meant, for the nearest name.
std::vector<std::string> shape_selectors(const Model& model) {
  std::vector<std::string> names;
  for_each_body(model, [&](const Body& body) {
    names.push_back(body.name);
    for (const BodyShape& shape : body.shapes) {
      names.push_back(body.name + "." + shape.name);
      names.insert(names.end(), shape.groups.begin(), shape.groups.end());
    }
  });
  return names;
}

/// "body", "body.shape" or a group.
void append_selected(const Value& value, std::vector<ShapeName>& shapes) {
  const Model& model = value.context().model;
  const std::string text = value.text();
  const std::size_t dot = text.find('.');
  if (value.names().unreadable.contains(text.substr(0, dot))) throw Reported{};
  const Body* body = find_body(model, text.substr(0, dot));
  if (dot != std::string::npos && body != nullptr) {
    std::vector<std::string> names;
    for (const BodyShape& shape : body->shapes) names.push_back(shape.name);
    const std::string shape = text.substr(dot + 1);
    if (std::ranges::find(names, shape) == names.end())
      value.fail(fmt::format("body '{}' has no shape '{}'{}", body->name, shape,
                             did_you_mean(shape, names)));
    shapes.push_back({body->name, shape});
    return;
  }
  if (body != nullptr) {
    if (body->shapes.empty())
      value.fail(fmt::format("body '{}' has no shape to touch with", body->name));
    return append_body(*body, shapes);
  }
  const std::vector<ShapeName> group = shapes_of_group(model, text);
  if (group.empty())
    value.fail(fmt::format("there is no body, shape (body.shape) or group '{}'{}", text,
                           did_you_mean(text, shape_selectors(model))));
  shapes.insert(shapes.end(), group.begin(), group.end());
}

std::vector<ShapeName> read_selection(const Value& value) {
  std::vector<ShapeName> shapes;
  if (value.is_list())
    for (const Value& item : value.items(-1, "names of shapes")) append_selected(item, shapes);
  else
    append_selected(value, shapes);
  return shapes;
}

bool may_touch(const ContactPair& pair) {
  return std::ranges::any_of(pair.A, [&](const ShapeName& a) {
    return std::ranges::any_of(pair.B, [&](const ShapeName& b) { return a.body != b.body; });
  });
}

const Keys<ContactPair>& contact_keys() {
  const ValueType name = text_type("name of a body, of a shape (body.shape) or of a group");
  const ValueType side = either_type({name, list_type(name, -1, "list of such names")});
  static const Keys<ContactPair> keys{
      required(Key<ContactPair>{
          {"between",
           list_type(side, 2, "[A, B]: each a body, body.shape, group, or a list of them"),
           "each shape of A may touch each of B that belongs to another body"},
          [](const Value& v, ContactPair& pair) {
            const std::vector<Value> sides = v.items(2, "two names of shapes");
            pair.A = read_selection(sides[0]);
            pair.B = read_selection(sides[1]);
            if (!may_touch(pair)) v.fail("expected shapes of two different bodies");
          }}),
      required(law_key(&ContactPair::law)),
      fallback("true", flag_key("active", &ContactPair::active,
                                "at the start; an event may activate it later")),
      fallback("found",
               Key<ContactPair>{{"guess", list_type(number_type(dimensions::none), 2, "[u_a, u_b]"),
                                 "of profiles: parameters of the closest points of A and B at the "
                                 "start, about; 0 for a side that is no profile"},
                                [](const Value& v, ContactPair& pair) {
                                  const std::vector<Value> u = v.items(2, "two parameters");
                                  pair.guess = {u[0].number(dimensions::none, any),
                                                u[1].number(dimensions::none, any)};
                                }}),
  };
  return keys;
}

}  // namespace

void read_contacts(const Value& value) {
  read_items(value, "contact", [&](const Value& item, const std::string& name) {
    ContactPair pair{.name = name, .where = item.where()};
    read_mapping(item, contact_keys(), "a contact", pair);
    value.context().model.contacts.push_back(std::move(pair));
  });
}

std::vector<DefinitionInfo> contact_definitions() {
  return {{"contact", "Shapes that may touch.", {info("contact", contact_keys())}}};
}

}  // namespace backlash::reading
