// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/free_impact.h"

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/laws/hysteresis.h"
#include "support/paths.h"

namespace backlash {
namespace {

constexpr double mass = 0.7, speed = 1.3;

/// Names in tests/data/universal_impact.csv.
const std::map<std::string, std::string_view> rule_names = {
    {"Hertz", "hertz"},
    {"HuntCrossley", "hunt-crossley"},
    {"HerbertMcWhannell", "herbert-mcwhannell"},
    {"LeeWang", "lee-wang"},
    {"LankaraniNikravesh", "lankarani-nikravesh"},
    {"ZhiyingQishao", "zhiying-qishao"},
    {"HuGuo", "hu-guo"},
    {"FloresEtAl", "flores"},
    {"GonthierApprox", "gonthier"},
    {"GonthierExact", "calibrated"},
};

struct Row {
  std::string_view rule;
  double n, e, a, depth, compression, restitution_time, total, restitution, force;
};

std::vector<Row> reference_rows() {
  std::ifstream in(data_folder() + "/universal_impact.csv");
  std::vector<Row> rows;
  std::string line, name;
  std::getline(in, line);
  while (std::getline(in, line)) {
    for (char& c : line)
      if (c == ',') c = ' ';
    std::istringstream cells(line);
    Row row{};
    cells >> name >> row.n >> row.e >> row.a >> row.depth >> row.compression >>
        row.restitution_time >> row.total >> row.restitution >> row.force;
    row.rule = rule_names.at(name);
    rows.push_back(row);
  }
  return rows;
}

HystereticForce force_of(const Row& row, double stiffness) {
  const double a = hysteresis_of(*find_hysteresis_rule(row.rule), row.e, "contact");
  return {.stiffness = stiffness, .exponent = row.n, .hysteresis = a};
}

void expect_row(const Row& row, const FreeImpact& found, double stiffness, double accuracy) {
  const double length = std::pow(mass * speed * speed / stiffness, 1 / (row.n + 1));
  const double time = length / speed, force = stiffness * std::pow(length, row.n);
  EXPECT_TRUE(found.complete);
  EXPECT_NEAR(found.restitution, row.restitution, accuracy);
  EXPECT_NEAR(found.compression_time / time, row.compression, accuracy * row.compression);
  EXPECT_NEAR(found.restitution_time / time, row.restitution_time, accuracy * row.restitution_time);
  EXPECT_NEAR((found.compression_time + found.restitution_time) / time, row.total,
              accuracy * row.total);
  EXPECT_NEAR(found.peak_force / force, row.force, accuracy * row.force);
  EXPECT_NEAR(found.peak_depth / length, row.depth, accuracy * row.depth);
}

TEST(FreeImpact, AgreesWithTheUniversalTableForAllRules) {
  const std::vector<Row> rows = reference_rows();
  ASSERT_EQ(rows.size(), 92u);
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.rule) + " " + std::to_string(row.e) + " " + std::to_string(row.n));
    const HystereticForce force = force_of(row, 3e9);
    EXPECT_NEAR(force.hysteresis, row.a, 1e-13 * (1 + row.a));
    expect_row(row, free_impact(force, mass, speed), force.stiffness, 3e-13);
  }
}

TEST(FreeImpact, ByIntegrationAgreesWithTheUniversalTable) {
  for (const Row& row : reference_rows()) {
    SCOPED_TRACE(std::string(row.rule) + " " + std::to_string(row.e) + " " + std::to_string(row.n));
    const HystereticForce force = force_of(row, 3e9);
    expect_row(row, integrated_impact(force, mass, speed), force.stiffness, 1e-9);
  }
}

TEST(FreeImpact, IsTheSameForEveryMassSpeedAndStiffnessButForItsScale) {
  const HystereticForce soft{.stiffness = 2, .exponent = 2.2, .hysteresis = 0.8};
  const HystereticForce hard{.stiffness = 5e10, .exponent = 2.2, .hysteresis = 0.8};
  const FreeImpact a = free_impact(soft, 2, 1);  // L = 1
  const FreeImpact b = free_impact(hard, 1e-3, 70);
  const double length = std::pow(1e-3 * 70 * 70 / 5e10, 1 / 3.2);
  EXPECT_NEAR(b.restitution, a.restitution, 1e-15);
  EXPECT_NEAR(b.peak_depth, a.peak_depth * length, 1e-13 * length);
  EXPECT_NEAR(b.compression_time, a.compression_time * length / 70, 1e-13 * length);
}

