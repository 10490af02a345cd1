// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backlash/base/arena.h"
#include "backlash/base/types.h"
#include "backlash/dynamics/contact_frame.h"
#include "backlash/dynamics/contact_search.h"
#include "backlash/dynamics/gap_unit.h"
#include "backlash/dynamics/origin.h"
#include "backlash/laws/compliant_law.h"
#include "backlash/laws/contact_law.h"

namespace backlash {

/// Two things that may touch, in one place or in several; or many of them that have one law.
struct ContactInfo {
  std::string name;
  ContactLaw law;
  int tangents = 1;           ///< tangent rows: 0 (frictionless), 1 in the plane, 2 in space
  std::vector<int> blocks{};  ///< mass blocks that its rows may act on; empty: on all
  std::optional<CompliantLaw> compliant{};  ///< present: the contact is a force, `law` is not used
  Origin origin{};
  GapUnit unit = GapUnit::metre;  ///< of its gap; units below that say [m] are for lengths
  double play = 0;  ///< clearance of the joint that it belongs to, in the unit of its gap; 0: none
  long candidates = 1;         ///< places where there may be a contact
  bool always_closed = false;  ///< its gap is zero wherever it is: it forbids a velocity
};

/// Velocities that M couples with no others: those of a tree of bodies, say.
struct MassBlock {
  int first = 0, size = 0;
};

/// A row that always holds (a joint that closes a loop, a drive).
struct BilateralInfo {
  std::string name;
  double length = 1;  ///< [m]; for a row in radians the length that its error is felt at, else 1
  Origin origin{};
  GapUnit unit = GapUnit::metre;  ///< of its error
  std::vector<int> blocks{};      ///< mass blocks that it acts on, at most four; empty: on all
};

/// What a force of given strength a opposes.
enum class RelayLaw {
  friction,  ///< the velocity: −λ ∈ a Sgn γ (theory 3.4)
  clutch,    ///< a negative velocity: λ ∈ [0, a] (theory 3.8)
  preload    ///< a displacement: −λ ∈ a Sgn x (theory 3.9); its energy a |x| is a potential
};

/// A force of given strength, always active: dry friction in a joint, a clutch that slips, the
/// preload of a spring.
struct RelayInfo {
  std::string name;
  double length = 1;  ///< as for bilateral rows
  RelayLaw law = RelayLaw::friction;
  Origin origin{};
  GapUnit unit = GapUnit::metre;  ///< of its displacement
  std::vector<int> blocks{};      ///< as for bilateral rows
  double friction = 0;  ///< μ: of friction, its strength grows by this part of relay_loads()
  double static_friction = 0;  ///< the same while it sticks, if larger
};

/// Whether its strength depends on what a joint carries.
inline bool is_loaded(const RelayInfo& relay) {
  return relay.friction > 0 || relay.static_friction > 0;
}

/// Whether it holds by more than it rubs.
inline bool has_static_friction(const RelayInfo& relay) {
  return relay.static_friction > relay.friction;
}

/// Something that is on or off, and that events turn: a force, a contact, a drive, the lock of a
/// joint; or a number that events set.
struct SwitchInfo {
  std::string name;
  bool on = true;  ///< at the start
  Origin::Kind kind = Origin::Kind::force;
  std::optional<double> number{};  ///< at the start [SI]; absent: it is a switch

