// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/types.h"
#include "backlash/results/channel.h"
#include "backlash/results/run_description.h"

/// A run as it is looked at afterwards, wherever it comes from: a file, or memory.
namespace backlash {

/// One table of a run: values row by row; names stand as their index in `labels`.
struct ResultsTable {
  std::vector<Channel> channels{};
  std::vector<std::vector<std::string>> labels{};  ///< for each channel; empty for numbers
  Matrix values{};                                 ///< one column per channel

  Eigen::Index rows() const { return values.rows(); }
  bool has(std::string_view name) const;

  /// Throws InputError if there is no such channel.
  Vector column(std::string_view name) const;

  /// What a value of a column of names stands for; empty if it stands for nothing.
  std::string label(std::string_view name, Eigen::Index row) const;
};

/// A run.
struct Results {
  std::string program_version{};
  std::string status{};   ///< as in summary.json; "running": the run was killed, or goes on
  std::string summary{};  ///< the text of summary.json; empty if the run did not end by itself
  RunDescription run{};
  ResultsTable states{}, contacts{}, events{};
  ResultsTable steps{};  ///< empty unless they were recorded

  /// Whether the run ended before its time: killed, interrupted or failed.
  bool partial() const { return status != "done"; }
  double t_end() const;  ///< of the last row [s]; NaN without rows
};

/// One quantity of a run over its time.
struct Series {
  std::string name{};
  std::string unit{};  ///< "-": a pure number
  Vector t{};          ///< [s]
  Vector values{};     ///< NaN at times at which a contact is not near
};

/// Everything that find_series() finds: the channels of the states; of each contact its columns of
/// numbers, as `guide.1.gap`; of the steps theirs, as `steps.residual`.
std::vector<Channel> list_channels(const Results& results);

/// Forces and impulses of a contact are zero where it is not near. Throws InputError with the
/// nearest names if there is no such channel.
Series find_series(const Results& results, const std::string& name);

/// The channels that patterns stand for, in their order: names, with `*` for any letters. Throws
/// InputError if there is none for a pattern.
std::vector<std::string> match_channels(const Results& results,
                                        const std::vector<std::string>& patterns);

/// Something that happened, as a row of events.csv.
struct RunEvent {
  double t = 0;           ///< [s]
  std::string kind{};     ///< impact, rest, release, stick, slip, switch, stop
  std::string contact{};  ///< or the name of the model's event
  double gamma_n_before = 0, gamma_n_after = 0;  ///< [m/s], or as `unit` says
  double impulse_n = 0, impulse_t = 0;           ///< [N s]
  double energy_loss = 0;                        ///< [J]
  std::string unit{};                            ///< of the contact's gap: m or rad
};

/// All, or those of one kind, in the order of the file.
std::vector<RunEvent> list_events(const Results& results, std::string_view kind = "");

}  // namespace backlash