TEST(FreeImpact, TendsToTheElasticOneWithItsHysteresis) {
  for (const double a : {1e-15, 1e-11, 1e-8, 1e-5}) {
    const FreeImpact found = free_impact(HystereticForce{1, 1, a}, 1, 1);
    EXPECT_NEAR(found.restitution, 1 - 2 * a / 3, a * a + 1e-15);
    EXPECT_NEAR(found.compression_time, std::numbers::pi / 2, 2 * a + 1e-12);
    EXPECT_NEAR(found.peak_force, 1, a + 1e-12);
  }
}

/// Beyond a ≈ 40 the exit is a creep at v/a, which takes all the time.
TEST(FreeImpact, CreepsOutWhereTheHysteresisIsGreat) {
  for (const double a : {1e2, 1e4, 1e6}) {
    const FreeImpact found = free_impact(HystereticForce{1, 1.5, a}, 1, 1);
    EXPECT_NEAR(found.restitution * a, 1, 1e-12);
    EXPECT_GT(found.restitution_time, found.peak_depth * a);
    EXPECT_LT(found.restitution_time, found.peak_depth * a * (1 + 20 / a));
  }
}

/// ζ of a spring and damper.
KelvinVoigt kelvin_voigt(double ratio) {
  return {.stiffness = 4e4, .damping = 2 * ratio * std::sqrt(4e4 * mass)};
}

TEST(KelvinVoigt, DeliversItsClosedFormWithoutTensionAtTheExit) {
  for (const double z : {0.01, 0.2, 0.5, 0.6, 0.707, 0.9}) {
    const double W = std::sqrt(1 - z * z);
    const double exact =
        std::exp(-z / W * (std::numbers::pi - std::atan2(2 * z * W, 1 - 2 * z * z)));
    EXPECT_NEAR(free_impact(kelvin_voigt(z), mass, speed).restitution, exact, 1e-14);
  }
  EXPECT_NEAR(free_impact(kelvin_voigt(1), mass, speed).restitution, std::exp(-2.0), 1e-12);
}

TEST(KelvinVoigt, HasTheSameImpactInClosedFormAndByIntegration) {
  for (const double z : {0.0, 0.1, 0.45, 0.5, 0.8, 1 - 1e-9, 1.0, 1.001, 1.5, 10.0}) {
    SCOPED_TRACE(z);
    const FreeImpact closed = free_impact(kelvin_voigt(z), mass, speed);
    const FreeImpact stepped = integrated_impact(kelvin_voigt(z), mass, speed);
    EXPECT_NEAR(closed.restitution, stepped.restitution, 1e-10);
    EXPECT_NEAR(closed.compression_time, stepped.compression_time, 1e-9 * stepped.compression_time);
    EXPECT_NEAR(closed.restitution_time, stepped.restitution_time, 1e-9 * stepped.restitution_time);
    EXPECT_NEAR(closed.peak_force, stepped.peak_force, 1e-10 * stepped.peak_force);
    EXPECT_NEAR(closed.peak_depth, stepped.peak_depth, 1e-10 * stepped.peak_depth);
  }
}

TEST(Anagnostopoulos, DeliversMoreThanAskedBecauseTheContactDoesNotPull) {
  EXPECT_EQ(anagnostopoulos(1, 4e4, mass).damping, 0);
  for (const double e : {0.9, 0.5, 0.1}) {
    const KelvinVoigt force = anagnostopoulos(e, 4e4, mass);
    const double z = force.damping / (2 * std::sqrt(4e4 * mass));
    EXPECT_NEAR(std::exp(-std::numbers::pi * z / std::sqrt(1 - z * z)), e, 1e-14);
    EXPECT_GT(free_impact(force, mass, speed).restitution, e);
  }
}

