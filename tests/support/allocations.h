// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace backlash::test {

/// How often this program has called operator new. A program that uses this function has the global
/// operator new replaced by one that counts.
long allocations();

}  // namespace backlash::test
