// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/columns.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

template <class Row>
using Columns = std::vector<Column<Row>>;

template <class Row>
Columns<Row> joined(Columns<Row> first, const Columns<Row>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

template <class Row>
Columns<Row> point_columns() {
  return {{{"px", "m"}, [](const Row& row) { return row.point.p_W.x(); }},
          {{"py", "m"}, [](const Row& row) { return row.point.p_W.y(); }},
          {{"nx", "-"}, [](const Row& row) { return row.point.n_W.x(); }},
          {{"ny", "-"}, [](const Row& row) { return row.point.n_W.y(); }}};
}

template <class Row>
Columns<Row> third_point_columns() {
  return {{{"pz", "m"}, [](const Row& row) { return row.point.p_W.z(); }},
          {{"nz", "-"}, [](const Row& row) { return row.point.n_W.z(); }}};
}

constexpr int no_unit = 2;  ///< after those of GapUnit: of an event of the model

Columns<ContactRow> make_contact_columns(int space, bool curves) {
  using Row = ContactRow;
  Columns<Row> columns{
      {{"t", "s"}, [](const Row& row) { return row.t; }},
      {{"contact", "-"}, [](const Row& row) { return double(row.contact); }, ColumnKind::contact},
      {{"gap", "m"}, [](const Row& row) { return row.gap; }, ColumnKind::number, "rad"},
      {{"gamma_n", "m/s"},
       [](const Row& row) { return row.gamma[0]; },
       ColumnKind::number,
       "rad/s"},
      {{"gamma_t", "m/s"}, [](const Row& row) { return row.gamma[1]; }},
      {{"impulse_n", "N s"},
       [](const Row& row) { return row.impulse[0]; },
       ColumnKind::number,
       "N m s"},
      {{"impulse_t", "N s"}, [](const Row& row) { return row.impulse[1]; }},
      {{"force_n", "N"}, [](const Row& row) { return row.force[0]; }, ColumnKind::number, "N m"},
      {{"force_t", "N"}, [](const Row& row) { return row.force[1]; }},
      {{"peak_n", "N"}, [](const Row& row) { return row.peak_n; }, ColumnKind::number, "N m"},
      {{"impact_n", "N s"},
       [](const Row& row) { return row.impact_n; },
       ColumnKind::number,
       "N m s"},
      {{"state", "-"},
       [](const Row& row) { return double(static_cast<int>(row.state)); },
       ColumnKind::contact_state}};
  columns = joined(columns, point_columns<Row>());
  if (space == 3)
    columns = joined(joined(columns, third_point_columns<Row>()),
                     {{{"gamma_t2", "m/s"}, [](const Row& row) { return row.gamma[2]; }},
                      {{"impulse_t2", "N s"}, [](const Row& row) { return row.impulse[2]; }},
                      {{"force_t2", "N"}, [](const Row& row) { return row.force[2]; }}});
  if (curves)
    columns = joined(columns, {{{"u_a", "-"}, [](const Row& row) { return row.parameters[0]; }},
                               {{"u_b", "-"}, [](const Row& row) { return row.parameters[1]; }}});
  return joined(columns, {{{"unit", "-"},
                           [](const Row& row) { return double(static_cast<int>(row.unit)); },
                           ColumnKind::unit}});
}

Columns<Event> make_event_columns(int space) {
  Columns<Event> columns{
      {{"t", "s"}, [](const Event& e) { return e.t; }},
      {{"kind", "-"},
       [](const Event& e) { return double(static_cast<int>(e.kind)); },
       ColumnKind::event_kind},
      {{"contact", "-"},
       [](const Event& e) { return double(e.contact >= 0 ? e.contact : -1 - e.model_event); },
       ColumnKind::subject},
      {{"gamma_n_before", "m/s"},
       [](const Event& e) { return e.gamma_n_before; },
       ColumnKind::number,
       "rad/s"},
      {{"gamma_n_after", "m/s"},
       [](const Event& e) { return e.gamma_n_after; },
       ColumnKind::number,
       "rad/s"},
      {{"impulse_n", "N s"},
       [](const Event& e) { return e.impulse_n; },
       ColumnKind::number,
       "N m s"},
      {{"impulse_t", "N s"}, [](const Event& e) { return e.impulse_t; }},
      {{"energy_loss", "J"}, [](const Event& e) { return e.energy_loss; }}};
  columns = joined(columns, point_columns<Event>());
  if (space == 3) columns = joined(columns, third_point_columns<Event>());
  return joined(
      columns,
      {{{"unit", "-"},
        [](const Event& e) { return double(e.contact < 0 ? no_unit : static_cast<int>(e.unit)); },
        ColumnKind::unit}});
}

/// Why a row cannot be written; throws InputError that says so, if that is the case.
template <class Row>
void refuse(const Row& row, const Columns<Row>& columns,
            const std::vector<RecordedContact>& contacts, const SystemInfo& info) {
  const std::string when = fmt::format("at t = {} s", row.t);
  bool of_contact = requires { row.contact; };
  if constexpr (requires { row.model_event; }) {
    of_contact = row.contact >= 0;
    if (!of_contact)
      require_index(row.model_event, std::ssize(info.events), when + " the number of an event");
  }
  if constexpr (requires { row.contact; })
    if (of_contact)
      require_index(row.contact, std::ssize(contacts), when + " the number of a contact");
  if constexpr (requires { row.state; })
    require_choice(row.state, ContactState::impact, when + " the state");
  if constexpr (requires { row.kind; })
    require_choice(row.kind, EventKind::rest, when + " the kind");
  for (const Column<Row>& column : columns) {
    if (std::isfinite(column.value(row))) continue;
    std::string item;
    if constexpr (requires { row.contact; })
      if (row.contact >= 0)
        item =
            fmt::format(" of contact '{}'", contacts[static_cast<std::size_t>(row.contact)].name);
    throw InputError(
        fmt::format("{} the {}{} is {}", when, column.channel.name, item, column.value(row)));
  }
}

/// Whether the choice is one of its enumeration, which ends with `last`.
template <class Choice>
bool is_choice(Choice choice, Choice last) {
  return static_cast<int>(choice) >= 0 && choice <= last;
}

/// Whether numbers that stand for something do.
template <class Row>
bool refers_to_something(const Row& row, std::ptrdiff_t contacts, std::ptrdiff_t events) {
  bool known = true;
  if constexpr (requires { row.model_event; })
    known = row.contact >= 0 || (row.model_event >= 0 && row.model_event < events);
  if constexpr (requires { row.contact; }) known = known && row.contact < contacts;
  if constexpr (
      requires { row.contact; } && !requires { row.model_event; })
    known = known && row.contact >= 0;
  if constexpr (requires { row.state; })
    known = known && is_choice(row.state, ContactState::impact);
  if constexpr (requires { row.kind; }) known = known && is_choice(row.kind, EventKind::rest);
  return known;
}

template <class Row>
bool is_finite(const Row& row, const Columns<Row>& columns) {
  return std::ranges::all_of(
      columns, [&](const Column<Row>& column) { return std::isfinite(column.value(row)); });
}

/// Without the columns, for there are many of these rows.
bool is_finite(const ContactRow& row, const Columns<ContactRow>&) {
  const Vec3 &p = row.point.p_W, &n = row.point.n_W;
  const std::array values{row.t,
                          row.gap,
                          row.gamma[0],
                          row.gamma[1],
                          row.gamma[2],
                          row.impulse[0],
                          row.impulse[1],
                          row.impulse[2],
                          row.force[0],
                          row.force[1],
                          row.force[2],
                          row.peak_n,
                          row.impact_n,
                          p.x(),
                          p.y(),
                          p.z(),
                          n.x(),
                          n.y(),
                          n.z(),
                          row.parameters[0],
                          row.parameters[1]};
  return all_finite(values);
}

template <class Row>
void require_finite_rows(const std::vector<Row>& rows, const Columns<Row>& columns,
                         const std::vector<RecordedContact>& contacts, const SystemInfo& info) {
  for (const Row& row : rows)
    if (!is_finite(row, columns) ||
        !refers_to_something(row, std::ssize(contacts), std::ssize(info.events)))
      refuse(row, columns, contacts, info);
}

/// When the first row was recorded that holds NaN or infinity [s]; infinite: there is none.
template <class Row>
double first_not_finite(const std::vector<Row>& rows, const Columns<Row>& columns) {
  for (const Row& row : rows)
    for (const Column<Row>& column : columns)
      if (!std::isfinite(column.value(row))) return row.t;
  return INFINITY;
}

}  // namespace

