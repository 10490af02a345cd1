// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/contact_directory.h"

namespace backlash {

int ContactDirectory::number(const ContactKey& key) {
  const auto [found, is_new] = numbers_.try_emplace(key, static_cast<int>(contacts_.size()));
  if (is_new) contacts_.push_back({system_.contact_name(key), key});
  return found->second;
}

}  // namespace backlash
