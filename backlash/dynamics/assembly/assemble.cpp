// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/assemble.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/assembly/assembly_errors.h"
#include "backlash/dynamics/assembly/build_contacts.h"
#include "backlash/dynamics/assembly/build_forces.h"
#include "backlash/dynamics/assembly/build_formulas.h"
#include "backlash/dynamics/assembly/build_joints.h"
#include "backlash/dynamics/assembly/closure.h"
#include "backlash/dynamics/assembly/contact_guesses.h"
#include "backlash/dynamics/assembly/expand_motors.h"
#include "backlash/dynamics/assembly/mass_blocks.h"
#include "backlash/dynamics/elements/outputs.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {
namespace {

/// How far the farthest point of a body's shapes is from its frame [m]; those without an end do not
/// count.
double reach_of_shapes(const Body& body) {
  double reach = 0;
  for (const BodyShape& shape : body.shapes) {
    const ShapeBound bound = shape_features(shape.shape, shape.X_BS).bound;
    if (bound.finite()) reach = std::max(reach, bound.centre.norm() + bound.radius);
  }
  return reach;
}

/// The largest distance that the model mentions, on bodies that move [m]. A centre of mass may be
/// off the origin by round-off.
template <class S>
double model_length(const Model& model, const SpanningTree<S>& tree) {
  constexpr double round_off = 1e-10;  // [m]
  double length = 0;
  for (const Body& body : model.bodies) length = std::max(length, reach_of_shapes(body));
  for (const TreeBody<S>& body : tree.bodies)
    length = std::max({length, body.p_PJ.norm(), body.p_BJ.norm(), body.p_BC.norm()});
  for (const Joint& joint : model.joints)
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.p_AP; })
            length = std::max({length, kind.p_AP.norm(), kind.p_BQ.norm()});
          if constexpr (requires { kind.length; }) length = std::max(length, kind.length);
        },
        joint.kind);
  return length > round_off ? length : 1;
}

/// Names of the coordinates: of the joint that carries a body, or of a free body itself.
template <class S>
void name_coordinates(const Model& model, const SpanningTree<S>& tree, SystemInfo& info) {
  std::vector<std::string> free_names(tree.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    free_names[static_cast<std::size_t>(tree.body_of[i])] = model.bodies[i].name;
  struct Names {
    std::vector<std::string>& names;
    std::vector<Origin>& origins;
  };
  const auto add = [](const Origin& first, char letter, int count, const Names& to) {
    for (int k = 0; k < count; ++k) {
      to.names.push_back(
          fmt::format("{}.{}{}", first.item, letter, count == 1 ? "" : std::to_string(k + 1)));
      to.origins.push_back({first.item, first.kind, k});
    }
  };
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Joint* inboard_joint = tree.inboard_joint[i];
    const Origin origin = inboard_joint ? Origin{inboard_joint->name, Origin::Kind::joint}
                                        : Origin{free_names[i], Origin::Kind::body};
    const TreeJoint<S>& joint = tree.bodies[i].joint;
    add(origin, 'q', joint.positions(), {info.position_names, info.position_origins});
    add(origin, 'u', joint.dofs(), {info.velocity_names, info.velocity_origins});
    for (int k = 0; k < joint.dofs(); ++k) info.angular.push_back(k >= joint.translations);
  }
}

/// Angles that joints outside of the tree keep count turns: take the nearest.
template <class S>
void initialise_turns(std::vector<Constraint<S>>& constraints, const Motion<S>& motion) {
  for (Constraint<S>& constraint : constraints) {
    auto* kept = std::get_if<KeptCoordinate<S>>(&constraint.kind);
    if (!kept || kept->coordinate.kind != Coordinate<S>::Kind::angle) continue;
    constexpr double turn = 2 * std::numbers::pi;
    kept->coordinate.zero += turn * std::round(value(kept->coordinate, motion) / turn);
  }
}

