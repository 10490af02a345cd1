// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "backlash/base/arena.h"
#include "backlash/base/buffer.h"
#include "backlash/base/linear.h"
#include "backlash/integrators/event_search.h"
#include "backlash/integrators/friction_loads.h"
#include "backlash/integrators/moreau/contact_memory.h"
#include "backlash/integrators/moreau/friction.h"
#include "backlash/integrators/moreau/moreau_memory.h"
#include "backlash/integrators/moreau/passing_guard.h"
#include "backlash/integrators/moreau/row_set.h"
#include "backlash/integrators/state_rule.h"
#include "backlash/integrators/switched_rows.h"
#include "backlash/integrators/switching.h"
#include "backlash/solvers/contact_problem.h"

/// What the parts of a Moreau step share. A step fills it from top to bottom; no entry carries
/// anything over to the next step.
namespace backlash {

/// Smaller gaps are the round-off of the positions that they are made of: × model length, or an
/// angle.
inline constexpr double gap_round_off = 4e-15;

/// Depths below this are not felt: × model length.
inline constexpr double unfelt_depth = 2e-7;

/// A contact among the rows of a step.
struct ActiveContact {
  const ContactInfo* info = nullptr;
  const ContactRecord* record = nullptr;  ///< of the step before; null: it did not push
  Eigen::Index first = 0;                 ///< its first row
  bool impact = false;                    ///< its bodies meet, and restitution applies
  bool struck = false;                    ///< though it lasted: its normal has jumped
  bool early = false;                     ///< open at the middle, meets later in the step
  bool further = false;                   ///< only for what others did to its bodies in the step
  bool foreseen = false;                  ///< in a step that foresees: one of its bodies is free
  bool off = false;      ///< its surface, where it stays: it is to be projected onto it
  bool reached = false;  ///< by an impact, its own or another
  FrictionMode friction_mode = FrictionMode::unknown;
  bool jammed = false;  ///< contradicts others, now or since it began to last
  double ahead = 0;     ///< g* of (4.12) but for round-off [m, rad]
  double rise = 0;      ///< −γ_N at the end that closes its gap (theory 4.12) [m/s, rad/s]
  double pressing_acceleration = 0;  ///< of its row, by the forces of the step [m/s², rad/s²]
  double by_forces = 0;   ///< the most that forces change γ_N by in the step [m/s, rad/s]
  double loss = 0;        ///< what its landing took, less what the projection gives back [J]
  double given_back = 0;  ///< of it [J]

  double friction() const {
    return friction_mode == FrictionMode::sticks ? holding_friction(info->law) : info->law.friction;
  }
  /// Whether it pushed all through the step before, and goes on.
  bool lasts() const { return record && !struck && backlash::lasts(record->state); }
};

/// Bodies between which a contact closes: the pair of its key, and their mass blocks.
using MeetingBodies = std::array<int, 3>;

/// How contacts are moved to their surfaces.
enum class ProjectionCare : char {
  none,
  no_pull,  ///< those that are open stay so
  by_turns  ///< each by itself, in some rounds
};

/// Whether the rows of a loop depend on each other.
enum class LoopState : char {
  regular,
  rank_deficient,  ///< some do, perhaps everywhere
  near_singular    ///< some nearly do, here
};

/// Whether memory and impulses of a state are finite, for every step: a sum is finite if its terms
/// are, which are far from overflow (largest_speed). Some are added twice.
inline bool has_finite_memory(const State& state) {
  using Eight = Eigen::Array<double, 8, 1>;
  const Eigen::Index rest = state.z.size() - 8;  // of a memory that has MoreauMemory
  const double* const z = state.z.data();
  Eight sums = Eight::Map(z + rest);
  for (Eigen::Index i = 0; i < rest; i += 8) sums += Eight::Map(z + i);
  double sum = sums.sum();
  for (const ContactRecord& record : state.contacts)
    for (const double x : record.impulse) sum += x;
  return std::isfinite(sum);
}

struct Moreau::Workspace {
  Workspace(const System& system, const MoreauOptions& options);
  void prepare_friction(), prepare_islands();

