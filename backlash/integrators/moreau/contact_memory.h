// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What Moreau's steps keep in the record of a contact for the next step.
namespace backlash {

template <class Record>
auto& pressing_acceleration(Record& record) {
  return record.own[0];
}
template <class Record>
auto& steps_without_sliding(Record& record) {  ///< of a contact that slid
  return record.own[1];
}
template <class Record>
auto& time_of_sticking(Record& record) {  ///< of the first of these [s]
  return record.own[2];
}

/// Of a contact that lasted, what the next step goes on from (theory 4.24).
template <class Record>
auto& gap_ahead(Record& record) {  ///< g* [m, rad]
  return record.own[3];
}
template <class Record>
auto& closed_gap(Record& record) {  ///< what of it the step closed [m, rad]
  return record.own[4];
}
template <class Record>
auto& closing_step(Record& record) {  ///< its length [s]; 0: there was none
  return record.own[5];
}

/// Its normal force, in the last step that no impact reached it in [N, N m]; 0: not known.
template <class Record>
auto& normal_force(Record& record) {
  return record.own[6];
}

/// Not zero: it contradicted others (theory 4.29).
template <class Record>
auto& jammed(Record& record) {
  return record.own[7];
}

}  // namespace backlash
