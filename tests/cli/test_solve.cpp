// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "backlash/base/version.h"
#include "backlash/io/fclib/fclib.h"
#include "backlash/solvers/solver_table.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace backlash::test_solve {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
using Json = nlohmann::json;

std::string data(const std::string& name) { return data_folder() + "/fclib/" + name + ".hdf5"; }

ProgramResult run(const std::vector<std::string>& arguments) {
  return run_program(program_file(), arguments);
}

/// `backlash solve --json` with these arguments, which must end with this exit code.
Json solve_json(std::vector<std::string> arguments, int exit_code = 0) {
  arguments.insert(arguments.begin(), {"solve", "--json"});
  const ProgramResult result = run(arguments);
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  return Json::parse(result.out);
}

Vector impulse_of(const Json& solver) {
  const auto values = solver.at("impulse").get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

const Json& named(const Json& result, const std::string& name) {
  for (const Json& solver : result.at("solvers"))
    if (solver.at("name") == name) return solver;
  throw std::runtime_error("no solver " + name);
}

/// One sentence on stderr, nothing on stdout, exit code 2.
void expect_wrong_input(const std::vector<std::string>& arguments, const std::string& complaint) {
  SCOPED_TRACE(testing::PrintToString(arguments));
  const ProgramResult result = run(arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(StartsWith("backlash: "), HasSubstr(complaint)));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(Program, SaysItsVersionAndHelps) {
  EXPECT_EQ(run({"--version"}).out, "backlash " + std::string(version()) + "\n");
  EXPECT_THAT(run({"--help"}).out, HasSubstr("solve"));
  const ProgramResult help = run({"solve", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const SolverEntry& solver : solver_table())
    EXPECT_THAT(help.out, HasSubstr(std::string(solver.name)));
  EXPECT_THAT(help.out, AllOf(HasSubstr("--tol"), HasSubstr("Exit codes")));
}

TEST(Program, RefusesUnknownCommandsAndOptions) {
  expect_wrong_input({}, "subcommand is required");
  expect_wrong_input({"slove"}, "there is no command 'slove'; did you mean 'solve'?");
  expect_wrong_input({"solve"}, "PROBLEM is required");
  expect_wrong_input({"solve", data("fclib-blocks-plane"), "--fast"}, "--fast");
}

/// How many lines begin with the name of a solver and say `word`.
std::size_t solver_lines(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    for (const SolverEntry& solver : solver_table())
      if (line.starts_with(std::string(solver.name) + " ") && line.find(word) != std::string::npos)
        ++count;
  return count;
}

TEST(Solve, PrintsOneRowForEachSolverInEachOfItsTwoTables) {
  const ProgramResult result = run({"solve", data("fclib-blocks-plane"), "--solver", "all"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, AllOf(HasSubstr("Four blocks"), HasSubstr("4 contacts in the plane"),
                                HasSubstr("residual [m/s]"), HasSubstr("shortest of the runs")));
  EXPECT_EQ(solver_lines(result.out, " solved "), solver_table().size());
  EXPECT_EQ(solver_lines(result.out, " rad, "), solver_table().size());
  EXPECT_EQ(solver_lines(result.out, " "), 2 * solver_table().size());
}

TEST(Solve, AllSolversAgreeInThePlane) {
  for (const char* name : {"fclib-blocks-plane", "siconos-slider-crank"}) {
    SCOPED_TRACE(name);
    const Json result = solve_json({data(name), "--solver", "all", "--tol", "1e-12"});
    const Vector reference = impulse_of(named(result, "enumeration"));
    ASSERT_EQ(result.at("solvers").size(), solver_table().size());
    for (const Json& solver : result.at("solvers")) {
      SCOPED_TRACE(solver.at("name").get<std::string>());
      EXPECT_EQ(solver.at("status"), "solved");
      EXPECT_LE(solver.at("relative_residual").get<double>(), 1e-12);
      EXPECT_GT(solver.at("time").get<double>(), 0);
      EXPECT_GE(solver.at("runs").get<int>(), 1);
      EXPECT_LT((impulse_of(solver) - reference).norm(), 1e-6 * reference.norm());
    }
  }
}

TEST(Solve, ReadsGlobalProblems) {
  const Json result = solve_json({data("fclib-global"), "--tol", "1e-12"});
  EXPECT_EQ(result.at("problem").at("title"), "One puck, as a global problem");
  EXPECT_LT((impulse_of(named(result, "auto")) - Vec3(2, -1, 0)).norm(), 1e-12);
}

TEST(Solve, FindsWhatSiconosFound) {
  for (const char* name :
       {"siconos-slider-crank", "siconos-slider-crank-triplets", "siconos-confeti"}) {
    SCOPED_TRACE(name);
    const Vector theirs = *read_fclib(data(name)).solution;
    const Json result = solve_json({data(name), "--tol", "1e-12"});
    EXPECT_LT(result.at("stored_solution").at("relative_residual").get<double>(), 1e-13);
    EXPECT_LT((impulse_of(result.at("solvers").at(0)) - theirs).norm(), 1e-9 * theirs.norm());
  }
}

TEST(Solve, RelativeResidualIsOverTheNormOfQAlone) {
  const Json result = solve_json({data("fclib-pucks-rows"), "--solver", "lemke"}, 1);
  const double q = result.at("problem").at("norm_of_q").get<double>();
  const ContactProblem problem = read_fclib(data("fclib-pucks-rows")).problem;
  EXPECT_DOUBLE_EQ(q, problem.free_velocity.head(6).norm());
  const Json& lemke = result.at("solvers").at(0);
  EXPECT_DOUBLE_EQ(lemke.at("relative_residual").get<double>(),
                   lemke.at("residual").get<double>() / q);
}

TEST(Solve, EqualityRowsAndSpaceFrictionAreSolvedInAllSparseForms) {
  Vector expected(8);
  expected << 2, -0.6, 0.8, 0, 0, 0, -6.8, -0.75;
  for (const char* form : {"triplets", "columns", "rows"}) {
    SCOPED_TRACE(form);
    const Json result = solve_json({data(std::string("fclib-pucks-") + form)});
    EXPECT_LT((impulse_of(result.at("solvers").at(0)) - expected).norm(), 1e-9);
  }
}

TEST(Solve, SaysWhichSolversFailedAndSucceedsIfOneDid) {
  const std::vector<std::string> arguments{"solve", data("siconos-confeti"), "--solver", "all"};
  const ProgramResult result = run(arguments);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("not solved by: lemke (approximated)"));
}

TEST(Solve, SaysByHowMuchEachLawIsBroken) {
  const Json result = solve_json({data("siconos-rover"), "--solver", "gauss-seidel"});
  const Json& most = result.at("solvers").at(0).at("violations");
  const double residual = result.at("solvers").at(0).at("residual").get<double>();
  for (const char* law : {"approach", "complementarity", "cone", "equality"})
    EXPECT_LE(most.at(law).get<double>(), 2 * residual) << law;
  EXPECT_LT(most.at("slip_angle").get<double>(), 1e-6);
  EXPECT_THAT(run({"solve", data("siconos-rover")}).out, HasSubstr("largest violations"));
}

TEST(Solve, WritesTheImpulsesOfAllSolversSolvedOrNot) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "impulses.csv").string();
  const ProgramResult result = run({"solve", data("siconos-rover"), "--solver", "gauss-seidel",
                                    "--max-iterations", "1", "-o", file});
  EXPECT_EQ(result.exit_code, 1);
  std::ifstream lines(file);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "solver,status,row,impulse [N s],velocity [m/s]");
  int rows = 0;
  for (; std::getline(lines, line); ++rows)
    EXPECT_THAT(line, StartsWith(fmt::format("gauss-seidel,iteration limit,{},", rows)));
  EXPECT_EQ(rows, 15);
  expect_wrong_input({"solve", data("siconos-rover"), "-o", file}, "exists already");
}