/// x − x is 0 of numbers, and NaN otherwise; in lanes, for a single sum would wait for each x.
bool all_finite(std::span<const double> values) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += values[i + j] - values[i + j];
  for (; i < values.size(); ++i) sums[0] += values[i] - values[i];
  return std::ranges::all_of(sums, [](double sum) { return sum == 0; });
}

bool has_contact_in(const SystemInfo& info, GapUnit unit) {
  return std::ranges::any_of(info.contacts, [&](const ContactInfo& c) { return c.unit == unit; });
}

const std::vector<Column<ContactRow>>& contact_columns(const SystemInfo& info) {
  static const Columns<ContactRow> plane = make_contact_columns(2, false),
                                   curves = make_contact_columns(2, true),
                                   spatial = make_contact_columns(3, false);
  const int space = info.space;
  if (space == 2 && info.curves) return curves;
  return space == 2 ? plane : spatial;
}

const std::vector<Column<Event>>& event_columns(int space) {
  static const Columns<Event> plane = make_event_columns(2), spatial = make_event_columns(3);
  return space == 2 ? plane : spatial;
}

const std::vector<Column<StepRow>>& step_columns() {
  static const Columns<StepRow> columns{
      {{"t", "s"}, [](const StepRow& row) { return row.t; }},
      {{"step", "s"}, [](const StepRow& row) { return row.step; }},
      {{"accepted", "-"}, [](const StepRow& row) { return row.accepted ? 1.0 : 0.0; }},
      {{"order", "-"}, [](const StepRow& row) { return double(row.order); }},
      {{"iterations", "-"}, [](const StepRow& row) { return double(row.iterations); }},
      {{"residual", "m/s"}, [](const StepRow& row) { return row.residual; }},
      {{"penetration", "m"}, [](const StepRow& row) { return row.penetration; }},
      {{"angular_penetration", "rad"}, [](const StepRow& row) { return row.angular_penetration; }}};
  return columns;
}

