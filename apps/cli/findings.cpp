// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "findings.h"

#include <fmt/format.h>

#include "colour.h"

namespace backlash::cli {

namespace {

std::string joined(const Finding& f, std::string_view severity) {
  std::string text;
  const std::string place = to_string({f.where.file, f.where.line, f.where.column});
  for (const std::string_view part : {std::string_view(place), severity, std::string_view(f.item)})
    if (!part.empty()) text += fmt::format("{}: ", part);
  return text + f.message;
}

}  // namespace

std::string one_line(const Finding& finding, std::FILE* stream) {
  const std::string severity(name(finding.severity));
  if (finding.severity == Severity::note) return joined(finding, severity);
  return joined(
      finding,
      coloured(severity, finding.severity == Severity::error ? Colour::error : Colour::warning,
               stream));
}

std::string without_severity(const Finding& finding) { return joined(finding, ""); }

}  // namespace backlash::cli
