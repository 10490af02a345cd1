// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/quantities.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/formula_dimension.h"
#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/results/recorder.h"

namespace backlash {
namespace {

struct MeasureName {
  std::string_view name;
  ContactMeasure measure;
};
constexpr MeasureName measures[] = {{"force", ContactMeasure::force},
                                    {"force_t", ContactMeasure::force_t},
                                    {"gap", ContactMeasure::gap},
                                    {"peak", ContactMeasure::peak}};

/// As formulas write it, in which a '-' is a minus: "touch.ball_box" of the contact touch.ball-box.
std::string in_formulas(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

/// Whether a name is an item's, or that of a part of it.
bool begins_with(std::string_view name, std::string_view item) {
  return name.starts_with(item) &&
         (name.size() == item.size() || name[item.size()] == '.' || name[item.size()] == '-');
}

/// The same of an item that a formula names.
bool belongs_to(const std::string& name, const std::string& item) {
  return begins_with(name, item) || begins_with(in_formulas(name), item);
}

std::optional<Dimension> dimension_of(const Channel& channel) {
  const std::string& unit = channel.unit;
  if (channel.unit_is_open || unit.empty() || unit.find(" or ") != std::string::npos)
    return std::nullopt;
  return unit == "-" ? Dimension{} : read_unit(unit).dimension;
}

Dimension dimension_of(ContactMeasure measure, GapUnit unit) {
  const bool angular = unit == GapUnit::radian;
  if (measure == ContactMeasure::gap) return angular ? dimensions::angle : dimensions::length;
  return angular ? dimensions::torque : dimensions::force;
}

/// A contact, or several: "floor.force", "guide.1.gap".
std::optional<QuantityInput> find_contacts(const SystemInfo& info, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto measure =
      std::ranges::find(measures, std::string_view(name).substr(dot + 1), &MeasureName::name);
  if (measure == std::end(measures)) return std::nullopt;
  const std::string item = name.substr(0, dot);
  for (const ContactInfo& contact : info.contacts)
    if (belongs_to(contact.name, item) || begins_with(item, in_formulas(contact.name)))
      return QuantityInput{.contacts = item,
                           .measure = measure->measure,
                           .dimension = dimension_of(measure->measure, contact.unit)};
  return std::nullopt;
}

/// Throws InputError unless there are contacts that begin so, as far as one can know: places where
/// profiles touch are born while they move.
void require_contacts(const System& system, const State& start, const OutputQuantity& quantity,
                      const std::string& item) {
  const SystemInfo& info = system.info();
  const auto is_whole = [&](const ContactInfo& contact) { return belongs_to(contact.name, item); };
  if (info.curves || std::ranges::any_of(info.contacts, is_whole)) return;
  std::vector<ContactFrame> frames;
  system.find_contacts(configuration(system, start), INFINITY, start.contacts, frames);
  std::vector<std::string> names;
  for (const ContactFrame& frame : frames)
    names.push_back(in_formulas(system.contact_name(frame.key)));
  if (std::ranges::any_of(names, [&](const auto& name) { return begins_with(name, item); })) return;
  throw InputError(quantity.where,
                   fmt::format("there is no contact '{}'{}", item, did_you_mean(item, names)));
}

std::optional<Dimension> dimension_of(const OutputQuantity& quantity,
                                      std::span<const std::optional<Dimension>> inputs,
                                      BareFactors factors) {
  try {
    return formula_dimension(quantity.code, quantity.tags, inputs, factors);
  } catch (const ExpressionError& error) {
    throw InputError(quantity.where, fmt::format("the formula {}", error.what()));
  }
}

/// Radians are left out of products, N m rad/s is W, unless the unit has a name with them.
std::string unit_of(Dimension dimension) {
  std::string unit = si_unit(dimension);
  if (unit.find(" rad") != std::string::npos) {
    dimension.rad = 0;
    unit = si_unit(dimension);
  }
  return unit.empty() ? "-" : unit;
}

/// What may have been meant: a place of a contact, named up to its '-', or another channel.
std::string advice_on(const SystemInfo& info, const std::string& name,
                      const std::vector<std::string>& known) {
  for (const ContactInfo& contact : info.contacts)
    if (name.starts_with(contact.name + "."))
      return "; formulas write names of contacts with '_' in the place of '-', and what is asked "
             "of them behind it: touch.ball_box.force";
  return did_you_mean(name, known);
}

}  // namespace

QuantityInput find_input(const SystemInfo& info, const OutputQuantity& quantity,
                         const std::string& name, std::span<const Channel> channels) {
  const auto found = std::ranges::find(channels, name, &Channel::name);
  if (found != channels.end())
    return {.column = static_cast<int>(found - channels.begin()),
            .dimension = dimension_of(*found)};
  if (const auto contacts = find_contacts(info, name)) return *contacts;
  std::vector<std::string> known;
  for (const Channel& channel : channels) known.push_back(channel.name);
  for (const ContactInfo& contact : info.contacts)
    for (const MeasureName& measure : measures)
      known.push_back(fmt::format("{}.{}", in_formulas(contact.name), measure.name));
  throw InputError(quantity.where, fmt::format("the results have no channel '{}'{}", name,
                                               advice_on(info, name, known)));
}

void append_quantity_channels(const SystemInfo& info, std::span<const OutputQuantity> quantities,
                              std::vector<Channel>& channels) {
  for (const OutputQuantity& quantity : quantities) {
    if (std::ranges::find(channels, quantity.name, &Channel::name) != channels.end())
      throw InputError(quantity.where,
                       fmt::format("the results have another channel '{}'", quantity.name));
    std::vector<std::optional<Dimension>> inputs;
    for (const std::string& name : quantity.channels)
      inputs.push_back(find_input(info, quantity, name, channels).dimension);
    const bool open = !dimension_of(quantity, inputs, BareFactors::open);
    const auto shown = dimension_of(quantity, inputs, BareFactors::plain);
    channels.push_back({.name = quantity.name,
                        .unit = shown ? unit_of(*shown) : "-",
                        .may_be_undefined = true,
                        .unit_is_open = open});
  }
}

QuantityColumns::QuantityColumns(const System& system, const State& start,
                                 std::span<const OutputQuantity> quantities,
                                 std::span<const Channel> channels)
    : far_(std::isfinite(system.info().reach) ? system.info().reach : 1e6) {
  for (const OutputQuantity& quantity : quantities) {
    Quantity& made = quantities_.emplace_back(
        Quantity{.name = quantity.name, .expression = quantity.expression});
    for (const std::string& name : quantity.channels) {
      made.inputs.push_back({find_input(system.info(), quantity, name, channels)});
      const std::string& item = made.inputs.back().source.contacts;
      if (!item.empty()) require_contacts(system, start, quantity, item);
    }
  }
}

double QuantityColumns::read(Input& input, std::span<const ContactRow> contacts,
                             const ContactDirectory& directory) const {
  const ContactMeasure measure = input.source.measure;
  for (std::size_t i = input.belongs.size(); i < directory.contacts().size(); ++i)
    input.belongs.push_back(belongs_to(directory.contacts()[i].name, input.source.contacts));
  double sum = 0, peak = 0, least = far_;
  for (const ContactRow& row : contacts) {
    if (!input.belongs[static_cast<std::size_t>(row.contact)]) continue;
    sum += row.force[measure == ContactMeasure::force_t];
    peak = std::max(peak, row.peak_n);
    least = std::min(least, row.gap);
  }
  if (measure == ContactMeasure::gap) return least;
  return measure == ContactMeasure::peak ? peak : sum;
}

void QuantityColumns::append(std::size_t row, std::span<const ContactRow> contacts,
                             const ContactDirectory& directory, std::vector<double>& states) {
  for (Quantity& quantity : quantities_) {
    values_.clear();
    for (Input& input : quantity.inputs)
      values_.push_back(input.source.column >= 0
                            ? states[row + static_cast<std::size_t>(input.source.column)]
                            : read(input, contacts, directory));
    const double value = quantity.expression(values_);
    states.push_back(std::isfinite(value) ? value : NAN);
    if (std::isfinite(value)) continue;
    if (quantity.undefined_rows++ == 0) quantity.t_undefined = states[row];
  }
}

std::vector<UndefinedQuantity> QuantityColumns::undefined() const {
  std::vector<UndefinedQuantity> found;
  for (const Quantity& quantity : quantities_)
    if (quantity.undefined_rows > 0)
      found.push_back({quantity.name, quantity.undefined_rows, quantity.t_undefined});
  return found;
}

}  // namespace backlash