TEST(AdamsImpact, IsHertzWithoutDamping) {
  const HystereticForce hertz{.stiffness = 1e8};
  const AdamsImpact impact{.stiffness = 1e8, .damping = 0, .depth = 1e-3};
  const FreeImpact expected = free_impact(hertz, mass, speed);
  const FreeImpact found = free_impact(impact, mass, speed);
  EXPECT_NEAR(found.restitution, 1, 1e-11);
  EXPECT_NEAR(found.peak_force, expected.peak_force, 1e-11 * expected.peak_force);
  EXPECT_NEAR(found.peak_depth, expected.peak_depth, 1e-11 * expected.peak_depth);
  EXPECT_NEAR(found.compression_time, expected.compression_time, 1e-10 * expected.compression_time);
}

/// Where d is beyond all depths but tiny steps, the damper is always or never at full strength.
TEST(AdamsImpact, IsKelvinVoigtWhereItsDampingComesAtOnce) {
  const KelvinVoigt spring = kelvin_voigt(0.3);
  const auto restitution = [&](double depth) {
    return free_impact(AdamsImpact{spring.stiffness, 1, spring.damping, depth}, mass, speed)
        .restitution;
  };
  const double limit = free_impact(spring, mass, speed).restitution;
  EXPECT_NEAR(restitution(1e-8), limit, 1e-5);
  EXPECT_GT(restitution(1e-3), restitution(1e-5));
  EXPECT_NEAR(restitution(1e3), 1, 1e-8);
}

TEST(AdamsImpact, LosesWhatItsDamperTakes) {
  // Few losses: ∫c δ̇ dδ over the elastic path, in and out, with the damper at full strength.
  const AdamsImpact impact{.stiffness = 1e8, .exponent = 1.5, .damping = 1e-3, .depth = 1e-9};
  const FreeImpact elastic = free_impact(HystereticForce{.stiffness = 1e8}, mass, speed);
  // ∫δ̇ dδ = v δ_max ∫√(1 − x^{5/2}) dx = v δ_max (2/5) B(2/5, 3/2)
  const double beta = std::tgamma(0.4) * std::tgamma(1.5) / std::tgamma(1.9);
  const double loss = 2 * impact.damping * speed * elastic.peak_depth * 0.4 * beta;
  const double e = free_impact(impact, mass, speed).restitution;
  EXPECT_NEAR(mass * speed * speed * (1 - e * e) / 2, loss, 1e-4 * loss);
}

TEST(ForceFormula, HasTheImpactOfTheLawThatItSpells) {
  const Expression spelled =
      parse_expression("3e9*delta^1.5*(1 + 0.75*ddelta/ddelta0)", force_variables);
  const FreeImpact found = free_impact(ForceFormula{spelled}, mass, speed);
  const FreeImpact expected = free_impact(HystereticForce{3e9, 1.5, 0.75}, mass, speed);
  EXPECT_NEAR(found.restitution, expected.restitution, 1e-11);
  EXPECT_NEAR(found.peak_force, expected.peak_force, 1e-10 * expected.peak_force);
  EXPECT_NEAR(found.restitution_time, expected.restitution_time, 1e-9 * expected.restitution_time);
}

TEST(ForceFormula, ThatNeverPushesBackIsAnIncompleteImpact) {
  for (const char* text : {"0*delta", "-1e5*delta", "1e5*delta*step(ddelta)"}) {
    const FreeImpact found =
        free_impact(ForceFormula{parse_expression(text, force_variables)}, mass, speed);
    EXPECT_FALSE(found.complete) << text;
    EXPECT_EQ(found.restitution, 0) << text;
  }
}

TEST(ForceFormula, ThatIsNotANumberIsAnIncompleteImpact) {
  const Expression bad = parse_expression("1e9*delta*sqrt(1e-6 - delta)", force_variables);
  EXPECT_FALSE(free_impact(ForceFormula{bad}, mass, speed).complete);
}

}  // namespace
}  // namespace backlash