/// Gears and racks keep the relation that they start with.
template <class S>
void initialise_couplings(std::vector<Constraint<S>>& constraints, const Motion<S>& motion) {
  for (Constraint<S>& constraint : constraints)
    if (auto* coupled = std::get_if<CoupledCoordinates<S>>(&constraint.kind))
      coupled->constant += value(*coupled, motion);
}

/// Those with play begin in its middle. False if there are none.
template <class S>
bool initialise_teeth(Parts<S>& parts, const Motion<S>& motion) {
  bool any = false;
  const auto initialise = [&](CoupledCoordinates<S>& coupling) {
    coupling.constant += value(coupling, motion);
    any = true;
  };
  for (auto& contact : parts.contacts)
    if (auto* flank = std::get_if<ToothFlank<S>>(&contact.kind)) initialise(flank->coupling);
  for (JointOutput<S>& joint : parts.joints)
    if (auto* play = std::get_if<ToothPlay<S>>(&joint.play)) initialise(play->coupling);
  return any;
}

/// Rows that a joint holds in one way.
template <class S>
int held_rows(Hold hold) {
  constexpr bool space = S::dimension == 3;
  switch (hold) {
    case Hold::points:
      return S::dimension;
    case Hold::line:
      return S::dimension - 1;
    case Hold::height:
      return space ? 1 : 0;
    case Hold::axes:
      return space ? 2 : 0;
    case Hold::rotation:
      return S::rotations;
    case Hold::distance:
    case Hold::ratio:
      return 1;
  }
  return 0;
}

template <class S>
int counted_dofs(const Model& model) {
  int dofs_left = S::dof * static_cast<int>(model.bodies.size());
  for (const Joint& joint : model.joints) {
    if (joint.clearance) continue;
    for (const Hold hold : joint_info(joint.kind).holds) dofs_left -= held_rows<S>(hold);
  }
  return dofs_left;
}

/// Rows that hold something, not those that move it.
int count_holding(const std::vector<BilateralInfo>& rows) {
  return static_cast<int>(std::ranges::count_if(
      rows, [](const BilateralInfo& row) { return row.origin.kind != Origin::Kind::drive; }));
}

/// Initial values of a driven coordinate that its drive contradicts: the drive is what counts.
void warn_of_driven_starts(const Model& model, std::vector<std::string>& warnings) {
  for (const Joint& joint : model.joints) {
    if (!joint.drive) continue;
    const Jet driven = joint.drive->position.jet(0);
    const bool turns = coordinate_types(joint.kind).front() == CoordinateType::rotation;
    const auto compare = [&](const std::optional<double>& given, double drive, const char* what,
                             const char* unit) {
      if (!given || std::abs(*given - drive) <= 1e-9 * (1 + std::abs(drive))) return;
      warnings.push_back(fmt::format(
          "joint '{}': its drive starts with the {} {:.6g} {}, so the initial {} of {:.6g} {} is "
          "not used",
          joint.name, what, drive, unit, what, *given, unit));
    };
    compare(joint.initial[0].position, driven.value, turns ? "angle" : "position",
            turns ? "rad" : "m");
    compare(joint.initial[0].speed, driven.first, "speed", turns ? "rad/s" : "m/s");
  }
}

/// Initial values of joints that close loops, which follow from those of the others. Those of a
/// driven coordinate are its drive's.
template <class S>
void warn_of_loop_starts(const SpanningTree<S>& tree, std::vector<std::string>& warnings) {
  const auto is_used = [&](const Joint* joint) {
    return std::ranges::find(tree.placing, joint) != tree.placing.end() ||
           std::ranges::find(tree.inboard_joint, joint) != tree.inboard_joint.end();
  };
  for (const Joint* joint : tree.loop_joints) {
    if (is_used(joint)) continue;
    const auto first = joint->initial.begin() + (joint->drive ? 1 : 0);
    if (std::any_of(first, joint->initial.end(), [](const InitialCoordinate& initial) {
          return initial.position || initial.speed;
        }))
      warnings.push_back(
          fmt::format("joint '{}' closes a loop: its initial values are not used", joint->name));
  }
}