  const System& system;
  MoreauOptions options;
  Memory memory;
  MoreauMemory own_memory;
  const SolverEntry& solver;
  double t_end = 0;                ///< of the step [s]
  bool may_be_shorter = false;     ///< a part of it will do
  bool may_be_parted = false;      ///< where an event happens in it
  bool guarded = false;            ///< and will have to, if bodies would pass through each other
  double shorter_step = INFINITY;  ///< how long it may be, if it was given up for that [s]
  Eigen::Index bilaterals = 0, relays = 0;
  bool has_phases = false;      ///< some contacts have laws of compression and expansion
  bool separable = false;       ///< there may be several islands
  bool projects_drift = false;  ///< in every step, not only where contacts are off
  bool lasting = false;         ///< contacts enter by their velocity at the end of the step
  /// Bodies meet in the step in which they would begin to overlap (theory 4.35): of this model, and
  /// in the step that is tried.
  bool may_foresee = false, foresees = false;
  std::vector<char> free_blocks;  ///< mass blocks of bodies without joints
  bool has_events = false;        ///< or switches
  bool has_drives = false;
  bool has_ranges = false;  ///< clutches that slip, or preloads
  /// Some friction holds by more than it rubs; that, or it grows with the load of a joint.
  bool has_static_friction = false, has_varying_friction = false;

  // The state that the last step left: of one that goes on from there only the numbers are looked
  // at, in which somebody may have written; of positions and velocities those of the middle.
  double t_left = NAN;             ///< [s]
  const double* z_left = nullptr;  ///< where its memory lies
  bool was_left(const State& state) const {
    return state.t == t_left && state.z.data() == z_left && state.q.size() == q_end.size() &&
           state.u.size() == u_end.size() && state.z.size() == memory.size() + own_memory.size() &&
           has_finite_memory(state);
  }

  Configuration middle;              ///< at q_M, t_M
  Matrix M;                          ///< factors of M(q_M)
  Vector u_middle;                   ///< predicted velocity there
  Vector acceleration;               ///< M⁻¹h there
  Vector u_free;                     ///< end velocity without the impulses of this step
  std::vector<ContactFrame> frames;  ///< of the contacts that are closed there

  std::vector<MeetingBodies> meeting;  ///< that would overlap at the end of the step
  std::vector<ContactKey> known;       ///< contacts before further ones came; empty: none did

  std::vector<ActiveContact> active;          ///< parallel to `frames`
  std::vector<ContactVelocity> contact_bias;  ///< of their rows, at q_M and u_M [m/s²]

  // How rows fall apart into islands.
  std::vector<MassBlock> blocks;     ///< those of the System, or one of all velocities
  std::vector<RowGroup> standing;    ///< bilateral rows and relays
  RowGroup whole;                    ///< a contact's, where rows act on all velocities
  std::vector<int> standing_parent;  ///< of each mass block, as they connect them
  std::vector<int> parent;           ///< the same with the contacts of a set
  std::vector<int> island_of;        ///< of each mass block
  std::vector<RowGroup> unsorted;    ///< groups before they are put into their islands
  std::vector<Eigen::Index> place;   ///< of each mass block among the velocities of an island
  std::vector<int> island_blocks;
  MatrixBuffer full_rows;  ///< one group's rows over all velocities; zero in between

