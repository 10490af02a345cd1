// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/model_reader.h"

#include <cmath>
#include <fstream>
#include <numbers>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/moreau/moreau_options.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using std::numbers::pi;
using testing::ElementsAre;

constexpr const char* slider_crank = R"(backlash: 1
title: Slider-crank with a translational clearance joint
parameters: {l1: 153 mm, l2: 306 mm, a: 50 mm, b: 25 mm, c: 1 mm}
gravity: [0, -9.81]
bodies:
  crank:  {mass: 0.038, inertia: 7.4e-5, com: [l1/2, 0]}
  rod:    {mass: 0.038, inertia: 5.9e-4, com: [l2/2, 0]}
  slider: {mass: 0.076, inertia: 2.7e-6, shape: {box: [2*a, 2*b]}}
joints:
  main:  {type: revolute, between: [ground, crank], at: [[0, 0], [0, 0]], initial: {angle: 0, speed: 150}}
  big:   {type: revolute, between: [crank, rod],    at: [[l1, 0], [0, 0]], initial: {angle: 0, speed: -225}}
  small: {type: revolute, between: [rod, slider],   at: [[l2, 0], [0, 0]], initial: {angle: 0, speed: 75}}
  guide: {type: prismatic, between: [ground, slider], axis: [1, 0], clearance: {length: 2*a, width: 2*b, gap: c, law: steel}}
laws:
  steel: {restitution: 0.4, tangential_restitution: 0, friction: 0.01}
simulation: {method: moreau, solver: lemke, coordinates: joint, step: 1e-5, until: 0.1}
output: {every: 1e-4, points: {nose: {body: slider, at: [a, 0]}}}      # every: step records each step
)";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Model model_of(const std::string& text) { return parse_model(text, "model.yaml"); }

TEST(ModelReader, ReadsTheSliderCrankOfTheDesign) {
  const Model model = model_of(slider_crank);
  EXPECT_EQ(model.title, "Slider-crank with a translational clearance joint");
  EXPECT_EQ(model.gravity, Vec3(0, -9.81, 0));
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(model.bodies[0].name, "crank");
  EXPECT_EQ(model.bodies[0].mass, 0.038);
  EXPECT_EQ(model.bodies[0].inertia.zz, 7.4e-5);
  EXPECT_EQ(model.bodies[0].com, Vec3(0.153 / 2, 0, 0));
  const Polygon& box = std::get<Polygon>(find_shape(model, {"slider", "shape"})->shape);
  EXPECT_EQ(box.corners[2], Vec2(0.05, 0.025));

  const Joint& big = *find_joint(model, "big");
  EXPECT_EQ(big.body_A, "crank");
  EXPECT_EQ(big.body_B, "rod");
  EXPECT_EQ(std::get<Revolute>(big.kind).p_AP, Vec3(0.153, 0, 0));
  EXPECT_EQ(big.initial[0].position, 0.0);
  EXPECT_EQ(big.initial[0].speed, -225.0);
  EXPECT_FALSE(big.clearance);

  const Joint& guide = *find_joint(model, "guide");
  EXPECT_EQ(std::get<Prismatic>(guide.kind).axis_A, Vec3(1, 0, 0));
  EXPECT_FALSE(guide.initial[0].position);
  const auto& clearance = std::get<PrismaticClearance>(*guide.clearance);
  EXPECT_EQ(clearance.gap, 0.001);
  EXPECT_EQ(clearance.length, 0.1);
  EXPECT_EQ(clearance.width, 0.05);
  EXPECT_EQ(clearance.guide_to, INFINITY);
  EXPECT_EQ(clearance.law, "steel");

  const ContactLaw& steel = std::get<ContactLaw>(find_law(model, "steel")->law);
  EXPECT_EQ(steel.restitution, 0.4);
  EXPECT_EQ(steel.friction, 0.01);
  EXPECT_EQ(steel.impact, ImpactLaw::newton);
  const MoreauOptions options = moreau_options(model.simulation.options);
  EXPECT_EQ(options.solver, "lemke");
  EXPECT_EQ(options.step, 1e-5);
  EXPECT_EQ(model.simulation.until, 0.1);
  EXPECT_EQ(options.force_velocity, ForceVelocity::midpoint);
  EXPECT_EQ(model.output.every, 1e-4);
  EXPECT_EQ(model.output.points[0].at.p_B, Vec3(0.05, 0, 0));
}

