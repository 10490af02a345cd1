// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/base/version.h"
#include "backlash/io/fclib/fclib.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/rolling.h"
#include "backlash/solvers/solver_table.h"
#include "backlash/solvers/violations.h"
#include "commands.h"
#include "messages.h"
#include "trial_reading.h"

namespace backlash::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// The problem with what the user wants of it.
struct Task {
  const SolveArguments& arguments;
  FclibProblem file;
  double scale = 0;  ///< ‖q‖ [m/s]
};

/// What a solver did.
struct SolverTrial {
  std::string_view solver;
  ContactSolution solution;
  double relative_residual = 0;  ///< over ‖q‖
  double time = 0;               ///< of the shortest run [s]
  int runs = 0;

  bool solved() const { return solution.status == SolverStatus::solved; }
};

std::vector<const SolverEntry*> chosen_solvers(const std::string& name) {
  std::vector<const SolverEntry*> solvers;
  try {
    if (name != "all") return {&find_solver(name)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("--solver: {}, all", error.what()));
  }
  for (const SolverEntry& entry : solver_table()) solvers.push_back(&entry);
  return solvers;
}

double over_scale(double residual, double scale) { return residual == 0 ? 0 : residual / scale; }

/// Solvers judge by residual/velocity_scale(); the user's tolerance is on residual/‖q‖. A hair is
/// taken off where the two differ, lest rounding leave a "solved" just above the tolerance.
SolverOptions solver_options(const Task& task) {
  SolverOptions options;
  options.tolerance = task.arguments.tolerance;
  const double theirs = velocity_scale(task.file.problem);
  if (theirs != task.scale)
    options.tolerance *= task.scale / theirs * (1 - 4 * std::numeric_limits<double>::epsilon());
  options.max_iterations = task.arguments.max_iterations;
  options.facets = task.arguments.facets;
  return options;
}

/// Solve once; and again while that takes no time worth speaking of, to find the shortest.
SolverTrial try_solver(const SolverEntry& solver, const Task& task) {
  constexpr double enough = 0.02;  // [s]
  constexpr int most_runs = 1000;
  const SolverOptions options = solver_options(task);
  ContactProblem problem = task.file.problem;
  SolverTrial trial;
  trial.solver = solver.name;
  trial.time = std::numeric_limits<double>::infinity();
  Arena scratch;
  const auto start = Clock::now();
  do {
    trial.solution = {};
    if (task.arguments.warm_start) trial.solution.impulse = task.file.guesses.front();
    const auto before = Clock::now();
    solve_rolling(solver, task.file.rolling, options, scratch, problem, trial.solution);
    trial.time = std::min(trial.time, std::chrono::duration<double>(Clock::now() - before).count());
    ++trial.runs;
  } while (trial.runs < most_runs &&
           std::chrono::duration<double>(Clock::now() - start).count() < enough);
  trial.relative_residual = over_scale(trial.solution.residual, task.scale);
  return trial;
}

/// One that would need more memory than a computer has, or needs more than there is, has met a
/// problem too large for it.
SolverTrial try_solver_in_memory(const SolverEntry& solver, const Task& task) {
  try {
    if (is_within_reach(solver, task.file.problem)) return try_solver(solver, task);
  } catch (const std::bad_alloc&) {
  }
  SolverTrial trial;
  trial.solver = solver.name;
  trial.solution.status = SolverStatus::too_large;
  trial.solution.residual = trial.relative_residual = std::numeric_limits<double>::infinity();
  return trial;
}

/// Whether there is an impulse, solved or not.
bool has_candidate(const SolverTrial& trial) { return std::isfinite(trial.solution.residual); }

// What is printed

struct Counts {
  int contacts = 0, equality_rows = 0, dimension = 0;
};

/// The problem with the limits of rolling resistance that an impulse makes.
ContactProblem problem_at(const Task& task, const VectorView& impulse) {
  ContactProblem problem = task.file.problem;
  set_rolling_limits(task.file.rolling, impulse, problem);
  return problem;
}

Counts count(const ContactProblem& problem) {
  Counts counts;
  for (const LawBlock& block : problem.blocks) {
    if (const auto* law = std::get_if<Coulomb>(&block.law)) {
      ++counts.contacts;
      counts.dimension = law->tangents + 1;
    } else if (std::holds_alternative<Bilateral>(block.law)) {
      counts.equality_rows += rows(block.law);
    }
  }
  return counts;
}

