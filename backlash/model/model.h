// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "backlash/base/source_location.h"
#include "backlash/laws/contact_law.h"
#include "backlash/model/body.h"
#include "backlash/model/compliant_description.h"
#include "backlash/model/contact_pair.h"
#include "backlash/model/force.h"
#include "backlash/model/joint.h"
#include "backlash/model/model_text.h"
#include "backlash/model/options.h"
#include "backlash/model/output_quantity.h"
#include "backlash/model/plot_set.h"
#include "backlash/model/profile.h"
#include "backlash/model/state_variable.h"

namespace backlash {

/// A number with a name that the rest of the model uses.
struct Parameter {
  std::string name{};
  double value = 0;    ///< SI
  std::string text{};  ///< as written: "1 mm", "2*(b + c)"
  std::string unit{};  ///< SI unit, as far as it is known: "m"
  bool used = false;   ///< by anything else in the model
  SourceLocation where{};
};

/// All kinds of law that a contact may have: set-valued, or a force.
using LawKind = std::variant<ContactLaw, CompliantDescription>;

struct NamedLaw {
  std::string name{};
  LawKind law{};
  SourceLocation where{};
};

/// What an event does to an item of the model: it turns it on or off, or sets its value.
struct EventAction {
  enum class Kind {
    force,
    contact,
    drive,     ///< of a joint
    lock,      ///< of a joint: its coordinate stays where it is
    parameter  ///< that formulas of forces, events and states use
  };
  Kind kind = Kind::force;
  std::string item{};  ///< its name; of a drive or a lock that of the joint
  bool on = true;
  double value = 0;  ///< of a parameter, SI
};

/// Happens at a time, when a formula of the state becomes positive (a comparison: true), or with
/// another event.
struct ModelEvent {
  std::string name{};
  /// [s], the formula, or the name of the other event
  std::variant<double, SignalExpression, std::string> when{0.0};
  std::vector<EventAction> actions{};
  bool stop = false;  ///< end the run
  bool once = true;   ///< not again when the formula becomes positive again
  SourceLocation where{};
};

enum class Coordinates {
  joint,    ///< along a spanning tree of the joints; the other joints close loops
  absolute  ///< three for each body; all joints are constraints
};

/// How the motion is computed.
struct SimulationOptions {
  std::string method = "moreau";  ///< a name of the table of integrators
  Options options{};              ///< of the method
  double until = 1;               ///< [s]
  Coordinates coordinates = Coordinates::joint;
  double initial_penetration = 1e-6;  ///< deeper overlap at the start is an error [m]
  double energy_error = 0.1;  ///< of the energy at hand; a method that makes or loses more fails
  SourceLocation where{};
};

/// A point whose motion is recorded.
struct OutputPoint {
  std::string name{};
  Attachment at{};
  SourceLocation where{};
};

struct OutputOptions {
  /// Time between rows [s]; 0: each step; absent: about 2000 of them, at equal distances.
  std::optional<double> every{};
  std::vector<OutputPoint> points{};
  std::vector<OutputQuantity> quantities{};
  std::vector<PlotSet> plots{};  ///< that its results are worth being looked at by
  SourceLocation where{};
};

/// Where a model moves. In the plane, the x-y plane, of all vectors only x and y count, of
/// rotations and inertias only those about z.
enum class ModelSpace { plane, space };

/// Where a run begins.
enum class InitialPositions {
  given,       ///< where joints and bodies say, with loops closed
  equilibrium  ///< at rest where forces and contacts balance, found from there
};

/// What the user said, as plain data; names refer to items of the same model.
struct Model {
  std::string title{};
  std::vector<Parameter> parameters{};
  ModelSpace space = ModelSpace::plane;
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
  std::vector<ModelProfile> profiles{};
  Body ground{.name = std::string(ground_name)};  ///< its shapes and frames
  std::vector<Body> bodies{};
  std::vector<Joint> joints{};
  std::vector<Force> forces{};
  std::vector<StateVariable> states{};
  std::vector<ContactPair> contacts{};
  std::vector<NamedLaw> laws{};
  std::vector<ModelEvent> events{};
  SimulationOptions simulation{};
  OutputOptions output{};
  InitialPositions initial = InitialPositions::given;
  SourceLocation initial_where{};
  std::vector<ModelText> files{};  ///< that it was read from, the main one first
};

/// The item of that name, or null. Ground is a body.
const Body* find_body(const Model& model, std::string_view name);
const Joint* find_joint(const Model& model, std::string_view name);
const Force* find_force(const Model& model, std::string_view name);
const StateVariable* find_state(const Model& model, std::string_view name);
const ContactPair* find_contact(const Model& model, std::string_view name);
const ModelProfile* find_profile(const Model& model, std::string_view name);
const Parameter* find_parameter(const Model& model, std::string_view name);
const NamedLaw* find_law(const Model& model, std::string_view name);
const BodyShape* find_shape(const Model& model, const ShapeName& name);
const Frame* find_frame(const Body& body, std::string_view name);
int find_event(const Model& model, std::string_view name);  ///< its number; −1: there is none

/// Throw InputError at the first item that makes no sense: numbers out of range, names that occur
/// twice or refer to nothing.
void validate(const Model& model);

/// Throw InputError unless a run that ends at `until` [s] has something to record.
void validate_output(const OutputOptions& output, double until);

}  // namespace backlash