  double at_start() const { return number.value_or(on ? 1 : 0); }
};

/// Happens at a time, or when its condition becomes positive (theory 4.8).
struct EventInfo {
  struct Turn {
    int item = 0;  ///< index into SystemInfo::switches
    bool on = true;
    double number = 0;  ///< of a number
  };
  std::string name;
  std::optional<double> time{};  ///< [s]; absent: event_conditions() say
  int after = -1;                ///< the event that it happens with; −1: it has its own occasion
  bool measured = false;         ///< its condition needs what a step did: System::measure()
  std::vector<Turn> turns{};
  bool once = true;   ///< not again when the condition becomes positive again
  bool stop = false;  ///< ends the run
};

/// A quantity that a System reports besides its motion: a joint's reaction, say.
struct OutputInfo {
  std::string name;
  std::string unit;
  Origin origin{};
};

/// A number with a rate of its own (theory 2.7).
struct StateInfo {
  std::string name;
  std::string unit;  ///< SI; empty: none, or not known
};

/// What the reaction of a joint is, of its drive, or of a clutch, preload or torque limiter.
enum class ReactionKind {
  none,          ///< it holds nothing
  full,          ///< a force on B at Q and a torque about it
  torque,        ///< of a gear, along the second coordinate; of a clutch
  force,         ///< of a rack, along the second coordinate; of a preload
  tension,       ///< of a rod, or of a preload between points
  drive_torque,  ///< of a drive, along the driven coordinate
  drive_force    ///< likewise
};

/// An item whose reaction System::reactions() gives: a joint, a drive, a force that is set-valued.
struct ReactingJoint {
  std::string name;
  ReactionKind reaction = ReactionKind::full;
  Origin::Kind kind = Origin::Kind::joint;
};

/// What does not change while a System moves.
struct SystemInfo {
  std::string name{};
  int positions = 0;                     ///< size of q, with the states
  int velocities = 0;                    ///< size of u
  int cache = 0;                         ///< size of Configuration::cache
  std::vector<MassBlock> mass_blocks{};  ///< all velocities in order; empty: one block
  std::vector<ContactInfo> contacts{};
  std::vector<BilateralInfo> bilaterals{};
  std::vector<RelayInfo> relays{};
  std::vector<StateInfo> states{};  ///< the last of the positions; no velocity moves them
  std::vector<SwitchInfo> switches{};
  std::vector<EventInfo> events{};
  int measured = 0;                              ///< size of Configuration::measured
  std::vector<bool> angular{};                   ///< which velocities are angular; empty: none
  std::vector<std::string> position_names{};     ///< empty: q1, q2, …
  std::vector<std::string> velocity_names{};     ///< empty: u1, u2, …
  std::vector<Origin> position_origins{};        ///< empty: unknown
  std::vector<Origin> velocity_origins{};        ///< empty: unknown
  std::vector<std::string> bodies{};             ///< whose motion body_motion() gives
  std::vector<OutputInfo> outputs{};             ///< what outputs() gives
  std::vector<ReactingJoint> reacting_joints{};  ///< whose reactions reactions() gives
  int space = 2;                                 ///< 2 in the plane, 3 in space
  double length = 1;                             ///< size of the model [m]
  double reach = INFINITY;                       ///< results show contacts that are nearer [m]
  bool curves = false;    ///< contacts have parameters: where they are on curves
  bool passable = false;  ///< bodies may pass through each other in a step: see passing_travel()
};

/// How deep a contact may be after it has landed, and by how much it may be open and still touch
/// (theory 4.12, 4.33) [m, rad].
inline double gap_resolution(const SystemInfo& info, const ContactInfo& contact) {
  constexpr double of_play = 2e-4, of_length = 2e-7;
  if (contact.play > 0) return of_play * contact.play;
  return of_length * (contact.unit == GapUnit::radian ? 1 : info.length);
}

/// Throw InputError unless sizes, names and numbers make sense.
void validate(const SystemInfo& info);

/// What the gap of a contact is multiplied with where it is compared with a length: 1, or for an
/// angle the size of the model, so that it counts by its arc [m].
inline double gap_length(const SystemInfo& info, const ContactKey& key) {
  const GapUnit unit = info.contacts[static_cast<std::size_t>(key.pair)].unit;
  return unit == GapUnit::metre ? 1 : info.length;
}

/// A time and a position, and what is switched on; with whatever the System computed for them once
/// (sines, poses): all functions of the position take it, so that nothing is computed twice and
/// nothing is remembered. One thread uses one Configuration.
struct Configuration {
  double t = 0;  ///< [s]
  Vector q{};
  Vector switches{};  ///< 1: on, 0: off; or a number
  Vector measured{};  ///< forces of the last step that conditions of events use
  Vector cache{};
  mutable Arena scratch{};         ///< for the own use of the functions that take it
  mutable ContactSearch search{};  ///< likewise, of find_contacts()
};

/// What may make the bodies of a contact pass through each other (theory 4.20).
struct PassingLimit {
  double depth = INFINITY;  ///< overlap from which they are still pushed back (theory 7.27) [m]
  bool may_jump = false;    ///< they may meet in a place that was not there before
  double size = INFINITY;   ///< of the smaller of them, across [m]
  double speed = 0;         ///< of their points against each other, at most [m/s]
  double angular = 0;       ///< sum of their angular speeds [rad/s]
  /// How much faster than where they are closest they may approach each other elsewhere, because
  /// they turn [m/s]; and how fast that may change [m/s²]. Infinite: nothing is known.
  double turning = INFINITY, bend = INFINITY;
};

/// Position and velocity of a body's frame, in the world.
struct BodyMotion {
  Vec3 p_W = Vec3::Zero();                  ///< [m]
  Eigen::Vector4d orientation{1, 0, 0, 0};  ///< unit quaternion w, x, y, z (space)
  double angle = 0;                         ///< [rad] (plane)
  Vec3 v_W = Vec3::Zero();                  ///< [m/s]
  Vec3 w_W = Vec3::Zero();                  ///< [rad/s]; in the plane only z
};

struct LastStep;
struct OutputContext;

/// A mechanism as equations: M(q,t) u̇ = h(t,q,u) + W λ, q̇ = N(q) u, gaps, directions, and bilateral
/// rows (theory 2.1). Const after construction and without memory, so threads may share it. Users
/// derive their own; models are assembled into one.
class System {
 public:
  virtual ~System() = default;
  const SystemInfo& info() const { return info_; }

