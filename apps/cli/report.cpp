// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/report/report.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/results/atomic_file.h"
#include "commands.h"
#include "model_findings.h"
#include "report_template.h"
#include "trial_reading.h"

namespace backlash::cli {
namespace {

/// Beside the results.
std::filesystem::path default_page(const std::filesystem::path& run) {
  std::error_code ignored;
  if (std::filesystem::is_directory(run, ignored)) return run / "report.html";
  return run.has_parent_path() ? run.parent_path() / "report.html" : "report.html";
}

std::string megabytes(std::size_t bytes) {
  return bytes < 100000 ? fmt::format("{:.0f} kB", static_cast<double>(bytes) * 1e-3)
                        : fmt::format("{:.1f} MB", static_cast<double>(bytes) * 1e-6);
}

/// Of a run that did not come to its end.
std::string ending(const Results& results) {
  if (!results.partial()) return {};
  const char* what = results.status == "failed" ? "failed"
                     : results.status == "interrupted"
                         ? "was interrupted"
                         : "did not end by itself: it was killed, or goes on";
  return fmt::format("; the run {}; its results end at t = {:.6g} s", what, results.t_end());
}

}  // namespace

int run_report(const ReportArguments& a) {
  const std::string_view viewer = report_template();
  if (viewer.empty())
    throw InputError(
        "this build has no report: Node.js and npm were missing when it was built; install both "
        "(scripts/install-deps does), and build again");
  const Results results = read_run_after_trial(a.run);
  ReportOptions options;
  if (!a.shown.empty()) options.shown = match_channels(results, a.shown);
  add_findings(results, options);
  const std::string page = report_page(results, options, viewer);
  const std::filesystem::path file = a.page.empty() ? default_page(a.run) : a.page;
  PartFile out(file);
  out.append(page);
  out.publish();
  fmt::print("{}: {}, {} rows{}\n", file.string(), megabytes(page.size()), results.states.rows(),
             ending(results));
  return exit_done;
}

}  // namespace backlash::cli