  RowSet set;                                   ///< of the step
  VectorBuffer mobility;                        ///< diagonal of G
  VectorBuffer restitution;                     ///< ε of each row in ξ = γ_E + ε γ_A
  VectorBuffer relay_strength, relay_constant;  ///< and what of it no load makes [N, N m]
  std::vector<FrictionMode> relay_modes;
  FrictionLoads loads;
  VectorBuffer relay_displacement;  ///< of preloads, at q_M [m, rad]
  VectorBuffer relay_limit;         ///< what the solver may choose: ± this [N, N m]
  VectorBuffer relay_impulse;       ///< and this besides [N s]
  VectorBuffer gamma_before, gamma_free, gamma_after;
  VectorBuffer bilateral_start, bilateral_target;
  VectorBuffer driven_rate;         ///< w of drives at t_A, where the acceleration jumps; else NaN
  VectorBuffer bias;                ///< of the bilateral rows
  double velocity_scale = 0;        ///< of all rows [m/s]
  Vector position_levers;           ///< by which positions move points: angles the length [m]
  double position_round_off = 0;    ///< of gaps; 0 where they are not looked at [m]
  Effort effort = Effort::quick;    ///< of the solver
  bool may_be_halved = false;       ///< if the contacts of the step are not solved
  ContactProblem small, large;      ///< of an island: with G as a matrix, and as its factors
  ContactSolution solution;         ///< its impulse: of the whole step
  ContactSolution island_solution;  ///< of one island

  // Impacts in two phases: the impulse of the compression, in an island.
  ContactSolution compression;
  VectorBuffer extra_impulse;          ///< it, and what is given back of it
  VectorBuffer expansion_velocity;     ///< c without them
  std::vector<double> returned;        ///< which part of it each group gives back
  std::vector<double> returned_whole;  ///< the same by the law, where that would make energy
  VectorBuffer gamma_compressed;       ///< γ between the phases
  VectorBuffer gamma_expanded;         ///< γ at the end

  // Loops near singular positions.
  bool near_singular = false;  ///< some are, and have rows of their own
  Eigen::Index rank = 0;       ///< of all bilateral rows at the middle
  bool redundant = false;      ///< this rank was found to be that of loops that are not singular
  std::vector<LoopState> loop_states;  ///< of each bilateral row, that of its island
  Configuration loops;                 ///< on the branch of the motion, near q_M
  std::vector<int> like_rows;  ///< of each bilateral row the first of its joint with its unit
  SwitchedRows switched_rows;
  Vector curvature;  ///< of the motion: normal acceleration at q_A
  Vector island_correction;
  std::vector<Eigen::Index> loop_ranks;  ///< of each island of `drift`; −1: not singular

  Vector u_end, q_end;
  Configuration end;  ///< at q_E, for projections
  Vector correction;
  RowSet drift;                        ///< at q_E
  ContactSolution bilateral_solution;  ///< of many rows

  // θ-scheme.
  Matrix M_theta, dh_du, dh_dq, iteration_matrix;
  Vector h, u_theta, u_iterate, unbalance;

  double projected_energy = 0;   ///< by the projection at the end of the step [J]
  bool projected = false;        ///< there was one
  Vector projected_travel;       ///< by which it moved the position, as a velocity × 1 s [m, rad]
  VectorBuffer gamma_projected;  ///< its mean velocity in each row [m/s, rad/s]

  // Automatic steps: what was found out about the one that was tried.
  double regular_step = 0;       ///< in which nothing happens [s]
  double closing_time = 0;       ///< at least, in which a contact that lasts closes its gap [s]
  double bend = 0;               ///< of the path of contacts in their play, as a part of the limit
  double t_closing = -INFINITY;  ///< when bodies will meet, as known from tries in vain [s]
  double next_longest = INFINITY;  ///< limit of the next step: a contact is left closed [s]
  double error = 0;                ///< of the positions, as a part of the tolerance
  bool met = false;                ///< bodies met
  Vector mean_acceleration;        ///< of the step
  Vector jerk;                     ///< change of it since the last one [1/s]

  PassingGuard guard;

