// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backlash/results/channel.h"
#include "backlash/results/recorder.h"

/// What the tables of a run hold, in the order in which files have it. Every file format writes
/// these columns and no others, so that all of them hold the same numbers.
namespace backlash {

/// What the values of a column stand for.
enum class ColumnKind {
  number,
  contact,        ///< as the ContactDirectory numbers them
  subject,        ///< of an event: a contact; −1 − i: the event number i of the model
  unit,           ///< of a contact's gap: a GapUnit, or `no_unit`
  contact_state,  ///< a ContactState
  event_kind      ///< an EventKind
};

/// A column of a table whose rows are of one type.
template <class Row>
struct Column {
  Channel channel;
  double (*value)(const Row& row);
  ColumnKind kind = ColumnKind::number;
  const char* angular_unit = "";  ///< where the contact's gap is an angle; empty: the same
};

/// Whether the gap of some contact is measured in it.
bool has_contact_in(const SystemInfo& info, GapUnit unit);

/// The unit of a column: "m or rad" where there are contacts of both kinds.
template <class Row>
std::string unit_of(const Column<Row>& column, const SystemInfo& info) {
  const std::string angular = column.angular_unit;
  if (angular.empty() || !has_contact_in(info, GapUnit::radian)) return column.channel.unit;
  if (!has_contact_in(info, GapUnit::metre)) return angular;
  return column.channel.unit + " or " + angular;
}

const std::vector<Column<ContactRow>>& contact_columns(const SystemInfo& info);
/// `space` is 2 in the plane, 3 in space.
const std::vector<Column<Event>>& event_columns(int space);
const std::vector<Column<StepRow>>& step_columns();

/// What the values of a column are called, from 0 on; empty for numbers, and for contacts, whose
/// names come with the recordings.
std::vector<std::string> labels(ColumnKind kind);

/// Whether none of them is NaN or infinite.
bool all_finite(std::span<const double> values);

/// Throw InputError naming the first value that is NaN or infinite, though it may not be undefined,
/// and its time, or what does not fit the system. The states have these channels, and these are the
/// contacts so far.
void require_finite(const Recording& recording, const SystemInfo& info,
                    const std::vector<Channel>& channels,
                    const std::vector<RecordedContact>& contacts);

/// Remove all that was recorded at, or after, the first time at which some value is NaN or
/// infinite. The states have these channels.
void cut_before_not_finite(const std::vector<Channel>& channels, const SystemInfo& info,
                           Recording& recording);

}  // namespace backlash
