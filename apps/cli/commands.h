// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The subcommands of the program: what the user asked for, and one function each that does it and
/// returns the exit code. Wrong input is an InputError and trouble with files an IoError, which
/// main() turns into exit code 2.
namespace backlash::cli {

enum ExitCode : int {
  exit_done = 0,
  exit_failed = 1,       ///< the input is fine, but the problem was not solved
  exit_wrong_input = 2,  ///< nothing was computed
};

/// `backlash solve`: one stored contact problem with one or all solvers.
struct SolveArguments {
  std::filesystem::path problem;
  std::string solver = "auto";  ///< a name of the solver table, or "all"
  double tolerance = 1e-10;     ///< on the residual over ‖q‖
  int max_iterations = 10000;
  int facets = 8;                ///< of the polyhedral friction cone
  bool warm_start = false;       ///< begin with the first guess that the file holds
  bool json = false;             ///< print JSON instead of a table
  std::filesystem::path write;   ///< where to put the problem with its solution; empty: nowhere
  std::filesystem::path output;  ///< where to put all impulses, as CSV; empty: nowhere
};
int run_solve(const SolveArguments& arguments);

/// Where the outcome of a run goes.
struct OutputArguments {
  std::filesystem::path folder;  ///< for the results; empty: none are written
  std::string formats = "csv,hdf5";
  bool force = false;  ///< replace results that are there
  bool steps = false;  ///< write every step too
  bool quiet = false, verbose = false, json = false;
  std::string command{};  ///< the call, as it can be typed again
};

/// A model file, as commands are given it.
struct ModelArguments {
  std::filesystem::path file;
  std::vector<std::string> set;                     ///< "name=value"
  std::vector<std::string> laws;                    ///< "name=law"
  std::vector<std::filesystem::path> include_from;  ///< folders, besides the model's own
};

/// How the motion is computed and recorded, as texts. What is not said here the model decides.
struct SimulationArguments {
  std::optional<std::string> method;
  std::vector<std::pair<std::string, std::string>> options;  ///< of the method: key and value
  std::optional<std::string> until, every, energy_error, coordinates, initial_penetration;
};

/// `backlash run`: a model from a file.
struct RunArguments {
  ModelArguments model;
  SimulationArguments simulation;
  OutputArguments output;
  std::filesystem::path resume;  ///< folder of a run that goes on; empty: a new one
};
int run_run(const RunArguments& arguments);

/// `backlash check`: what is wrong or suspicious about a model.
struct CheckArguments {
  ModelArguments model;
  SimulationArguments simulation;
  std::filesystem::path drawing;          ///< where to put a picture, *.svg; empty: nowhere
  std::optional<std::string> exaggerate;  ///< how many times as large play is drawn
  bool json = false;
};
int run_check(const CheckArguments& arguments);

/// `backlash equilibrium`: where a model rests, and what its contacts carry there.
struct EquilibriumArguments {
  ModelArguments model;
  bool json = false;
};
int run_equilibrium(const EquilibriumArguments& arguments);

/// `backlash cam`: what a cam does to its follower in one turn.
struct CamArguments {
  ModelArguments model;
  std::string contact;                        ///< its name; empty: the only one
  std::optional<std::string> speed;           ///< of the cam
  std::optional<std::string> width, modulus;  ///< of the line of contact
  std::string points = "720";                 ///< of the turn
  std::filesystem::path output;               ///< where to put them as CSV; empty: nowhere
  std::filesystem::path drawing;              ///< where to put charts; empty: nowhere
  bool json = false;
};
int run_cam(const CamArguments& arguments);

/// `backlash report`: a page that shows a run.
struct ReportArguments {
  std::filesystem::path run;       ///< a folder of results, or a file of one
  std::filesystem::path page;      ///< where to; empty: report.html beside the results
  std::vector<std::string> shown;  ///< channels to begin with, or patterns of them
};
int run_report(const ReportArguments& arguments);

/// `backlash info`: what a result holds.
struct InfoArguments {
  std::filesystem::path run;  ///< a folder of results, or a file of one
  bool json = false;
};
int run_info(const InfoArguments& arguments);

/// `backlash demo`: a built-in mechanism whose equations were derived by hand.
struct DemoArguments {
  std::string name;
  SimulationArguments simulation;
  OutputArguments output;
};
int run_demo(const DemoArguments& arguments);

/// The demos there are, a line each; and their names.
std::string list_demos();
std::vector<std::string> demo_names();

/// `backlash examples`: lists the examples, or copies one.
struct ExamplesArguments {
  std::string name;              ///< empty: list all
  std::filesystem::path folder;  ///< where to; empty: NAME in the current folder
  bool force = false;            ///< replace files that are there
};
int run_examples(const ExamplesArguments& arguments);

/// `backlash new`: lists the templates, or writes one.
struct NewArguments {
  std::string name;                           ///< of the template; empty: list all
  std::filesystem::path file = "model.yaml";  ///< where to; "-": standard output
  bool force = false;                         ///< replace a file that is there
};
int run_new(const NewArguments& arguments);

/// `backlash plot`: channels of a result as a picture.
struct PlotArguments {
  std::filesystem::path result;
  std::vector<std::string> channels;  ///< patterns; none: list them
  std::optional<std::string> against;
  std::filesystem::path output;  ///< *.svg, *.png, -; empty: by the first channel
  std::optional<std::string> from, to, title, size;
  std::optional<std::string> snapshots;   ///< times with commas between them
  std::string log;                        ///< x, y or xy
  std::optional<std::string> exaggerate;  ///< how many times as large play is drawn in them
  bool impacts = false, equal = false;
};
int run_plot(const PlotArguments& arguments);

/// `backlash compare`: several runs, or several ways to run a model, side by side.
struct CompareArguments {
  std::vector<std::string> inputs;    ///< results, or one model
  ModelArguments model;               ///< its parameters and laws
  SimulationArguments simulation;     ///< of all runs
  std::string methods, solvers;       ///< names with commas between them
  std::vector<std::string> variants;  ///< "key=value,key=value"
  std::vector<std::string> channels;  ///< patterns
  std::optional<std::string> tolerance, impact_time;
  std::filesystem::path output;  ///< *.html, *.json; empty: none
  bool json = false;
};
int run_compare(CompareArguments arguments);

/// `backlash converge`: a model with finer and finer steps.
struct ConvergeArguments {
  ModelArguments model;
  SimulationArguments simulation;
  std::vector<std::string> channels;  ///< patterns
  std::optional<std::string> tolerance, levels, impacts;
  std::filesystem::path output;  ///< *.svg, *.png; empty: none
  bool json = false;
};
int run_converge(const ConvergeArguments& arguments);

/// `backlash doctor`: what the program is, and whether it works here.
struct DoctorArguments {
  bool json = false;
};
int run_doctor(const DoctorArguments& arguments);

}  // namespace backlash::cli
