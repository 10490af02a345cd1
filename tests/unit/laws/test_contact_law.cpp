// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/contact_law.h"

#include <cmath>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(ContactLaw, AcceptsBothEndsOfTheRangeOfRestitution) {
  EXPECT_NO_THROW(validate(ContactLaw{.restitution = 0}, "contact"));
  EXPECT_NO_THROW(validate(ContactLaw{.restitution = 1, .tangential_restitution = 1}, "contact"));
}

TEST(ContactLaw, RefusesRestitutionOutsideZeroToOneByName) {
  for (const double bad : {-0.01, 1.01, std::nan("")}) {
    EXPECT_THAT([&] { validate(ContactLaw{.restitution = bad}, "contact 'cam'"); },
                ThrowsMessage<InputError>(HasSubstr("contact 'cam': restitution must lie in")));
    EXPECT_THAT([&] { validate(ContactLaw{.tangential_restitution = bad}, "contact 'cam'"); },
                ThrowsMessage<InputError>(HasSubstr("contact 'cam': tangential restitution")));
  }
}

TEST(ContactLaw, RefusesNegativeFriction) {
  EXPECT_THAT([] { validate(ContactLaw{.friction = -1}, "contact 'cam'"); },
              ThrowsMessage<InputError>(HasSubstr("contact 'cam': friction")));
}

TEST(ContactLaw, RefusesTangentialRestitutionWithPoissonsLaw) {
  const ContactLaw law{.tangential_restitution = 0.5, .impact = ImpactLaw::poisson};
  EXPECT_THAT([&] { validate(law, "contact 'cam'"); },
              ThrowsMessage<InputError>(HasSubstr("use Newton's law")));
}

}  // namespace
}  // namespace backlash