/// Springs of angles in space whose turns do not count.
template <class S>
void warn_of_lost_turns(const MechanismBuilder<S>& builder, std::vector<std::string>& warnings) {
  if (S::dimension == 2) return;
  const auto counts = [&](const JointCoordinate& on) {
    return counts_turns(coordinate_of(builder, on.joint, on.coordinate, {}));
  };
  for (const Force& force : builder.model.forces) {
    const auto* spring = std::get_if<TorsionSpring>(&force.element);
    if (!spring || spring->stiffness == 0) continue;
    const auto* joint = std::get_if<JointCoordinate>(&spring->on);
    if (joint && counts(*joint)) continue;
    warnings.push_back(
        fmt::format("force '{}' acts on an angle in space that no joint of the tree has: it is "
                    "right while the angle stays within half a turn to either side",
                    force.name));
  }
}

template <class S>
AssemblyReport report_on(const Model& model, const MechanismBuilder<S>& builder,
                         const Mechanism<S>& mechanism, const Vector& q) {
  AssemblyReport report;
  report.bodies = static_cast<int>(model.bodies.size());
  report.dofs_by_counting = counted_dofs<S>(model);
  report.loops = builder.loops;
  const RankedRows ranked = rank_rows(mechanism, q);
  report.redundant = ranked.redundant;
  require_effective_drives(builder, report.redundant);
  report.dofs = mechanism.info().velocities - count_holding(ranked.independent);
  warn_of_driven_starts(model, report.warnings);
  warn_of_lost_turns(builder, report.warnings);
  warn_of_loop_starts(builder.tree, report.warnings);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Joint* inboard_joint =
        builder.tree.inboard_joint[static_cast<std::size_t>(builder.tree.body_of[i])];
    if (model.bodies[i].initial && inboard_joint)
      report.warnings.push_back(fmt::format(
          "body '{}' is carried by joint '{}': its own initial motion is not used, give "
          "that of the joint",
          model.bodies[i].name, inboard_joint->name));
  }
  return report;
}

/// The coordinates that are not where they were.
struct NoteChanges {
  const SystemInfo& info;
  std::vector<Adjustment>& adjusted;

  void operator()(Adjustment::Quantity quantity, const std::vector<double>& before,
                  const Vector& after) const {
    const bool speed = quantity == Adjustment::Quantity::speed;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double now = after[static_cast<Eigen::Index>(i)];
      if (!(std::abs(now - before[i]) > 1e-12 * (1 + std::abs(before[i])))) continue;
      adjusted.push_back({speed ? info.velocity_names[i] : info.position_names[i],
                          speed ? info.velocity_origins[i] : info.position_origins[i], quantity,
                          before[i], now});
    }
  }
};

/// Units of the numbers that events set, which are among the outputs; empty where not known.
void name_units_of_parameters(const Model& model, SystemInfo& info) {
  for (const SwitchInfo& item : info.switches) {
    if (!item.number || item.name.empty()) continue;
    const std::string name = fmt::format("{}.value", item.name);
    for (OutputInfo& output : info.outputs)
      if (output.name == name) output.unit = find_parameter(model, item.name)->unit;
  }
}

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The positions of the tree, and the state variables behind them.
Vector with_states(const Model& model, std::vector<double> positions) {
  for (const StateVariable& state : model.states) positions.push_back(state.initial);
  return to_vector(positions);
}

/// The mechanism at its first guess, made of what the builder holds.
template <class S>
std::unique_ptr<Mechanism<S>> make_mechanism(MechanismBuilder<S>& builder,
                                             const Motion<S>& motion) {
  initialise_turns(builder.parts.constraints, motion);
  initialise_couplings(builder.parts.constraints, motion);
  write_mass_blocks(builder.parts, builder.info);
  return std::make_unique<Mechanism<S>>(builder.info, builder.parts);
}

