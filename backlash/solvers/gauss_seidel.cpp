// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/gauss_seidel.h"

#include "backlash/solvers/one_contact.h"
#include "backlash/solvers/sweeping.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Rows of a contact, the normal first.
struct Rows {
  Index row[3];
  int count = 0;
};

Rows rows_of(const Contact& contact) {
  Rows rows{};
  if (contact.has_normal()) rows.row[rows.count++] = contact.normal;
  for (int i = 0; i < contact.tangents; ++i) rows.row[rows.count++] = contact.tangent + i;
  return rows;
}

/// A contact by itself; b follows in each sweep.
struct Isolated {
  OneContact one;
  Rows rows;
  bool bilateral;
};

template <class Operator>
std::span<Isolated> isolate(const SweepProblem<Operator>& problem, Arena::Frame& frame) {
  std::span<Isolated> list = frame.list<Isolated>(static_cast<Index>(problem.contacts.size()));
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Contact& contact = problem.contacts[k];
    Isolated& isolated = list[k];
    isolated.rows = rows_of(contact);
    isolated.bilateral = contact.bilateral;
    isolated.one = {.has_normal = contact.has_normal(),
                    .tangents = contact.tangents,
                    .friction = contact.friction,
                    .offset = contact.offset};
    for (int i = 0; i < isolated.rows.count; ++i)
      for (int j = 0; j < isolated.rows.count; ++j)
        isolated.one.G[i][j] = problem.G.entry(isolated.rows.row[i], isolated.rows.row[j]);
  }
  return list;
}

template <class Operator>
void sweep(const SweepProblem<Operator>& problem, std::span<Isolated> contacts, double relaxation,
           VectorRef impulse, VectorMap& response) {
  for (auto& [one, rows, bilateral] : contacts) {
    double own[3] = {}, next[3] = {};
    for (int i = 0; i < rows.count; ++i) next[i] = own[i] = impulse[rows.row[i]];
    for (int i = 0; i < rows.count; ++i) {  // what the others do
      one.b[i] = problem.c[rows.row[i]] + problem.G.gather(rows.row[i], response);
      for (int j = 0; j < rows.count; ++j) one.b[i] -= one.G[i][j] * own[j];
    }
    if (!bilateral)
      solve_one_contact(one, next);
    else if (one.G[0][0] > 0)
      next[0] = -one.b[0] / one.G[0][0];
    for (int i = 0; i < rows.count; ++i) {
      const double change = relaxation * (next[i] - own[i]);
      if (change == 0) continue;
      impulse[rows.row[i]] += change;
      problem.G.scatter(rows.row[i], change, response);
    }
  }
}

template <class Operator>
void sweep_repeatedly(const SweepProblem<Operator>& problem, int sweeps, Arena& scratch,
                      VectorRef impulse) {
  Arena::Frame frame(scratch);
  VectorMap response = frame.vector(problem.G.response_size());
  const std::span<Isolated> contacts = isolate(problem, frame);
  fill_response(problem, impulse, response);
  for (int k = 0; k < sweeps; ++k) sweep(problem, contacts, 1, impulse, response);
}

}  // namespace

void sweep_gauss_seidel(const ReducedProblem& reduced, int sweeps, Arena& scratch,
                        VectorRef impulse) {
  const SweepProblem<BorrowedMatrix> problem{{reduced.G}, reduced.c, reduced.contacts};
  sweep_repeatedly(problem, sweeps, scratch, impulse);
}

void sweep_gauss_seidel(const ContactProblem& problem, std::span<const Contact> contacts,
                        int sweeps, Arena& scratch, VectorRef impulse) {
  const Index n = problem.free_velocity.size();
  const VectorMap c(const_cast<double*>(problem.free_velocity.data()), n);
  if (const auto* dense = std::get_if<DenseDelassus>(&problem.delassus)) {
    const BorrowedMatrix G{{const_cast<double*>(dense->G.data()), n, n}};
    sweep_repeatedly(SweepProblem<BorrowedMatrix>{G, c, contacts}, sweeps, scratch, impulse);
  } else {
    const BorrowedFactors G{std::get<BlockDelassus>(problem.delassus)};
    sweep_repeatedly(SweepProblem<BorrowedFactors>{G, c, contacts}, sweeps, scratch, impulse);
  }
}

void solve_gauss_seidel(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                        ContactSolution& solution) {
  constexpr int sweeps_between_refills = 50;  // round-off in the response is cleared that often
  Judge judge(problem, options, scratch, solution);
  iterate_on(problem, scratch, judge, solution,
             [&](const auto& swept, VectorMap& impulse, auto accepts) {
               Arena::Frame frame(scratch);
               VectorMap response = frame.vector(swept.G.response_size());
               const std::span<Isolated> contacts = isolate(swept, frame);
               while (!accepts() && solution.iterations < options.max_iterations) {
                 if (solution.iterations % sweeps_between_refills == 0)
                   fill_response(swept, impulse, response);
                 sweep(swept, contacts, options.relaxation, impulse, response);
                 ++solution.iterations;
               }
             });
  judge.finish("gauss-seidel", SolverStatus::iteration_limit);
}

}  // namespace backlash
