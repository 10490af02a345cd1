// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backlash/base/archive.h"
#include "backlash/dynamics/state.h"
#include "backlash/model/output_quantity.h"
#include "backlash/results/contact_directory.h"

namespace backlash {

struct Channel;
struct ContactRow;

/// What a formula may use of the contacts whose names are an item's, or begin with it: the sums of
/// their normal and tangential forces, the least gap, the largest peak.
enum class ContactMeasure { force, force_t, gap, peak };

/// A variable of a quantity: a column of the states, or what contacts do.
struct QuantityInput {
  int column = -1;
  std::string contacts{};  ///< how their names begin
  ContactMeasure measure = ContactMeasure::force;
  std::optional<Dimension> dimension{};
};

/// A variable by its name, among the channels before it. Throws InputError, with the place in the
/// file, if there is no such channel.
QuantityInput find_input(const SystemInfo& info, const OutputQuantity& quantity,
                         const std::string& name, std::span<const Channel> channels);

/// Name and unit of the quantities behind the channels that they are computed from; "-": a plain
/// number, or not known. Throws InputError, with the place in the file, where names are missing and
/// unlike things are added.
void append_quantity_channels(const SystemInfo& info, std::span<const OutputQuantity> quantities,
                              std::vector<Channel>& channels);

/// A quantity whose formula was not defined in some rows, as 0/0 is not.
struct UndefinedQuantity {
  std::string name;
  long rows = 0;
  double t = 0;  ///< of the first of them [s]
};

/// Computes the quantities of a model, row by row.
class QuantityColumns {
 public:
  /// Its channels are those of the states, the quantities last.
  QuantityColumns(const System& system, const State& start,
                  std::span<const OutputQuantity> quantities, std::span<const Channel> channels);

  /// Appends them to the states, whose last row begins at `row` and has all other columns, and
  /// whose contacts have these rows. What is not defined is NaN.
  void append(std::size_t row, std::span<const ContactRow> contacts,
              const ContactDirectory& directory, std::vector<double>& states);

  /// Those that were not defined in some row so far.
  std::vector<UndefinedQuantity> undefined() const;

  void archive(Archive& a) {
    for (Quantity& quantity : quantities_) a(quantity.undefined_rows, quantity.t_undefined);
  }

 private:
  struct Input {
    QuantityInput source{};
    std::vector<signed char> belongs{};  ///< whether a contact does, by its number
  };
  struct Quantity {
    std::string name{};
    Expression expression{};
    std::vector<Input> inputs{};
    long undefined_rows = 0;
    double t_undefined = 0;  ///< of the first of them [s]
  };
  double read(Input& input, std::span<const ContactRow> contacts,
              const ContactDirectory& directory) const;

  double far_ = 0;  ///< the gap of contacts none of which is near [m]
  std::vector<Quantity> quantities_;
  std::vector<double> values_;  ///< room for the inputs of one
};

}  // namespace backlash