TEST(ModelReader, KeepsParametersAsWrittenAndWhereTheyStand) {
  const Model model = model_of(slider_crank);
  ASSERT_EQ(model.parameters.size(), 5u);
  const Parameter& c = model.parameters[4];
  EXPECT_EQ(c.name, "c");
  EXPECT_EQ(c.value, 0.001);
  EXPECT_EQ(c.text, "1 mm");
  EXPECT_EQ(c.unit, "m");
  EXPECT_TRUE(c.used);
  EXPECT_EQ(to_string(c.where), "model.yaml:3:61: parameters.c");
  EXPECT_EQ(to_string(find_joint(model, "guide")->where), "model.yaml:13:10: joints.guide");
}

TEST(ModelReader, ReadsEveryKindOfItem) {
  const Model model = read_model(source_folder() + "/tests/fuzz/seeds/all_keys.yaml");
  std::vector<bool> joints(std::variant_size_v<JointKind>),
      forces(std::variant_size_v<ForceElement>), shapes(std::variant_size_v<Shape>);
  for (const Joint& joint : model.joints) joints[joint.kind.index()] = true;
  joints[JointKind(Spherical{}).index()] =
      true;  // of mechanisms in space, which files have not yet
  for (const Force& force : model.forces) forces[force.element.index()] = true;
  for (const Body& body : model.bodies)
    for (const BodyShape& shape : body.shapes) shapes[shape.shape.index()] = true;
  for (const BodyShape& shape : model.ground.shapes) shapes[shape.shape.index()] = true;
  EXPECT_THAT(joints, testing::Each(true));
  EXPECT_THAT(forces, testing::Each(true));
  EXPECT_THAT(shapes, testing::Each(true));
}

TEST(ModelReader, GivesEveryValueInSi) {
  const Model model = read_model(source_folder() + "/tests/fuzz/seeds/all_keys.yaml");
  const Frame& pivot = model.ground.frames[0];
  EXPECT_EQ(pivot.X_BF.p, Vec3(0, 0.5, 0));
  EXPECT_DOUBLE_EQ(pivot.X_BF.rotation.z(), pi / 6);
  EXPECT_EQ(std::get<Revolute>(find_joint(model, "main")->kind).p_AP,
            Vec3(0, 0.5, 0));  // at: pivot
  EXPECT_EQ(std::get<Revolute>(find_joint(model, "shaft")->kind).p_AP, Vec3(0.2, 0, 0));
  const Vec3 axis = std::get<Prismatic>(find_joint(model, "guide")->kind).axis_A;
  EXPECT_NEAR(axis.x(), 0, 1e-16);
  EXPECT_EQ(axis.y(), 1);
  EXPECT_DOUBLE_EQ(find_joint(model, "main")->limits->upper, 2 * pi);
  const Spring& spring = std::get<Spring>(find_force(model, "spring")->element);
  EXPECT_EQ(spring.stiffness, 12000);
  EXPECT_EQ(spring.dead_band, 0.001);
  EXPECT_EQ(spring.from.body, "ground");
  EXPECT_EQ(spring.from.p_B, Vec3(0, 0.5, 0));
  const Motor& motor = std::get<Motor>(find_force(model, "drive")->element);
  EXPECT_DOUBLE_EQ(motor.no_load_speed, 100 * pi);
  EXPECT_DOUBLE_EQ(std::get<ContactLaw>(find_law(model, "steel")->law).friction, 0.1);
  EXPECT_EQ(equal_step(model.simulation), 1e-5);
}

