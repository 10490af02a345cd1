// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  contact,        ///< an index into SystemInfo::contacts
  subject,        ///< an Event::contact: a contact, then an event of the model
  contact_state,  ///< a ContactState
  event_kind      ///< an EventKind
};

/// A column of a table whose rows are of one type.
template <class Row>
struct Column {
  Channel channel;
  double (*value)(const Row& row);
  ColumnKind kind = ColumnKind::number;
};

/// `space` is 2 in the plane, 3 in space.
const std::vector<Column<ContactRow>>& contact_columns(int space);
const std::vector<Column<Event>>& event_columns(int space);
const std::vector<Column<StepRow>>& step_columns();

/// What the values of a column are called, from 0 on; empty for numbers.
std::vector<std::string> labels(ColumnKind kind, const SystemInfo& info);

/// Throw InputError naming the first value that is NaN or infinite, and its time. The states have
/// these channels.
void require_finite(const Recording& recording, const SystemInfo& info,
                    const std::vector<Channel>& channels);

}  // namespace backlash
