// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/csv.h"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

SystemInfo ball_on_floor(int space) {
  SystemInfo info{.name = "s", .positions = 1, .velocities = 1};
  info.contacts = {{"ball.floor", {}, space - 1}};
  info.space = space;
  return info;
}

TEST(Csv, NumbersReadBackToTheSameBits) {
  const TemporaryFolder folder;
  const double awkward[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2.5e-5};
  CsvWriter writer(folder.path(), ball_on_floor(2), {});
  Recording recording;
  for (const double x : awkward) recording.states.insert(recording.states.end(), {x, x, x});
  writer.write(recording);
  writer.publish();
  std::ifstream file(folder / "states.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "t [s],q1 [m or rad],u1 [m/s or rad/s]");
  for (const double x : awkward) {
    std::getline(file, line);
    const double read = std::strtod(line.c_str(), nullptr);
    EXPECT_EQ(read, x);
    EXPECT_EQ(std::signbit(read), std::signbit(x));
  }
}

TEST(Csv, ContactsInSpaceHaveTheirSecondTangentAndThirdCoordinate) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.path(), ball_on_floor(3), {});
  Recording recording;
  recording.new_contacts = {{"ball.floor"}};
  recording.contacts.push_back({.t = 1,
                                .gap = -2,
                                .gamma = {3, 4, 5},
                                .impulse = {6, 7, 8},
                                .force = {9, 10, 11},
                                .peak_n = 18,
                                .impact_n = 19,
                                .state = ContactState::stick,
                                .point = {Vec3(12, 13, 14), Vec3(15, 16, 17)}});
  recording.events.push_back({.t = 1,
                              .kind = EventKind::slip,
                              .contact = 0,
                              .gamma_n_before = 2,
                              .gamma_n_after = 3,
                              .impulse_n = 4,
                              .impulse_t = 5,
                              .energy_loss = 6,
                              .point = {Vec3(7, 8, 9), Vec3(10, 11, 12)}});
  writer.write(recording);
  writer.publish();
  EXPECT_EQ(file_text(folder / "contacts.csv"),
            "t [s],contact,gap [m],gamma_n [m/s],gamma_t [m/s],impulse_n [N s],impulse_t [N s],"
            "force_n [N],force_t [N],peak_n [N],impact_n [N s],state,px [m],py [m],nx [-],ny [-],"
            "pz [m],nz [-],gamma_t2 [m/s],impulse_t2 [N s],force_t2 [N],unit\n"
            "1,ball.floor,-2,3,4,6,7,9,10,18,19,stick,12,13,15,16,14,17,5,8,11,m\n");
  EXPECT_EQ(file_text(folder / "events.csv"),
            "t [s],kind,contact,gamma_n_before [m/s],gamma_n_after [m/s],impulse_n [N s],"
            "impulse_t [N s],energy_loss [J],px [m],py [m],nx [-],ny [-],pz [m],nz [-],unit\n"
            "1,slip,ball.floor,2,3,4,5,6,7,8,10,11,9,12,m\n");
}

TEST(Csv, StepsHaveATableOfTheirOwnIfAskedFor) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.path(), ball_on_floor(2), {.steps = true});
  Recording recording;
  recording.steps.push_back({.t = 0.5, .step = 0.25, .iterations = 3, .residual = 1e-9});
  writer.write(recording);
  writer.publish();
  EXPECT_EQ(file_text(folder / "steps.csv"),
            "t [s],step [s],accepted [-],order [-],iterations [-],residual [m/s],penetration [m],"
            "angular_penetration [rad]\n"
            "0.5,0.25,1,1,3,1e-09,0,0\n");
}

TEST(Csv, ANameWithACommaStaysOneField) {
  const TemporaryFolder folder;
  SystemInfo info = ball_on_floor(2);
  info.position_names = {"a,\"b\""};
  CsvWriter writer(folder.path(), info, {});
  writer.publish();
  EXPECT_EQ(file_text(folder / "states.csv"),
            "t [s],\"a,\"\"b\"\" [m or rad]\",u1 [m/s or rad/s]\n");
}

TEST(Csv, UntilItIsPublishedWhatWasThereStays) {
  const TemporaryFolder folder;
  std::ofstream(folder / "states.csv") << "earlier\n";
  {
    CsvWriter writer(folder.path(), ball_on_floor(2), {});
    Recording recording;
    recording.states = {1, 2, 3};
    writer.write(recording);
    EXPECT_EQ(file_text(folder / "states.csv"), "earlier\n");
  }
  EXPECT_EQ(file_text(folder / "states.csv"), "earlier\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace backlash
