// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_call.h"
#include "support/built_methods.h"
#include "support/files.h"
#include "support/temporary_folder.h"

// Compiled where Ipopt or NLopt is missing: cmake --preset release -B build/without
// -DBACKLASH_IPOPT=OFF -DBACKLASH_NLOPT=OFF.
namespace backlash::test_run {
namespace {

using ::testing::HasSubstr;

ProgramResult run_optimiser(const TemporaryFolder& folder, const char* optimiser) {
  write_file(folder / "model.yaml", R"(
backlash: 1
bodies: {body: {mass: 1, inertia: 1}}
simulation: {method: optimisation, step: 1e-3, until: 0.1}
)");
  return run({folder / "model.yaml", "-o", folder / "out", "--optimiser", optimiser, "--force"});
}

TEST(WithoutOptimisers, SaysWhichLibraryIsMissing) {
  const TemporaryFolder folder;
  int missing = 0;
  for (const auto& [optimiser, library] :
       {std::pair{"ipopt", "Ipopt"}, std::pair{"slsqp", "NLopt"}}) {
    const ProgramResult result = run_optimiser(folder, optimiser);
    if (result.exit_code == 0) continue;
    ++missing;
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(std::string("needs the library ") + library));
    EXPECT_THAT(result.err, HasSubstr("was built without"));
  }
  EXPECT_GT(missing, 0);
}

}  // namespace
}  // namespace backlash::test_run