  /// Fill c.cache from c.t and c.q.
  virtual void configure(Configuration& c) const;

  /// q̇ = N(q) u, and the rates of the states. By default N = I, without states.
  virtual void position_rate(const Configuration& c, const Vector& u, VectorRef rate) const;

  /// The rates of info().states at a configuration that is configured, at the velocity u.
  virtual void write_state_rates(const Configuration& c, const Vector& u, VectorRef rates) const;

  /// The position reached from q by the velocity u in the time dt: q + dt N(q) u, unless a System
  /// knows better (unit quaternions). States stay what they are.
  virtual void advance(const Vector& q, const Vector& u, double dt, Vector& end) const;

  /// The full symmetric M(q, t) [kg, kg m²]; entries are zero on entry.
  virtual void mass(const Configuration& c, MatrixRef M) const = 0;

  /// M in a form that solve_mass() can use; by default M = L D Lᵀ. `factors` has the size that the
  /// last call left it with. False if M is not positive definite.
  virtual bool factor_mass(const Configuration& c, Matrix& factors) const;

  /// x = M⁻¹ x with the factors of factor_mass().
  virtual void solve_mass(const Configuration& c, const Matrix& factors, VectorRef x) const;

  /// The same where x is zero but for the entries of these mass blocks. By default solve_mass().
  virtual void solve_mass_blocks(const Configuration& c, const Matrix& factors,
                                 std::span<const int> blocks, VectorRef x) const;

  /// ½ uᵀ M u [J]. `scratch` is for the function's own use.
  virtual double kinetic_energy(const Configuration& c, const Vector& u) const;

  /// h(t, q, u): applied and gyroscopic forces [N, N m].
  virtual void force(const Configuration& c, const Vector& u, VectorRef h) const = 0;

  /// ∂f/∂x of the states' rates, ∂f/∂u, and ∂f/∂q N (along each velocity coordinate), one column
  /// per derivative; ∂f/∂t; and ∂h/∂x. By default by central differences, of states as of numbers
  /// that are about one: a System whose states are far smaller gives its own.
  virtual void state_rate_state_jacobian(const Configuration& c, const Vector& u,
                                         MatrixRef df_dx) const;
  virtual void state_rate_velocity_jacobian(const Configuration& c, const Vector& u,
                                            MatrixRef df_du) const;
  virtual void state_rate_position_jacobian(const Configuration& c, const Vector& u,
                                            MatrixRef df_dq) const;
  virtual void state_rate_time_derivative(const Configuration& c, const Vector& u,
                                          VectorRef df_dt) const;
  virtual void force_state_jacobian(const Configuration& c, const Vector& u, MatrixRef dh_dx) const;

