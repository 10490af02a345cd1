// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>

#include "backlash/base/version.h"

int main() {
  std::cout << "built against Backlash " << backlash::version() << '\n';
  return 0;
}
