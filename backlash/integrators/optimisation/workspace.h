// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/loop_mobility.h"
#include "backlash/integrators/optimisation/active_set.h"
#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/optimisation/program.h"
#include "backlash/integrators/passing.h"
#include "backlash/integrators/switched_rows.h"
#include "backlash/integrators/switching.h"
#include "backlash/solvers/solver_table.h"

/// What the parts of a step share. No entry carries anything over to the next step.
namespace backlash {

/// What the method remembers in State::z behind what all remember.
struct OptimisationMemory {
  Eigen::Index first = 0, bilaterals = 0;

  /// Of steps of equal length: the time from which they are counted [s], and how many there were.
  template <class Z>
  auto& step_origin(Z& z) const {
    return z[first];
  }
  template <class Z>
  auto& step_count(Z& z) const {
    return z[first + 1];
  }
  template <class Z>
  auto& t_left(Z& z) const {  ///< where the last step ended [s]
    return z[first + 2];
  }
  template <class Z>
  auto& rank(Z& z) const {  ///< of the bilateral rows, the largest since `rows_off` changed
    return z[first + 3];
  }
  template <class Z>
  auto& rows_off(Z& z) const {  ///< bilateral rows that are switched off
    return z[first + 4];
  }
  template <class Z>
  auto mobility(Z& z) const {  ///< the largest of each bilateral row [1/kg]
    return z.segment(first + 5, bilaterals);
  }
  Eigen::Index size() const { return 5 + bilaterals; }
};

struct Optimisation::Workspace {
  Workspace(const System& system, const OptimisationOptions& options);

  const System& system;
  OptimisationOptions options;
  Memory memory;
  OptimisationMemory own;

  StepEquations equations;
  StepProgram program{equations};
  ActiveSetNewton newton;
  std::unique_ptr<ProgramSolver> optimiser;

  Configuration start;  ///< at q_A
  PassingScratch passing;
  Vector switches;        ///< what is on in the step
  StepPoint free, point;  ///< without contacts; as the step ends
  StepPoint reference;    ///< around which the program is: free, or with contacts that are held
  std::vector<ContactKey> passed;
  ActiveSet none, active;
  std::vector<ContactFrame> frames;  ///< near the end of the free motion, or at the end
  std::vector<double> free_gaps;     ///< of the candidates, at the end of the free motion
  Vector x;                          ///< of the program
  Vector expected;                   ///< impulses of the rows as in the last step [N s]
  std::string_view status;           ///< of the optimiser

  Vector u_end;                      ///< after impacts
  Vector impulses;                   ///< of the rows, with those of impacts [N s]
  Vector gamma_before, gamma_after;  ///< γ of the rows
  Vector gaps_before;                ///< of the closed contacts, as the step begins; NaN: none
  Vector approach;                   ///< γ_N of the contacts as the step begins (theory 12.19)
  bool bounces = false;              ///< velocities at the end are those of the law of impacts
  ContactProblem impact;
  ContactSolution impact_solution;
  Matrix W;
  Arena scratch;
  MobilityScratch mobility;
  SwitchedRows switched_rows;
  std::vector<ContactRecord> records;
  Vector switching, event_conditions;
  StepMeasures measures;
  StartOfRun start_of_run;
  EventSearch event_search;
  StepResult result;
};

/// The step from a state over h, with the state as it is; of a free step the length is chosen.
/// False if it was not found; then the status says why.
bool solve_step(Optimisation::Workspace& work, const State& state, double t_end,
                const FreeLength& length);

/// Newton's law of impact for contacts that close in this step (theory 12.10); into u_end and
/// impulses. False if it has no solution.
bool apply_impact_law(Optimisation::Workspace& work, const State& state);

/// Outcomes of the contacts, memory for the next step, and the energy ledger.
void commit_step(Optimisation::Workspace& work, double t_end, State& state);

/// Whether a candidate closes in this step while its bodies approach.
bool closes_now(const Optimisation::Workspace& work, const State& state, Eigen::Index candidate);

}  // namespace backlash