  /// ∂h/∂u, and ∂h/∂q N (along each velocity coordinate). By default by central differences.
  virtual void force_velocity_jacobian(const Configuration& c, const Vector& u,
                                       MatrixRef dh_du) const;
  virtual void force_position_jacobian(const Configuration& c, const Vector& u,
                                       MatrixRef dh_dq) const;

  /// ∂h/∂t. By default by central differences, as all derivatives below: implicit methods use them
  /// (theory 12.8), and a System that gives its own makes those faster and more exact.
  virtual void force_time_derivative(const Configuration& c, const Vector& u,
                                     VectorRef dh_dt) const;

  /// ∂(M a)/∂q N for a given a.
  virtual void mass_position_jacobian(const Configuration& c, const Vector& a,
                                      MatrixRef dMa_dq) const;

  /// J += ∂(W λ)/∂q N for given forces λ along the rows of a contact that was found at c (normal,
  /// tangents), of all bilateral rows, and of all relays. With λ = (1, 0, 0) the first is the
  /// Hessian of the gap.
  virtual void add_contact_jacobian(const Configuration& c, const ContactFrame& frame,
                                    const ContactVelocity& lambda, MatrixRef J) const;
  virtual void add_bilateral_jacobian(const Configuration& c, const VectorView& lambda,
                                      MatrixRef J) const;
  virtual void add_relay_jacobian(const Configuration& c, const VectorView& lambda,
                                  MatrixRef J) const;

  /// The contacts whose gap is at most `reach` [m], in ascending order of their keys, appended to
  /// `frames`; infinite: all that there can be. `remembered` are those of the state, in the same
  /// order, for methods that track contacts. By default the listed ones, see gaps().
  virtual void find_contacts(const Configuration& c, double reach,
                             std::span<const ContactRecord> remembered,
                             std::vector<ContactFrame>& frames) const;

  /// One contact wherever it is. False if it has no place now: beyond the end of a guide, say.
  virtual bool find_contact(const Configuration& c, const ContactKey& key,
                            ContactFrame& frame) const;

  /// The same, with what the state remembers, for methods that track contacts. By default
  /// find_contact().
  virtual bool follow_contact(const Configuration& c, const ContactKey& key,
                              std::span<const ContactRecord> remembered, ContactFrame& frame) const;

  /// γ = Wᵀu + w of a contact that was found at c [m/s]: the normal row (γ_N = ġ), then its
  /// tangents. W has one column per row; W and w are zero on entry. By default contact_rows().
  virtual void write_contact_rows(const Configuration& c, const ContactFrame& frame, MatrixRef W,
                                  VectorRef w) const;

  /// b with γ̇ = Wᵀu̇ + b of the rows of contacts that were found at c [m/s²]. By default by central
  /// differences.
  virtual void write_contact_biases(const Configuration& c, const Vector& u,
                                    std::span<const ContactFrame> frames,
                                    std::span<ContactVelocity> biases) const;

  /// γ of contacts that were found at c. By default from their rows.
  virtual void write_contact_velocities(const Configuration& c, const Vector& u,
                                        std::span<const ContactFrame> frames,
                                        std::span<ContactVelocity> velocities) const;

  /// How far bodies that may touch move against each other in a step at the velocity u, at most, if
  /// that is so far that they may pass through each other unseen (theory 4.20); else 0 [m]. Cheap,
  /// for every step asks if SystemInfo::passable says so. By default no body is ever that fast.
  virtual double passing_travel(const Configuration& c, const Vector& u, double step) const;

  /// Then, how far from each other contacts are, at most `travel`, that one search for bodies in
  /// their way should find: nothing else meets before bodies have moved so far. By default all.
  virtual double passing_reach(const Configuration& c, double travel) const;

  /// Then, for contacts that were found at c, whether their bodies may. By default they may not.
  virtual void write_passing_limits(const Configuration& c, const Vector& u,
                                    std::span<const ContactFrame> frames,
                                    std::span<PassingLimit> limits) const;

  /// As results call it. By default the name of the pair.
  virtual std::string contact_name(const ContactKey& key) const;

  /// For Systems whose contacts are a fixed list, info().contacts: g of all of them [m], > 0 open.
  virtual void gaps(const Configuration& c, VectorRef g) const;

