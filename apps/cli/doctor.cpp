// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/version.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/moreau/moreau_options.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/io/results/results_folder.h"
#include "backlash/results/event.h"
#include "build_info.h"
#include "commands.h"
#include "examples.h"

namespace backlash::cli {
namespace {

/// One thing that was tried.
struct Probe {
  std::string name;
  bool well = true;
  std::string figures;  ///< what came out, or what went wrong
};

/// A folder for a trial, removed in the end.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& parent)
      : path_(parent / fmt::format("backlash-doctor-{}", getpid())) {
    std::filesystem::create_directory(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// An error is an outcome like any other.
template <class Try>
Probe attempt(const std::string& name, Try what) {
  try {
    return {name, true, what()};
  } catch (const std::exception& error) {
    return {name, false, error.what()};
  }
}

/// The slider of the example first hits its guide when the reference solution of its equations
/// does, within one step.
std::string first_hit() {
  constexpr double expected = 2.69250275202121e-3;  // [s]
  const Model model = parse_model(example_model("slider_crank"), "slider_crank/model.yaml");
  const Assembly assembly = assemble(model);
  Moreau integrator(*assembly.system, moreau_options(model.simulation.options));
  State state = assembly.start;
  ContactDirectory directory(*assembly.system);
  EventFinder finder;
  std::vector<Event> events;
  simulate(integrator, state, 2 * expected, [&](const State& now, const StepResult& result) {
    finder.append(*assembly.system, result, now, directory, events);
    return events.empty();
  });
  if (events.empty()) throw std::runtime_error("it does not hit");
  const double t = events.front().t;
  const std::string figures =
      fmt::format("at {:.6f} ms, expected {:.6f} ms", 1e3 * t, 1e3 * expected);
  if (std::abs(t - expected) > integrator.equal_step()) throw std::runtime_error(figures);
  return figures;
}

/// Numbers written to both formats come back to the same bits.
std::string written_and_read() {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  SystemInfo info{.name = "doctor", .positions = 1, .velocities = 1};
  Recording recording;
  recording.states = {0, 1.0 / 3, std::sqrt(2)};
  const std::vector<double> expected = recording.states;
  ResultsFolder results(folder.path(), info, {}, {});
  results.write(recording);
  results.finish({});
  const Results read = read_results(folder.path() / "results.h5");
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (read.states.values(0, static_cast<Eigen::Index>(i)) != expected[i])
      throw std::runtime_error("results.h5 does not hold what was written to it");
  return "states.csv and results.h5 in " + std::filesystem::temp_directory_path().string();
}

std::string current_folder() {
  const std::filesystem::path here = std::filesystem::current_path();
  const ScratchFolder folder(here);
  return here.string();
}

/// Names and figures about where the program runs; nothing of this can be wrong.
std::vector<std::pair<std::string, std::string>> surroundings() {
  const auto text_of = [](const char* variable) {
    const char* value = std::getenv(variable);
    return std::string(value ? value : "");
  };
  std::string language;
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (language.empty()) language = text_of(variable);
  const bool utf8 =
      language.find("UTF-8") != std::string::npos || language.find("utf8") != std::string::npos;
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  const std::string kind = text_of("TERM");
  return {
      {"terminal", terminal ? (kind.empty() ? "yes" : kind) : "no, output goes to a file or pipe"},
      {"characters", utf8 ? language
                          : fmt::format("{}: not UTF-8, so µ, … and ² may look odd",
                                        language.empty() ? "no language set" : language)},
      {"threads", std::to_string(std::thread::hardware_concurrency())}};
}

void print_table(const std::vector<Probe>& trials) {
  const auto row = [](std::string_view name, std::string_view value) {
    fmt::print("  {:<24}{}\n", name, value);
  };
  fmt::print("backlash {}\n", version());
  for (const BuildInfo& entry : build_info()) row(entry.name, entry.value);
  for (const BuildInfo& entry : library_versions()) row(entry.name, entry.value);
  for (const BuildInfo& entry : optional_libraries()) row(entry.name, entry.value);
  for (const auto& [name, value] : surroundings()) row(name, value);
  for (const Probe& trial : trials)
    row(trial.name, fmt::format("{}: {}", trial.well ? "ok" : "WRONG", trial.figures));
}

void print_json(const std::vector<Probe>& trials) {
  using Json = nlohmann::ordered_json;
  Json json{{"version", version()}};
  for (const BuildInfo& entry : build_info()) json["build"][std::string(entry.name)] = entry.value;
  for (const BuildInfo& entry : library_versions())
    json["libraries"][std::string(entry.name)] = entry.value;
  for (const BuildInfo& entry : optional_libraries())
    json["optional_libraries"][std::string(entry.name)] = entry.value == "yes";
  for (const auto& [name, value] : surroundings()) json["surroundings"][name] = value;
  for (const Probe& trial : trials)
    json["trials"].push_back(
        {{"name", trial.name}, {"well", trial.well}, {"figures", trial.figures}});
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

int run_doctor(const DoctorArguments& arguments) {
  const std::vector<Probe> trials{attempt("current folder writable", current_folder),
                                  attempt("results", written_and_read),
                                  attempt("first hit of slider", first_hit)};
  if (arguments.json)
    print_json(trials);
  else
    print_table(trials);
  bool well = true;
  for (const Probe& trial : trials) well = well && trial.well;
  return well ? exit_done : exit_failed;
}

}  // namespace backlash::cli