std::optional<Residual> stored_residual(const Task& task) {
  if (!task.file.solution) return std::nullopt;
  const Vector& impulse = *task.file.solution;
  Residual result = residual(problem_at(task, impulse), impulse);
  result.relative = over_scale(result.absolute, task.scale);
  return result;
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.2f} ms", 1e3 * seconds);
  return fmt::format("{:.2f} s", seconds);
}

/// "lemke (approximated), enumeration (too large)".
std::string list_failures(const std::vector<SolverTrial>& trials) {
  std::string list;
  for (const SolverTrial& trial : trials)
    if (!trial.solved())
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", trial.solver,
                          name(trial.solution.status));
  return list;
}

void print_head(const Task& task) {
  const Counts counts = count(task.file.problem);
  const auto& title = task.file.info.title;
  fmt::print("{}{}{}\n", task.arguments.problem.string(), title.empty() ? "" : ": ", title);
  fmt::print("{} contact{} in {}{}, {} equality row{}; norm of q {:.6g} m/s; tolerance {:g}\n",
             counts.contacts, counts.contacts == 1 ? "" : "s",
             counts.dimension == 2 ? "the plane" : "space",
             task.file.rolling.empty() ? "" : " with rolling friction", counts.equality_rows,
             counts.equality_rows == 1 ? "" : "s", task.scale, task.arguments.tolerance);
  if (task.arguments.warm_start) fmt::print("started from the first guess of the file\n");
}

std::string residual_text(double residual) {
  return std::isfinite(residual) ? fmt::format("{:.3e}", residual) : "-";
}

/// By how much each law is broken at most.
void print_violations(const Task& task, const std::vector<SolverTrial>& trials) {
  fmt::print("\n{:<21} {:>12} {:>15} {:>12} {:>12}  {}\n", "largest violations", "approach",
             "complementarity", "cone", "equality", "direction of slip, at speed");
  for (const SolverTrial& trial : trials) {
    if (!has_candidate(trial)) continue;
    const VectorView impulse = trial.solution.impulse;
    const LawViolations most = violations(problem_at(task, impulse), impulse);
    fmt::print("{:<21} {:>12.3e} {:>15.3e} {:>12.3e} {:>12.3e}  {:.1e} rad, {:.1e} m/s\n",
               trial.solver, most.approach, most.complementarity, most.cone, most.equality,
               most.slip_angle, most.slip_speed);
  }
  fmt::print("in m/s; impulses as the velocity that they make of their own row\n");
}

void print_table(const Task& task, const std::vector<SolverTrial>& trials) {
  print_head(task);
  fmt::print("\n{:<21} {:<17} {:>10}  {:>14}  {:>10}  {:>10}  {:>5}\n", "solver", "status",
             "iterations", "residual [m/s]", "relative", "time", "runs");
  for (const SolverTrial& trial : trials)
    fmt::print("{:<21} {:<17} {:>10}  {:>14}  {:>10}  {:>10}  {:>5}\n", trial.solver,
               name(trial.solution.status), trial.solution.iterations,
               residual_text(trial.solution.residual), residual_text(trial.relative_residual),
               time_text(trial.time), trial.runs);
  fmt::print("\nrelative: over the norm of q; time: the shortest of the runs\n");
  print_violations(task, trials);
  if (const std::optional<Residual> stored = stored_residual(task))
    fmt::print("the solution stored in the file has residual {:.3e} m/s, relative {:.3e}\n",
               stored->absolute, stored->relative);
  const std::string failures = list_failures(trials);
  if (trials.size() > 1 && !failures.empty()) fmt::print("not solved by: {}\n", failures);
}

nlohmann::ordered_json json_of(const LawViolations& most) {
  return {{"approach", most.approach},
          {"complementarity", most.complementarity},
          {"cone", most.cone},
          {"equality", most.equality},
          {"slip_angle", most.slip_angle},
          {"slip_speed", most.slip_speed}};
}

