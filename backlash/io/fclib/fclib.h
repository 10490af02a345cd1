// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/rolling.h"

/// Contact problems in the format of FCLib, the exchange format of the frictional-contact community
/// [Acary, Brémond, Cadoux et al., FCLIB, INRIA RT-444, 2014], as FCLib and Siconos write it.
///
/// A local problem, the group /fclib_local, is u = W r + V λ + q, 0 = Vᵀ r + R λ + s, where u and r
/// obey Signorini's and Coulomb's law contact by contact, rows (N, T) in the plane and (N, T1, T2)
/// in space. In the words of ContactProblem (theory 2.6), contacts first and equality rows last:
///   G = [W V; Vᵀ R], c = (q, s), Λ = (r, λ), ξ = (u, 0).
namespace backlash {

/// What the author of a problem says about it; each may be empty.
struct FclibInfo {
  std::string title;
  std::string description;
  std::string math_info;  ///< known properties: existence, uniqueness, …
};

/// A local problem with what else its file holds.
struct FclibProblem {
  ContactProblem problem;  ///< Coulomb for each contact (friction 0 too), below it a Relay if it
                           ///< resists rolling; then one Bilateral if any
  std::vector<RollingLimit> rolling;  ///< limits of the Relays
  FclibInfo info;
  std::vector<Vector> guesses;     ///< Λ = (r, λ) to start from [N s]
  std::optional<Vector> solution;  ///< Λ = (r, λ) that somebody found [N s]
};

/// The sparse forms of the format.
enum class FclibForm { triplets, columns, rows };

/// Up to here a problem is read as DenseDelassus; above, as the sparse matrix that the file holds.
inline constexpr Eigen::Index largest_dense_fclib = 600;  ///< [rows]

/// Read a local problem. Throws InputError that names file, dataset, what was found and what was
/// expected.
FclibProblem read_fclib(const std::filesystem::path& file);

/// Write a problem without rolling friction, its info, guesses and solution. Rows are reordered:
/// contacts first, equality rows last; guesses and the solution with them. What only weighs the
/// residual (row lengths, the velocity scale) has no place in the format. Throws InputError for
/// other laws than Coulomb and Bilateral, a preload, or contacts of the plane and of space
/// together.
void write_fclib(const FclibProblem& problem, const std::filesystem::path& file,
                 FclibForm form = FclibForm::columns);

/// Copy the problem file `source` to `file`, everything in it as it is, and put the solution with
/// this impulse Λ = (r, λ) into it, in the place of any that was there. The impulse must have the
/// order of read_fclib(source).
void write_fclib_solution(const std::filesystem::path& source, const VectorView& impulse,
                          const std::filesystem::path& file);

/// What relative residuals of FCLib problems refer to: ‖q‖, the free velocity of the contacts alone
/// [m/s]. velocity_scale() would take ‖(q, s)‖: the same without equality rows, but with them a
/// large s (a driven joint, say) would make every residual of the contacts look small. Where q is
/// zero and s is not, it is ‖s‖, for nothing else has a size.
double fclib_velocity_scale(const ContactProblem& problem);

}  // namespace backlash