/// The guess is the first try.
TEST(Solve, EnumerationTriesNoMoreThanItMay) {
  const Json json =
      solve_json({data("siconos-rover"), "--solver", "enumeration", "--max-iterations", "1"}, 1);
  EXPECT_EQ(json.at("solvers").at(0).at("iterations").get<int>(), 1);
  EXPECT_EQ(json.at("solvers").at(0).at("status").get<std::string>(), "iteration limit");
}

TEST(Solve, AnUnsolvedProblemIsExitCode1AndWritesNothing) {
  const TemporaryFolder folder;
  const std::string target = folder / "solution.hdf5";
  const ProgramResult result = run({"solve", data("siconos-slider-crank"), "--solver",
                                    "gauss-seidel", "--max-iterations", "1", "--write", target});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "backlash: " + data("siconos-slider-crank") +
                            " was not solved: gauss-seidel (iteration limit)\n");
  EXPECT_FALSE(std::filesystem::exists(target));
  const Json json = solve_json({data("siconos-confeti"), "--solver", "lemke"}, 1);
  EXPECT_FALSE(json.at("solvers").at(0).at("solved").get<bool>());
  EXPECT_FALSE(json.at("solvers").at(0).contains("impulse"));
}

TEST(Solve, WritesTheSolutionIntoACopy) {
  const TemporaryFolder folder;
  const std::string target = folder / "solution.hdf5";
  EXPECT_EQ(run({"solve", data("fclib-blocks-plane"), "--write", target}).exit_code, 0);
  Vector expected(8);
  expected << 2, -0.6, 2, -0.2, 0, 0, 2, 0;
  EXPECT_LT((*read_fclib(target).solution - expected).norm(), 1e-12);
  expect_wrong_input({"solve", data("fclib-blocks-plane"), "--write", target},
                     "exists already, expected a new name");
}

