// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backlash/base/archive.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// A contact as results know it.
struct RecordedContact {
  std::string name;
  ContactKey key{};
};

/// Numbers the contacts of a run in the order in which they are first met.
class ContactDirectory {
 public:
  explicit ContactDirectory(const System& system) : system_(system) {}

  /// A new number, and a name, if the contact was not met before.
  int number(const ContactKey& key);

  const std::vector<RecordedContact>& contacts() const { return contacts_; }

  void archive(Archive& a);

 private:
  const System& system_;
  std::vector<RecordedContact> contacts_;
  std::map<ContactKey, int> numbers_;
};

}  // namespace backlash