/// Rows that are round-off wherever the bodies are, as those of a pin between two wheels on one
/// axle: taken for what they are not, they would look like those of a singular position. Whether
/// there are any.
template <class S>
bool mark_idle_rows(const Mechanism<S>& mechanism, const Vector& q,
                    std::vector<Constraint<S>>& constraints) {
  constexpr int configurations = 4;
  constexpr double round_off = 1e-13;
  const SystemInfo& info = mechanism.info();
  const auto rows = static_cast<Eigen::Index>(constraints.size());
  Matrix W(info.velocities, rows);
  Vector w(rows), largest = Vector::Zero(rows), way(info.velocities), moved = q;
  for (int k = 0; k < configurations; ++k) {
    for (Eigen::Index i = 0; i < way.size(); ++i)
      way[i] = k == 0 ? 0
                      : (info.angular[static_cast<std::size_t>(i)] ? 1 : info.length) *
                            std::sin(k + 2.0 * static_cast<double>(i));
    mechanism.advance(q, way, 1, moved);
    mechanism.bilateral_rows(configuration(mechanism, 0, moved), W, w);
    for (Eigen::Index i = 0; i < rows; ++i)
      largest[i] = std::max(largest[i], W.col(i).cwiseAbs().maxCoeff());
  }
  bool any = false;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    constraints[i].idle =
        constraints[i].item < 0 && largest[static_cast<Eigen::Index>(i)] <= round_off * info.length;
    any = any || constraints[i].idle;
  }
  return any;
}

/// The same with its joints with clearance as if they were ideal.
template <class S>
std::unique_ptr<Mechanism<S>> make_without_play(MechanismBuilder<S> builder,
                                                const Motion<S>& motion) {
  close_clearances(builder);
  return make_mechanism(builder, motion);
}

bool has_guess(const Joint& joint) { return joint.initial[0].guess.has_value(); }

/// From where the search for a start begins: near the guesses, with the loops nearly closed, so
/// that one guess decides on which branch the others are.
template <class S>
Vector first_positions(MechanismBuilder<S> builder, const Motion<S>& motion, const Vector& q) {
  if (std::ranges::none_of(builder.model.joints, has_guess)) return q;
  close_clearances(builder);
  hold_guesses(builder);
  return nearest_positions(*make_mechanism(builder, motion), builder.tree.position_given, q);
}

/// Rigid contacts that carry have pushed all along: without a memory of that they would be taken
/// for contacts that have just closed.
std::vector<ContactRecord> carrying_contacts(const System& system, const State& start,
                                             std::span<const ContactLoad> loads) {
  std::vector<ContactFrame> touching;
  system.find_contacts(configuration(system, start), 1e-9 * system.info().length, {}, touching);
  std::vector<ContactRecord> records;
  for (const ContactLoad& load : loads) {
    const ContactInfo& info = system.info().contacts[at(load.key.pair)];
    const auto frame = std::ranges::find(touching, load.key, &ContactFrame::key);
    if (info.compliant || frame == touching.end()) continue;
    const bool sticks =
        info.law.friction * load.force[0] > std::hypot(load.force[1], load.force[2]);
    records.push_back({.key = load.key,
                       .state = sticks ? ContactState::stick : ContactState::slip,
                       .parameters = frame->parameters});
  }
  return records;
}

/// Moves the start to where the mechanism rests, and reports what carries there.
template <class S>
void begin_at_rest(const MechanismBuilder<S>& builder, const Loops& loops, Assembly& assembly) {
  require_rest(builder.model);
  const State& start = assembly.start;
  StaticStart rest{.equilibrium = find_equilibrium(loops.mechanism, start)};
  if (rest.equilibrium.status != Equilibrium::Status::found)
    report_no_equilibrium(builder, rest.equilibrium);
  const std::vector<double> before(start.q.begin(), start.q.end());
  Vector q = rest.equilibrium.q, u = Vector::Zero(start.u.size());
  const Given all{std::vector<bool>(at(u.size()), true), std::vector<bool>(at(u.size()), false)};
  close_loops(loops, all, q, u);
  NoteChanges{builder.info, rest.moved}(Adjustment::Quantity::position, before, q);
  assembly.start = initial_state(loops.mechanism, start.t, q, u);
  assembly.start.contacts =
      carrying_contacts(loops.mechanism, assembly.start, rest.equilibrium.loads);
  if (const std::optional<int> escape = rest.equilibrium.escape)
    assembly.report.warnings.push_back(
        fmt::format("the equilibrium at the start is not stable: the least push drives the "
                    "mechanism away from it, along '{}'",
                    builder.info.velocity_names[at(*escape)]));
  assembly.report.rest = std::move(rest);
}