nlohmann::ordered_json json_of(const Task& task, const SolverTrial& trial) {
  nlohmann::ordered_json json{{"name", trial.solver},
                              {"status", name(trial.solution.status)},
                              {"solved", trial.solved()},
                              {"iterations", trial.solution.iterations},
                              {"residual", trial.solution.residual},
                              {"relative_residual", trial.relative_residual},
                              {"time", trial.time},
                              {"runs", trial.runs},
                              {"method", trial.solution.method}};
  if (has_candidate(trial)) {
    const VectorView impulse = trial.solution.impulse;
    json["violations"] = json_of(violations(problem_at(task, impulse), impulse));
  }
  if (trial.solved())
    json["impulse"] =
        std::vector<double>(trial.solution.impulse.begin(), trial.solution.impulse.end());
  return json;
}

void print_json(const Task& task, const std::vector<SolverTrial>& trials) {
  const Counts counts = count(task.file.problem);
  nlohmann::ordered_json json{{"backlash", version()}};
  json["problem"] = {{"file", task.arguments.problem.string()}, {"title", task.file.info.title},
                     {"dimension", counts.dimension},           {"contacts", counts.contacts},
                     {"equality_rows", counts.equality_rows},   {"norm_of_q", task.scale}};
  json["options"] = {{"tolerance", task.arguments.tolerance},
                     {"max_iterations", task.arguments.max_iterations},
                     {"facets", task.arguments.facets},
                     {"warm_start", task.arguments.warm_start}};
  if (const std::optional<Residual> stored = stored_residual(task))
    json["stored_solution"] = {{"residual", stored->absolute},
                               {"relative_residual", stored->relative}};
  json["solvers"] = nlohmann::ordered_json::array();
  for (const SolverTrial& trial : trials) json["solvers"].push_back(json_of(task, trial));
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;  // titles in odd encodings
  fmt::print("{}\n", json.dump(2, ' ', false, replace));
}

/// The impulses of all solvers that have some, solved or not: one line for each row.
void write_impulses(const Task& task, const std::vector<SolverTrial>& trials) {
  const std::filesystem::path& path = task.arguments.output;
  std::ofstream file(path);
  file << "solver,status,row,impulse [N s],velocity [m/s]\n";
  for (const SolverTrial& trial : trials) {
    if (!has_candidate(trial)) continue;
    const auto& impulse = trial.solution.impulse;
    Vector xi(impulse.size());
    Arena scratch;
    apply(task.file.problem.delassus, impulse, scratch, xi);
    xi += task.file.problem.free_velocity;
    for (Eigen::Index i = 0; i < xi.size(); ++i)
      file << fmt::format("{},{},{},{},{}\n", trial.solver, name(trial.solution.status), i,
                          impulse[i], xi[i]);
  }
  file.close();
  if (!file) throw IoError(fmt::format("{} cannot be written", path.string()));
}

void require_new(std::string_view option, const std::filesystem::path& file) {
  if (std::filesystem::exists(file))
    throw InputError(
        fmt::format("{}: {} exists already, expected a new name", option, file.string()));
}

Task prepare(const SolveArguments& arguments) {
  if (!arguments.write.empty()) require_new("--write", arguments.write);
  if (!arguments.output.empty()) require_new("-o", arguments.output);
  Task task{.arguments = arguments, .file = read_fclib_after_trial(arguments.problem), .scale = 0};
  task.scale = fclib_velocity_scale(task.file.problem);
  if (arguments.warm_start && task.file.guesses.empty())
    throw InputError(fmt::format("{}: /guesses is missing, but --warm-start needs a guess",
                                 arguments.problem.string()));
  return task;
}

}  // namespace

int run_solve(const SolveArguments& arguments) {
  const std::vector<const SolverEntry*> solvers = chosen_solvers(arguments.solver);
  const Task task = prepare(arguments);
  std::vector<SolverTrial> trials;
  for (const SolverEntry* solver : solvers) trials.push_back(try_solver_in_memory(*solver, task));
  arguments.json ? print_json(task, trials) : print_table(task, trials);
  if (!arguments.output.empty()) write_impulses(task, trials);

  const auto best = std::find_if(trials.begin(), trials.end(),
                                 [](const SolverTrial& trial) { return trial.solved(); });
  if (best == trials.end()) {
    print_message(
        fmt::format("{} was not solved: {}", arguments.problem.string(), list_failures(trials)));
    return exit_failed;
  }
  if (!arguments.write.empty())
    write_fclib_solution(arguments.problem, best->solution.impulse, arguments.write);
  return exit_done;
}

}  // namespace backlash::cli