TEST(ModelReader, AWeightFollowsFromDensityAndShape) {
  const Model model = model_of(R"(backlash: 1
bodies:
  plate: {density: 7800, thickness: 10 mm, shape: {box: [0.2, 0.1], at: [0.1, 0.05]}}
  disk: {density: 7800, thickness: 10 mm, shape: {circle: 0.1}}
)");
  const Body &plate = model.bodies[0], &disk = model.bodies[1];
  const double m = 7800 * 0.01 * 0.2 * 0.1;
  EXPECT_NEAR(plate.mass, m, 1e-12);
  EXPECT_NEAR((plate.com - Vec3(0.1, 0.05, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(plate.inertia.zz, m * (0.2 * 0.2 + 0.1 * 0.1) / 12, 1e-12);
  EXPECT_NEAR(disk.inertia.zz, disk.mass * 0.1 * 0.1 / 2, 1e-12);
}

TEST(ModelReader, ADriveHasItsSpeedAndAcceleration) {
  const Model model = read_model(source_folder() + "/tests/fuzz/seeds/all_keys.yaml");
  const double t = 0.3;
  const Jet angle = find_joint(model, "main")->drive->position.jet(t);
  EXPECT_DOUBLE_EQ(angle.value, pi / 9 + 3 * t + 0.1 * std::sin(2 * t));
  EXPECT_DOUBLE_EQ(angle.first, 3 + 0.2 * std::cos(2 * t));
  EXPECT_DOUBLE_EQ(angle.second, -0.4 * std::sin(2 * t));
  EXPECT_DOUBLE_EQ(find_joint(model, "turn")->drive->position.jet(t).first, 200 * pi / 30);
}

TEST(ModelReader, AForceKnowsTheSignalsOfItsFormula) {
  const Model model = read_model(source_folder() + "/tests/fuzz/seeds/all_keys.yaml");
  const Torque& brake = std::get<Torque>(find_force(model, "brake")->element);
  EXPECT_THAT(brake.torque.signals, ElementsAre(Signal{SignalKind::joint_velocity, "main", 0}));
  EXPECT_DOUBLE_EQ(brake.torque.expression.at(7), -0.07);
  const PointForce& push = std::get<PointForce>(find_force(model, "push")->element);
  EXPECT_THAT(push.y.signals, ElementsAre(Signal{SignalKind::body_vy, "rod", 0}));
}

TEST(ModelReader, ContactsAreSpelledOut) {
  const Model model = read_model(source_folder() + "/tests/fuzz/seeds/all_keys.yaml");
  const ContactPair& landing = model.contacts[0];
  EXPECT_THAT(landing.A, ElementsAre(ShapeName{"plate", "body"}, ShapeName{"plate", "knob"},
                                     ShapeName{"plate", "tip"}));
  EXPECT_THAT(landing.B, ElementsAre(ShapeName{"ground", "floor"}, ShapeName{"ground", "wall"}));
  EXPECT_THAT(model.contacts[1].B,
              ElementsAre(ShapeName{"plate", "knob"}, ShapeName{"crank", "shape"}));
}

TEST(ModelReader, ParametersMayStandInAnyOrder) {
  const Model model = model_of(R"(backlash: 1
parameters: {area: width^2, width: 2*height, height: 3 mm}
bodies: {a: {mass: area*1 kg/m^2}}
)");
  EXPECT_EQ(model.bodies[0].mass, 36e-6);
}

TEST(ModelReader, SetReplacesParametersAndWhatDependsOnThem) {
  const std::vector<ParameterOverride> set{parse_override("c=0.5 mm"), parse_override("a=2*b")};
  const Model model = parse_model(slider_crank, "model.yaml", set);
  const auto& clearance = std::get<PrismaticClearance>(*find_joint(model, "guide")->clearance);
  EXPECT_EQ(clearance.gap, 0.0005);
  EXPECT_EQ(clearance.length, 0.1);
  EXPECT_EQ(model.parameters[4].text, "0.5 mm");
}

TEST(ModelReader, SaysThatAnIncludedFileIsNotThereBesideAModelInTheCurrentFolder) {
  const TemporaryFolder folder;
  std::ofstream(folder / "model.yaml") << "backlash: 1\ninclude: nothere.yaml\n";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_THAT([] { read_model("model.yaml"); },
              ThrowsMessage<InputError>(HasSubstr("there is no file")));
  std::filesystem::current_path(before);
}

TEST(ModelReader, IncludesExtendAFileAndItsOwnParametersWin) {
  const TemporaryFolder folder;
  std::ofstream(folder / "base.yaml") << slider_crank;
  std::filesystem::create_directory(folder / "studies");
  std::ofstream(folder / "studies" / "ideal.yaml") << R"(backlash: 1
include: ../base.yaml
parameters: {c: 2 mm}
simulation: {step: 1 us}
laws: {rubber: {restitution: 0.9}}
)";
  EXPECT_THAT([&] { read_model(folder / "studies" / "ideal.yaml"); },
              ThrowsMessage<InputError>(HasSubstr("ideal.yaml:2:10: include: '../base.yaml' lies "
                                                  "outside of the model's folder")));
  const std::filesystem::path allowed[] = {folder.path()};
  const Model model = read_model(folder / "studies" / "ideal.yaml", {}, {}, allowed);
  EXPECT_EQ(std::get<PrismaticClearance>(*find_joint(model, "guide")->clearance).gap, 0.002);
  EXPECT_EQ(equal_step(model.simulation), 1e-6);
  EXPECT_EQ(model.simulation.until, 0.1);
  EXPECT_EQ(model.laws.size(), 2u);
  EXPECT_EQ(model.files.size(), 2u);
}

TEST(ModelReader, SchemaNamesEveryKeyAndForbidsOthers) {
  const nlohmann::json schema = nlohmann::json::parse(model_schema());
  const nlohmann::json& definitions = schema["definitions"];
  EXPECT_EQ(definitions["model"]["required"], nlohmann::json::array({"backlash"}));
  EXPECT_TRUE(definitions["body"]["properties"].contains("mass"));
  for (const auto& [name, definition] : definitions.items()) {
    SCOPED_TRACE(name);
    if (name == "repeat") continue;  // its keys are the names of indices
    if (definition.contains("allOf"))
      for (const nlohmann::json& variant : definition["allOf"])
        EXPECT_EQ(variant["then"]["additionalProperties"], false);
    else
      EXPECT_EQ(definition["additionalProperties"], false);
  }
}

/// All "#/definitions/…" of a schema.
void collect_references(const nlohmann::json& node, std::vector<std::string>& found) {
  if (node.is_object() && node.contains("$ref") && node["$ref"].is_string())
    found.push_back(node["$ref"].get<std::string>().substr(14));
  if (node.is_structured())
    for (const nlohmann::json& child : node) collect_references(child, found);
}

TEST(ModelReader, SchemaRefersOnlyToWhatItDefines) {
  const nlohmann::json schema = nlohmann::json::parse(model_schema());
  std::vector<std::string> references;
  collect_references(schema, references);
  for (const std::string& name : references)
    EXPECT_TRUE(schema["definitions"].contains(name)) << name;
}

TEST(ModelReader, ReferencePageHoldsTheTablesOfTheReader) {
  const std::string page = text_of(source_folder() + "/docs/reference/model-file.md");
  EXPECT_NE(page.find(model_reference()), std::string::npos)
      << "docs/reference/model-file.md must end with:\n"
      << model_reference();
}

TEST(ModelReader, ReadsAllExamples) {
  const std::filesystem::path examples = source_folder() + "/examples";
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    SCOPED_TRACE(entry.path());
    const std::filesystem::path file = entry.path() / "model.yaml";
    if (!std::filesystem::exists(file)) continue;
    EXPECT_NO_THROW(read_model(file));
    ++models;
  }
  EXPECT_GE(models, 15);
}

}  // namespace
}  // namespace backlash