  /// And the rows of one of them, as write_contact_rows() has them.
  virtual void contact_rows(const Configuration& c, int contact, MatrixRef W, VectorRef w) const;

  /// And, for output only, where it is. By default unknown (zero).
  virtual ContactPoint contact_point(const Configuration& c, int contact) const;

  /// Errors of the bilateral rows [m, rad], zero when they hold.
  virtual void bilateral_errors(const Configuration& c, VectorRef g) const;

  /// γ = Wᵀu + w of all bilateral rows, the rate of their errors. W has one column per row.
  virtual void bilateral_rows(const Configuration& c, MatrixRef W, VectorRef w) const;

  /// One of these rows: w is returned, W is zero on entry. Systems whose rows act on few of many
  /// mass blocks give it; by default it is picked from all.
  virtual double bilateral_row(const Configuration& c, int row, VectorRef W) const;

  /// b with γ̇ = Wᵀu̇ + b for the bilateral rows [m/s²]. By default by central differences.
  virtual void bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const;

  /// γ = Wᵀu + w of all rows of info().relays, and the strength of each [N, N m].
  virtual void relay_rows(const Configuration& c, MatrixRef W, VectorRef w, VectorRef limit) const;

  /// One of these rows, as bilateral_row().
  virtual double relay_row(const Configuration& c, int row, VectorRef W, double& limit) const;

  /// Of relays with a coefficient of friction, what presses their faces together in a step [N],
  /// times its lever where the row is a torque [N m] (theory 6.19); zero of others. By default all
  /// zero.
  virtual void relay_loads(const LastStep& step, VectorRef loads) const;

  /// x of those rows that are preloads, with γ = ẋ [m, rad]. Entries are zero on entry.
  virtual void relay_displacements(const Configuration& c, VectorRef x) const;

  /// Energy of those forces in h that have a potential [J]. By default 0.
  virtual double potential_energy(const Configuration& c) const;

  /// Power of those forces in h that have none: dampers, motors, moving potentials [W], as they are
  /// at the velocity u, along a velocity, which mostly is u itself. Gyroscopic forces have no
  /// power. By default 0.
  virtual double applied_power(const Configuration& c, const Vector& u, const Vector& along) const;

  /// Of the events without a time: each happens when its value becomes positive. Entries are zero
  /// on entry.
  virtual void event_conditions(const Configuration& c, const Vector& u, VectorRef values) const;

  /// An item of info().switches was turned on at c: what it goes on from becomes part of
  /// c.switches. By default there is nothing to keep.
  virtual void capture(Configuration& c, int item) const;

  /// What conditions of events need of a step: into Configuration::measured. By default nothing.
  virtual void measure(const LastStep& last, VectorRef measured) const;

  /// For messages: the item of the model whose formula gives a number that is not finite at c and
  /// u; none: it is not known. By default it is not.
  virtual std::optional<Origin> find_not_finite(const Configuration& c, const Vector& u) const;

  /// For output: how a body of info().bodies moves.
  virtual BodyMotion body_motion(const Configuration& c, const Vector& u, int body) const;
  /// The same of all bodies. By default one by one.
  virtual void body_motions(const Configuration& c, const Vector& u,
                            std::span<BodyMotion> motions) const;

  /// For output: what joints did in a step, one by one, as forces and torques (theory 6.10). By
  /// default there are none.
  virtual void reactions(const LastStep& last, VectorRef values) const;

  /// For output: the quantities of info().outputs after a step, with what joints did since the row
  /// before. Entries are zero on entry.
  virtual void outputs(const OutputContext& context, VectorRef values) const;

 protected:
  /// Checks the info: sizes, laws, names that occur twice.
  explicit System(SystemInfo info);

 private:
  ContactFrame listed_frame(int contact, double gap) const;

  SystemInfo info_;
};

/// Places where there may be a contact, all in all.
long candidates(const SystemInfo& info);

/// How many contacts to reserve memory for: all that there can be, or many.
std::size_t usual_contacts(const SystemInfo& info);

/// The configuration at t and q, with what is switched on at the start.
Configuration configuration(const System& system, double t, const Vector& q);

}  // namespace backlash
