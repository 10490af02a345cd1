// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/contact_problem.h"

#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

void require_finite_operator(const DenseDelassus& d) {
  require_size(d.G.cols(), d.G.rows(), "columns of the Delassus matrix");
  require_finite(d.G, "Delassus matrix");
}
/// Row by row, the entries of both factors over ascending velocities that exist.
void require_compressed_rows(const BlockDelassus& d) {
  require_size(d.first.empty() ? -1 : d.first.front(), 0, "start of the first row of W");
  require_size(d.first.back(), static_cast<Index>(d.velocity.size()), "end of the last row of W");
  if (!std::is_sorted(d.first.begin(), d.first.end()))
    throw InputError("directions W: a row ends before it begins");
  for (Index i = 0; i < d.rows(); ++i) {
    Index last = -1;
    for (Index e = d.first[at(i)]; e < d.first[at(i + 1)]; ++e) {
      const Index velocity = d.velocity[at(e)];
      if (velocity <= last || velocity >= d.velocities)
        throw InputError(fmt::format(
            "directions W: row {} acts on velocity {} after {}, expected ascending from 0 to {}", i,
            velocity, last, d.velocities - 1));
      last = velocity;
    }
  }
}

void require_finite_operator(const BlockDelassus& d) {
  const auto entries = static_cast<Index>(d.velocity.size());
  require_size(static_cast<Index>(d.W.size()), entries, "entries of W");
  require_size(static_cast<Index>(d.mass_inverse_W.size()), entries, "entries of M⁻¹W");
  require_compressed_rows(d);
  require_finite(Eigen::Map<const Vector>(d.W.data(), entries), "directions W");
  require_finite(Eigen::Map<const Vector>(d.mass_inverse_W.data(), entries), "M⁻¹W");
}

}  // namespace

void append(ContactProblem& problem, const Law& law) {
  problem.blocks.push_back({count_rows(problem), law});
}

Eigen::Index count_rows(const ContactProblem& problem) {
  if (problem.blocks.empty()) return 0;
  return problem.blocks.back().first + rows(problem.blocks.back().law);
}

ContactProblem dense_problem(const MatrixView& G, const VectorView& c, std::span<const Law> laws) {
  ContactProblem problem;
  problem.delassus = DenseDelassus{G};
  problem.free_velocity = c;
  for (const Law& law : laws) append(problem, law);
  validate(problem);
  return problem;
}

void validate(const ContactProblem& problem) {
  std::visit([](const auto& form) { require_finite_operator(form); }, problem.delassus);
  require_finite(problem.free_velocity, "free velocity");
  require_not_negative(problem.velocity_scale, "velocity scale", "m/s");
  Eigen::Index n = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const std::string item = fmt::format("block {}", i);
    validate(problem.blocks[i].law, item);
    if (problem.blocks[i].first != n)
      throw InputError(
          fmt::format("{}: its first row must be {}, after those of the blocks before "
                      "it, is {}",
                      item, n, problem.blocks[i].first));
    n += rows(problem.blocks[i].law);
  }
  require_size(size(problem.delassus), n, "Delassus operator (rows of all laws together)");
  require_size(problem.free_velocity.size(), n, "free velocity (rows of all laws together)");
  for (Eigen::Index i = 0; i < n; ++i)
    require_not_negative(entry(problem.delassus, i, i), fmt::format("Delassus diagonal [{}]", i),
                         "1/kg");
  if (problem.row_length.size() == 0) return;
  require_size(problem.row_length.size(), n, "row lengths");
  for (Eigen::Index i = 0; i < n; ++i)
    require_positive(problem.row_length[i], fmt::format("row length [{}]", i), "m");
}

}  // namespace backlash
