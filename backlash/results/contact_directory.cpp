// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/contact_directory.h"

namespace backlash {

int ContactDirectory::number(const ContactKey& key) {
  const auto [found, is_new] = numbers_.try_emplace(key, static_cast<int>(contacts_.size()));
  if (is_new) contacts_.push_back({system_.contact_name(key), key});
  return found->second;
}

void ContactDirectory::archive(Archive& a) {
  std::vector<ContactKey> keys;
  for (const RecordedContact& contact : contacts_) keys.push_back(contact.key);
  a(keys);
  if (!a.reads()) return;
  contacts_.clear();
  numbers_.clear();
  for (const ContactKey& key : keys) {
    require_index(key.pair, std::ssize(system_.info().contacts), "contact that was saved");
    number(key);
  }
}

}  // namespace backlash
