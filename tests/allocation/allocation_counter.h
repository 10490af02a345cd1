// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace backlash::test {

/// Blocks taken from the heap so far, by new, malloc and their kin; −1 where they cannot be
/// counted.
long heap_allocations();

}  // namespace backlash::test