  std::vector<ContactFrame> deep;                ///< contacts to be projected, or closed at the end
  std::vector<ContactVelocity> deep_velocities;  ///< γ of the latter
  std::vector<ContactFrame> neighbours;          ///< of the former, while they are collected
  double overlap = 0;                  ///< of all contacts at the end of the step, summed up [m]
  ProjectionCare projection_care{};    ///< of this projection, after one that went too far
  bool landed = false;                 ///< bodies met, or touched down off their surface
  double landing_travel = 0;           ///< the farthest that bodies may have to be moved for it [m]
  std::vector<char> deep_held;         ///< of the former: whether they last, and stay
  std::vector<double> island_losses;   ///< of the landings of each island of `drift` [J]
  std::vector<double> island_lifts;    ///< what moving them does to the potential energy [J]
  std::vector<ContactRecord> records;  ///< of this step, while it is committed

  // State variables (theory 4.26).
  StateRule states;
  Vector states_start, states_middle;  ///< x_A; x_A + Δt/4 f_A
  Vector states_theta;                 ///< at the θ-point
  Vector state_rates_start, state_rates_middle;
  double state_error = 0;  ///< as a part of the tolerance of automatic steps

  Vector switching;         ///< Memory::switching() as this step leaves it
  Vector event_conditions;  ///< at the end of the step
  StepMeasures measures;    ///< for these
  StartOfRun start_of_run;
  EventSearch event_search;