template <class S>
Assembly assemble_in(const Model& model, OpenLoops open_loops) {
  const SpanningTree<S> tree = span_tree<S>(model);
  MechanismBuilder<S> builder{.model = model, .tree = tree};
  builder.info.name = model.title;
  builder.info.space = S::dimension;
  builder.info.length = model_length(model, tree);
  builder.parts.tree = Tree<S>(tree.bodies);
  builder.parts.gravity = S::vec(model.gravity);
  builder.parts.body_of = tree.body_of;
  builder.info.positions = builder.parts.tree.positions();
  builder.info.velocities = builder.parts.tree.dofs();
  if (builder.info.velocities == 0)
    throw InputError("nothing can move: the joints hold all bodies to the ground");
  builder.info.cache = static_cast<int>(builder.parts.tree.cache_size());
  for (const Body& body : model.bodies) builder.info.bodies.push_back(body.name);
  name_coordinates(model, tree, builder.info);
  add_switches(builder);
  add_states(builder);
  add_joints(builder);
  add_forces(builder);
  add_contacts(builder);
  add_events(builder);
  add_joint_outputs(builder);
  name_outputs(builder.parts, builder.info);
  name_units_of_parameters(model, builder.info);

  Vector q = with_states(model, tree.position), u = to_vector(tree.speed);
  Vector cache(builder.parts.tree.cache_size());
  builder.parts.tree.configure(q, cache);
  const Motion<S> motion{builder.parts.tree, cache};
  const auto without_play = make_without_play(builder, motion);
  const Vector guess = first_positions(builder, motion, q);
  auto mechanism = make_mechanism(builder, motion);
  q = guess;
  const bool closed =
      close_loops({*mechanism, *without_play}, {tree.position_given, tree.speed_given}, q, u);
  if (!closed && open_loops == OpenLoops::refuse) {
    require_effective_drives(builder, rank_rows(*mechanism, q).redundant);
    report_open_loop(builder, *mechanism, q);
  }
  builder.parts.tree.configure(q, cache);
  const bool idle = mark_idle_rows(*mechanism, q, builder.parts.constraints);
  if (initialise_teeth(builder.parts, motion) || idle)
    mechanism = std::make_unique<Mechanism<S>>(builder.info, builder.parts);

  Assembly assembly;
  assembly.start = initial_state(*mechanism, 0, q, u);
  require_inertia(builder, *mechanism, assembly.start);
  require_no_overlap(builder, *mechanism, assembly.start);
  assembly.report = report_on(model, builder, *mechanism, q);
  const NoteChanges note_changes{builder.info, assembly.report.adjusted};
  note_changes(Adjustment::Quantity::position, tree.position, q);
  note_changes(Adjustment::Quantity::speed, tree.speed, u);
  if (model.initial == InitialPositions::equilibrium)
    begin_at_rest(builder, {*mechanism, *without_play}, assembly);
  follow_guesses(model, *mechanism, assembly.start);
  assembly.system = std::move(mechanism);
  return assembly;
}

Assembly assemble_expanded(const Model& model, OpenLoops open_loops) {
  return model.space == ModelSpace::plane ? assemble_in<Plane>(model, open_loops)
                                          : assemble_in<Space>(model, open_loops);
}

}  // namespace

Assembly assemble(const Model& model, OpenLoops open_loops) {
  if (model.bodies.empty()) throw InputError("the model has no bodies");
  validate(model);
  if (has_rotors(model)) return assemble_expanded(with_rotors(model), open_loops);
  return assemble_expanded(model, open_loops);
}

}  // namespace backlash