TEST(Solve, StartsFromAStoredGuess) {
  const Json cold = solve_json({data("fclib-pucks-rows"), "--solver", "newton"});
  const Json warm = solve_json({data("fclib-pucks-rows"), "--solver", "newton", "--warm-start"});
  EXPECT_LT(warm.at("solvers").at(0).at("iterations").get<int>(),
            cold.at("solvers").at(0).at("iterations").get<int>());
  expect_wrong_input({"solve", data("fclib-blocks-plane"), "--warm-start"},
                     "/guesses is missing, but --warm-start needs a guess");
}

TEST(Solve, RefusesWrongNumbers) {
  for (const char* number : {"0", "-1", "nan", "inf", "1e999", "1e-400", "small", "1e-6x", " 1"})
    expect_wrong_input({"solve", data("fclib-blocks-plane"), "--tol", number},
                       "--tol is '" + std::string(number) + "', expected a positive finite number");
  for (const char* number : {"0", "-3", "1.5", "99999999999", "many"})
    expect_wrong_input(
        {"solve", data("fclib-blocks-plane"), "--max-iterations", number},
        "--max-iterations is '" + std::string(number) + "', expected a whole number");
  expect_wrong_input({"solve", data("fclib-blocks-plane"), "--facets", "2"}, "at least 3");
}

TEST(Solve, RefusesWrongFilesAndSolvers) {
  const TemporaryFolder folder;
  expect_wrong_input({"solve", folder / "none.hdf5"}, "none.hdf5: there is no such file");
  std::ofstream(folder / "text.hdf5") << "not HDF5";
  expect_wrong_input({"solve", folder / "text.hdf5"}, "text.hdf5: is not an HDF5 file");
  std::ifstream genuine(data("fclib-blocks-plane"), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(genuine), {});
  bytes.at(1841) = '\xff';  // in a header; HDF5 itself complains of it even when the program ends
  std::ofstream(folder / "damaged.hdf5", std::ios::binary) << bytes;
  expect_wrong_input({"solve", folder / "damaged.hdf5"}, "spacedim cannot be opened as a dataset");
  expect_wrong_input({"solve", data("fclib-blocks-plane"), "--solver", "lmke"},
                     "solver 'lmke' does not exist; there are: auto, enumeration, lemke");
}

}  // namespace
}  // namespace backlash::test_solve