  Arena scratch;
  StepResult result;
};

/// States at the middle, which must be configured, from the rates there and at the start, at the
/// velocity u (theory 4.26). False, and said in the result, if none are found.
bool predict_states(Moreau::Workspace& work, const State& state, double step);

/// States at the end of the step, into q_end.
bool finish_states(Moreau::Workspace& work, const State& state, double step);

/// The problem of an island with so many rows, in the form that suits it.
inline ContactProblem& problem_for(Moreau::Workspace& work, Eigen::Index rows) {
  return work.separable && rows > largest_dense_island ? work.large : work.small;
}

/// Whether a row of a joint is switched off in this step.
inline bool is_off(const Moreau::Workspace& work, const RowGroup& group) {
  return group.kind == RowGroup::Kind::bilateral && work.mobility[group.first_row] == 0 &&
         work.switched_rows.is_off(group.number, work.middle.switches);
}

/// Σ a_k b_k; of three, as a body in the plane has, without a loop.
inline double product(const double* a, const double* b, Eigen::Index n) {
  if (n == 3) return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  double sum = 0;
  for (Eigen::Index k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

/// γ − w of a group's row number `row` at the velocity u.
inline double rate_of(const Moreau::Workspace& work, const RowSet& set, const RowGroup& group,
                      int row, const double* u) {
  const double* W = set.W.data() + group.first_entry + row * group.velocities;
  if (group.first_velocity >= 0) return product(W, u + group.first_velocity, group.velocities);
  double sum = 0;
  for (const int b : listed(group.blocks)) {
    const MassBlock& block = work.blocks[static_cast<std::size_t>(b)];
    for (int k = 0; k < block.size; ++k) sum += *W++ * u[block.first + k];
  }
  return sum;
}

/// u += M⁻¹W Λ for the impulse of one row.
inline void add_effect(const Moreau::Workspace& work, const RowSet& set, const RowGroup& group,
                       int row, double impulse, Vector& u) {
  if (impulse == 0) return;
  const double* mass_inverse_W =
      set.mass_inverse_W.data() + group.first_entry + row * group.velocities;
  if (group.first_velocity >= 0) {
    double* own = u.data() + group.first_velocity;
    for (Eigen::Index k = 0; k < group.velocities; ++k) own[k] += mass_inverse_W[k] * impulse;
    return;
  }
  for (const int b : listed(group.blocks)) {
    const MassBlock& block = work.blocks[static_cast<std::size_t>(b)];
    for (int k = 0; k < block.size; ++k) u[block.first + k] += *mass_inverse_W++ * impulse;
  }
}

/// Which velocities a group acts on, from its blocks.
inline void set_velocities(const Moreau::Workspace& work, RowGroup& group) {
  const std::span<const int> blocks = listed(group.blocks);
  group.velocities = 0;
  for (const int b : blocks) group.velocities += work.blocks[static_cast<std::size_t>(b)].size;
  group.first_velocity =
      blocks.size() == 1 ? work.blocks[static_cast<std::size_t>(blocks.front())].first : -1;
}

/// Whether a contact is one without play of a body without joints (theory 4.35).
inline bool may_be_foreseen(const Moreau::Workspace& work, const ContactFrame& frame) {
  if (work.system.info().contacts[at(frame.key.pair)].play > 0) return false;
  const auto is_free = [&](int block) { return work.free_blocks[at(block)] != 0; };
  return std::ranges::any_of(listed(frame.blocks), is_free);
}

/// Which contacts are closed at the middle (step 3). False if a gap is not a number.
bool find_active_contacts(Moreau::Workspace& work, const State& state, double step);

/// `active` of the frames. False if a gap is not a number.
bool list_active_contacts(Moreau::Workspace& work, const State& state);

/// Makes one of the mass blocks stand for all of these, and for those that they were connected
/// with.
void connect_blocks(const BlockList& blocks, std::vector<int>& parent);

/// Contact that lasts (theory 4.11). Before the rows: contacts that pushed in the step before and
/// that the straight way to q_M, not the motion itself, has opened join those that are closed
/// (theory 4.19).
void keep_lasting_contacts(Moreau::Workspace& work, const State& state, double step);

/// With them those that would be closed at the end of the step if bodies went on as they do: they
/// meet in it (theory 4.35).
void add_meeting_contacts(Moreau::Workspace& work, const State& state, double step);

/// With u_E known, those besides that impacts of the step would close in it. Whether there are any.
bool add_further_contacts(Moreau::Workspace& work, const State& state, double step);

/// Adds to the acceleration what contacts that last did in the step before (theory 4.3).
void add_last_contacts(Moreau::Workspace& work, const State& state);

/// Whether contacts push, as forces do, of which nothing was known before: u_middle was predicted
/// without them. Not in a play, where normals turn with the place.
bool any_contact_unforeseen(const Moreau::Workspace& work);

/// The biases of the contacts' rows, at the predicted u_middle.
void write_contact_biases(Moreau::Workspace& work, double step);

/// The same where an impact divides the step, of contacts that are none: the means of those at u_A
/// and at u_E (theory 4.15).
void write_divided_biases(Moreau::Workspace& work, const State& state, double step);

/// ½Δt b of a row: by how much γ at the end of the step exceeds Wᵀu + w there.
inline double end_shift(const Moreau::Workspace& work, const RowGroup& group, int row,
                        double step) {
  if (!work.lasting || group.kind != RowGroup::Kind::contact) return 0;
  return 0.5 * step *
         work.contact_bias[static_cast<std::size_t>(group.number)][static_cast<std::size_t>(row)];
}

/// Approach below is round-off of bodies that touch [m/s].
double slowest_closing(const Moreau::Workspace& work);

/// In which contacts bodies meet in this step, and how fast the gaps of the others are closed.
/// Needs gamma_before and gamma_free.
void find_impacts(Moreau::Workspace& work, double step);

/// The speed beyond which a contact that lasts approaches because its normal has jumped, at a
/// hollow corner of an outline: no path that turns as it does before or behind makes so much of it
/// in a step (theory 4.41). Infinite where there are no corners.
double corner_speed(const Moreau::Workspace& work, std::size_t contact);

/// The gap at the end of the step as (4.12) foresees it. Needs gamma_after [m, rad].
double foreseen_gap(const Moreau::Workspace& work, std::size_t contact);

/// Whether a contact pushes, by the natural map (theory 5.3): round-off may leave one that opens
/// with a tiny impulse. Needs gamma_after.
bool pushes(const Moreau::Workspace& work, const ActiveContact& contact);

/// Whether what forces do to a contact that lasts in the step is little beside its play, if it has
/// one.
bool is_short_in_play(const ActiveContact& contact, double step);

/// Marks the contacts that stay and are off their surface at the end of the step, and says what
/// landings took; whether bodies may overlap there. Needs gamma_after.
bool mark_landings(Moreau::Workspace& work, const State& state, double step);

/// Bilateral rows, relays if asked for, and so many contacts with the rows that each has, in
/// islands.
struct SetContents {
  bool relays = true;
  std::span<const ContactFrame> frames{};
  bool tangents = true;
  bool singular_loops =
      false;  ///< of bilateral rows those that may be singular, if they can be distinguished
};
void arrange_rows(Moreau::Workspace& work, const SetContents& contents, RowSet& set);

/// The island that a contact belongs to in the set that was arranged last; −1: none.
int island_of(Moreau::Workspace& work, const ContactFrame& frame);

/// W and w of all rows of a set (step 4); of relays also what they can do.
void write_rows(Moreau::Workspace& work, const Configuration& c,
                std::span<const ContactFrame> frames, RowSet& set);

/// M⁻¹W of all rows, with the factors of M.
void write_mass_inverse_rows(Moreau::Workspace& work, RowSet& set);

/// G = WᵀM⁻¹W of some groups of a set: as a matrix, or as its factors. The rows are counted from
/// the first group's on.
void write_delassus(Moreau::Workspace& work, const RowSet& set, std::span<const RowGroup> groups,
                    Delassus& G);

/// Impulses of the bilateral rows of an island that change their velocities by `impulse`, in place.
/// Redundant rows are left out; how many, and what is left of the others, is reported of islands
/// with G as a matrix.
PivotedRank solve_bilaterals(Moreau::Workspace& work, const RowSet& set, const Island& island,
                             VectorRef impulse, const PivotLimits& limits = {.tolerance = 1e-12});

/// Near singular positions (theory 4.14): rows of the loops that loop_states marks at a
/// configuration on the branch of the motion. False, with the status, if there is none.
bool take_rows_on_branch(Moreau::Workspace& work, const State& state, double step);

/// Of loops near a singular position, what of their impulses the motion does not determine stays as
/// in the last step (theory 4.22): `impulses`, of all rows that stand, is reported and remembered.
void hold_undetermined_impulses(Moreau::Workspace& work, State& state, VectorRef impulses);

/// Whether contacts that began to last or to stick in the step have forces that the motion does not
/// determine (theory 4.28), in its result. Needs the outcomes of the contacts.
void note_undetermined(Moreau::Workspace& work);

/// b of the bilateral rows at the velocity u, where they are.
void write_bilateral_bias(Moreau::Workspace& work, const Vector& u);

/// The target of the bilateral rows: γ_E = −γ_A + target. The mid-step rule alone would let an
/// error of the start velocity alternate for ever, so a third of its alternating part is taken back
/// (theory 4.4). Needs the predicted u_middle.
void target_bilaterals(Moreau::Workspace& work, const State& state, double step);

/// In the result: the first of the values (one per velocity) that is not finite.
void report_not_finite(Moreau::Workspace& work, const Vector& values);

/// False, and said in the result, if some of the values are not finite.
inline bool accept_finite(Moreau::Workspace& work, const Vector& values) {
  const double* v = values.data();
  double sum = 0;
  for (Eigen::Index i = 0, n = values.size(); i < n; ++i) sum += v[i];
  if (std::isfinite(sum)) return true;
  report_not_finite(work, values);
  return false;
}

/// The same for positions, of which no element is said: the elements are velocities.
inline bool accept_positions(Moreau::Workspace& work, const Vector& q) {
  if (accept_finite(work, q)) return true;
  work.result.element = -1;
  return false;
}

/// The same for velocities at the end of a step, which must be below the largest speed, too.
inline bool accept_velocities(Moreau::Workspace& work, const Vector& u) {
  double sum = 0;
  for (Eigen::Index i = 0, n = u.size(); i < n; ++i) sum += u[i] * u[i];
  if (sum < largest_speed * largest_speed) return true;
  report_not_finite(work, u);
  return false;
}

/// Adds to the acceleration what forces of given strength did in the last step: a good guess of
/// what they do in this one (theory 4.3).
void add_last_relays(Moreau::Workspace& work, const State& state);

/// What the forces of given strength may do in this step: clutches and preloads are turned into
/// friction, with a velocity or an impulse besides that goes into gamma_free and the problem
/// (theory 4.9). Needs G and γ at the start of the step.
void limit_relay_impulses(Moreau::Workspace& work, const Island& island, double step,
                          ContactProblem& problem);

/// The impulses of a problem by the chosen solver or, where it fails, by the chain of `auto`. False
/// if they were not found; the result says how well they were.
bool solve_problem(Moreau::Workspace& work, const ContactProblem& problem,
                   ContactSolution& solution);

/// Whether an impact, of whatever law, may reach a contact whose law has two phases in this step.
bool any_impact_in_phases(const Moreau::Workspace& work, const Island& island);

/// Compression and expansion of such an impact, by Poisson's law and by Stronge's, into
/// island_solution (theory 3.6, 3.10). False if they were not found.
bool resolve_in_phases(Moreau::Workspace& work, const Island& island, double step,
                       ContactProblem& problem);

/// In the result: no impulses were asked for yet.
inline void clear_solution(StepResult& result) {
  result.residual = result.relative_residual = 0;
  result.iterations = 0;
  result.solver_status = SolverStatus::solved;
  result.fell_back = false;
  result.imprecise = false;
  result.jammed = false;
}

/// Of contacts that roll because joints and normals alone make them (theory 4.38): c of the tangent
/// row agrees with what they make, and their G gives way by a trace. Needs G and mobility.
void agree_on_rolling(Moreau::Workspace& work, const Island& island, ContactProblem& problem);

/// Problem and solver, steps 5 and 6: impulses from u_A, u_free, W and M⁻¹W, by Newton's law and,
/// where contacts ask for it, in two phases. False if they were not found.
bool resolve_contacts(Moreau::Workspace& work, const State& state, double step);

/// Projection of drift at the end of the step, and the energy that it added [J]. The result says so
/// if bilateral rows that contradict each other are left open.
double project_drift(Moreau::Workspace& work, const State& state, double t_end, Vector& q_end);

/// γ of all rows at the end of the step, into gamma_after.
void write_end_velocities(Moreau::Workspace& work, double step);

/// Outcomes of the contacts, memory for the next step, and the energy ledger.
void commit_step(Moreau::Workspace& work, State& state, double step);

/// Events (theory 4.8), where there are any. Before the tries of a step: before the first step of a
/// run events happen whose time or condition has come already. If it fails they are undone.
void start_switching(Moreau::Workspace& work, double step, State& state);
void undo_start(Moreau::Workspace& work, State& state);

/// Before each try: what is switched on goes into the configurations.
void begin_switching(Moreau::Workspace& work, const State& state);

/// Conditions of events at the end of a step that was tried, into event_conditions.
void write_end_conditions(Moreau::Workspace& work, double step);

/// When the first event with a condition happens in a step that was tried [s after its start], by
/// the line from condition to condition, or halfway if it jumps; infinite: none. Needs `end` at
/// q_E.
double time_to_event(Moreau::Workspace& work, double step);

/// After a step: the events that happened in it, and what they switch.
void commit_switching(Moreau::Workspace& work, State& state);

/// u_E by the two schemes. False where it could not be found; result.status says why.
bool step_midpoint(Moreau::Workspace& work, const State& state, double step);
bool step_theta(Moreau::Workspace& work, const State& state, double step);

}  // namespace backlash