std::vector<std::string> labels(ColumnKind kind) {
  std::vector<std::string> names;
  switch (kind) {
    case ColumnKind::number:
    case ColumnKind::contact:
    case ColumnKind::subject:
      break;
    case ColumnKind::unit:
      for (const auto unit : {GapUnit::metre, GapUnit::radian}) names.emplace_back(name(unit));
      names.emplace_back("-");
      break;
    case ColumnKind::contact_state:
      for (const auto state :
           {ContactState::open, ContactState::stick, ContactState::slip, ContactState::impact})
        names.emplace_back(name(state));
      break;
    case ColumnKind::event_kind:
      for (const auto event :
           {EventKind::impact, EventKind::release, EventKind::stick, EventKind::slip,
            EventKind::switched, EventKind::stop, EventKind::rest})
        names.emplace_back(name(event));
      break;
  }
  return names;
}

void require_finite(const Recording& recording, const SystemInfo& info,
                    const std::vector<Channel>& channels,
                    const std::vector<RecordedContact>& contacts) {
  const std::size_t columns = channels.size();
  if (recording.states.size() % columns != 0)
    throw InputError(fmt::format("the recorded states must be rows of {} values, are {} values",
                                 columns, recording.states.size()));
  const std::size_t suspicious = all_finite(recording.states) ? 0 : recording.states.size();
  for (std::size_t i = 0; i < suspicious; ++i)
    if (!channels[i % columns].may_be_undefined && !std::isfinite(recording.states[i]))
      throw InputError(fmt::format("at t = {} s {} is {}", recording.states[i - i % columns],
                                   channels[i % columns].name, recording.states[i]));
  require_finite_rows(recording.contacts, contact_columns(info), contacts, info);
  require_finite_rows(recording.events, event_columns(info.space), contacts, info);
  require_finite_rows(recording.steps, step_columns(), contacts, info);
}

void cut_before_not_finite(const std::vector<Channel>& channels, const SystemInfo& info,
                           Recording& recording) {
  const std::size_t columns = channels.size();
  double end = INFINITY;  // [s]
  for (std::size_t i = 0; i < recording.states.size(); ++i)
    if (!channels[i % columns].may_be_undefined && !std::isfinite(recording.states[i])) {
      end = recording.states[i - i % columns];
      break;
    }
  end = std::min({end, first_not_finite(recording.contacts, contact_columns(info)),
                  first_not_finite(recording.events, event_columns(info.space)),
                  first_not_finite(recording.steps, step_columns())});
  std::size_t rows = 0;
  while ((rows + 1) * columns <= recording.states.size() && recording.states[rows * columns] < end)
    ++rows;
  recording.states.resize(rows * columns);
  std::erase_if(recording.contacts, [&](const ContactRow& row) { return !(row.t < end); });
  std::erase_if(recording.events, [&](const Event& row) { return !(row.t < end); });
  std::erase_if(recording.steps, [&](const StepRow& row) { return !(row.t < end); });
}

}  // namespace backlash
