// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/converge.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/study/collect.h"
#include "backlash/study/motion_channels.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Of the range of a channel: two runs that differ by more disagree.
constexpr double agreement = 0.01;

double number_option(const SimulationOptions& simulation, const std::string& key) {
  const Option* chosen = find_option(simulation.options, key);
  if (chosen && std::holds_alternative<double>(chosen->value))
    return std::get<double>(chosen->value);
  const OptionInfo* info = find_option(find_integrator(simulation.method).options, key);
  return std::stod(info->fallback);
}

/// The step where steps are equal, else the tolerance that decides about them. Tolerances begin a
/// hundred times as large as the user's, which then is the third.
RefinedOption refined_option(const SimulationOptions& simulation) {
  if (const double step = equal_step(simulation); step > 0) return {"step", "s", step, 2};
  const IntegratorEntry& method = find_integrator(simulation.method);
  for (const char* key : {"relative_tolerance", "step_tolerance"}) {
    const OptionInfo* info = find_option(method.options, key);
    if (info && applies(*info, method.options, simulation.options))
      return {key, "", std::min(1e-4, 100 * number_option(simulation, key)), 10};
  }
  throw InputError(fmt::format(
      "the method {} has neither equal steps nor a tolerance that could be refined", method.name));
}

/// Tolerances below this ask for more than numbers have.
constexpr double least_tolerance = 0.99e-12;

Model with_option(const Model& model, const RefinedOption& refined, double value) {
  Model copy = model;
  set_option(copy.simulation.options, refined.key, value);
  return copy;
}

/// A run of a level that came to its end.
struct DoneRun {
  double h = 0;
  CollectedRun run{};
  std::vector<Series> channels{};
  std::vector<RunEvent> impacts{};  ///< that are hard
};

/// Time of the n-th hard impact of a contact; NaN if there are fewer.
double impact_time_of(const DoneRun& run, const std::string& contact, int n) {
  for (const RunEvent& impact : run.impacts)
    if (impact.contact == contact && --n < 0) return impact.t;
  return NAN;
}

class Study {
 public:
  Study(const Model& model, const ConvergeOptions& options, const ConvergeWatch& watch)
      : model_(model), options_(options), watch_(watch) {
    out_.title = model.title;
    out_.method = find_integrator(model.simulation.method).name;
    out_.options = options;
    out_.refined = refined_option(model.simulation);
    double every = model_.output.every.value_or(0);
    if (every == 0)  // rows at the same times in all runs
      every = out_.refined.key == "step" ? out_.refined.first : model.simulation.until / 1000;
    model_.output.every = every;
    out_.impact_time = 2 * every;
  }

  ConvergeOutcome result() {
    double h = out_.refined.first;
    for (int level = 0; level < options_.max_levels; ++level, h /= out_.refined.ratio) {
      if (out_.refined.key != "step" && h < least_tolerance) {
        out_.stopped = "tolerances cannot be tighter";
        break;
      }
      if (!take_level(level, h)) break;
      if (runs_.size() >= 2) judge();
      if (std::ssize(runs_) >= options_.min_levels && known_well_enough()) break;
    }
    if (runs_.size() < 2) judge_nothing();
    return out_;
  }

 private:
  /// False: no further level makes sense.
  bool take_level(int level, double h) {
    bool stopped = false;
    const RunWatch watch = [&](double t) {
      stopped = watch_ && !watch_(level, t);
      return !stopped;
    };
    CollectedRun run = collect_run(with_option(model_, out_.refined, h), watch);
    const RunReport& report = run.report;
    if (stopped) {
      out_.stopped = "interrupted";
      return false;
    }
    out_.levels.push_back({.h = h,
                           .status = std::string(name(report.status)),
                           .message = report.message,
                           .steps = report.run.steps});
    if (report.status != RunStatus::done) {  // a coarse run may, a fine one should not
      if (!runs_.empty()) out_.stopped = "a run failed: " + report.message;
      return runs_.empty();
    }
    DoneRun done{.h = h, .run = std::move(run)};
    if (names_.empty()) choose_channels(done.run.results);
    for (const std::string& name : names_)
      done.channels.push_back(find_series(done.run.results, name));
    done.impacts = hard_impacts(list_events(done.run.results));
    out_.levels.back().impacts = static_cast<int>(done.impacts.size());
    out_.t_start = done.run.report.t_start;
    out_.t_end =
        std::isnan(out_.agree_until) ? done.run.report.t : std::min(out_.t_end, done.run.report.t);
    runs_.push_back(std::move(done));
    return true;
  }

  void choose_channels(const Results& results) {
    names_ = options_.channels.empty() ? motion_channels(results, MotionKind::positions)
                                       : match_channels(results, options_.channels);
    if (names_.empty())
      throw InputError("nothing moves in this model; say with --channel what to look at");
  }

  void judge() {
    find_agreements();
    out_.quantities.clear();
    for (std::size_t c = 0; c < names_.size(); ++c) add_channel(c);
    add_impacts();
    add_energy();
    for (RefinedQuantity& quantity : out_.quantities) estimate(quantity);
    suggest();
  }

  void judge_nothing() {
    if (out_.stopped.empty())
      out_.stopped = runs_.empty() && !out_.levels.empty()
                         ? "every run failed: " + out_.levels.back().message
                         : "fewer than two runs came to their end";
  }

  std::vector<Series> finest() const { return runs_.back().channels; }

  double scale_of(std::size_t c) const {
    const Series& series = runs_.back().channels[c];
    return std::max(range_of(series), least_scale(finest(), series.unit));
  }

  void find_agreements() {
    out_.agreements.clear();
    out_.agree_until = out_.t_end;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      Agreement found{.channel = names_[c]};
      for (std::size_t k = 1; k < runs_.size(); ++k) {
        const Series &coarse = runs_[k - 1].channels[c], &fine = runs_[k].channels[c];
        const SeriesDifference d = difference(
            fine, coarse, {.tolerance = agreement, .impact_time = out_.impact_time}, scale_of(c));
        found.until.push_back(d.agree() ? out_.t_end : d.t_disagree);
      }
      judge_agreement(found);
      out_.agree_until = std::min(out_.agree_until, found.trusted);
      out_.agreements.push_back(std::move(found));
    }
  }

  /// That two runs agree may be chance where a jump decides: three pairs have to.
  void judge_agreement(Agreement& found) const {
    const auto end = found.until.end();
    found.trusted = *std::min_element(end - std::min<Index>(3, std::ssize(found.until)), end);
    if (found.trusted >= out_.t_end) return;
    const double least = 0.005 * (out_.t_end - out_.t_start);
    const bool finer_agree = std::ssize(found.until) >= 3 && *(end - 1) >= out_.t_end &&
                             *(end - 2) >= out_.t_end;  // twice is hardly chance
    found.divergence = finer_agree                    ? Divergence::undecided
                       : gain_of(found.until) > least ? Divergence::sensitive
                                                      : Divergence::discontinuous;
  }

  /// Theory 12.9: errors that grow exponentially let finer runs agree for longer, by about the same
  /// time at each refinement [s]; a jump does not. By least squares, over the pairs that part.
  double gain_of(const std::vector<double>& until) const {
    double n = 0, k_sum = 0, t_sum = 0, kk = 0, kt = 0;
    for (std::size_t i = 0; i < until.size(); ++i) {
      if (until[i] >= out_.t_end) continue;
      const auto k = static_cast<double>(i);
      n += 1;
      k_sum += k;
      t_sum += until[i];
      kk += k * k;
      kt += k * until[i];
    }
    const double spread = kk - k_sum * k_sum / n;
    return spread > 0 ? (kt - k_sum * t_sum / n) / spread : 0;
  }

  void add(RefinedQuantity quantity, const std::function<double(const DoneRun&)>& value) {
    for (const DoneRun& run : runs_) quantity.values.push_back(value(run));
    out_.quantities.push_back(std::move(quantity));
  }

  void add_channel(std::size_t c) {
    const Series& last = runs_.back().channels[c];
    const RefinedQuantity base{.unit = last.unit, .channel = names_[c], .scale = scale_of(c)};
    RefinedQuantity end = base;
    end.name = names_[c] + " at the end";
    add(end, [&](const DoneRun& run) {
      const Vector& values = run.channels[c].values;
      return values[values.size() - 1];
    });
    const auto extreme = [&](const char* word, double sign) {
      Index at = 0;
      (sign * last.values).maxCoeff<Eigen::PropagateNumbers>(&at);
      if (at == 0 || at + 1 == last.values.size()) return;  // the start, or the end again
      RefinedQuantity quantity = base;
      quantity.name = fmt::format("{} {}", word, names_[c]);
      add(quantity, [&](const DoneRun& run) {
        return sign * (sign * run.channels[c].values).maxCoeff<Eigen::PropagateNumbers>();
      });
    };
    extreme("largest", 1);
    extreme("least", -1);
  }

  void add_impacts() {
    std::map<std::string, int> met;
    for (const RunEvent& impact : runs_.back().impacts) {
      if (std::ssize(met) >= options_.impacts) break;
      const int n = met[impact.contact]++;
      if (n > 0) continue;
      const std::string contact = impact.contact;
      add({.name = fmt::format("time of the first impact of {}", contact),
           .unit = "s",
           .channel = {},
           .scale = out_.t_end - out_.t_start},
          [&](const DoneRun& run) { return impact_time_of(run, contact, 0); });
    }
    // The last one by which bounces are counted well: errors add up from impact to impact.
    std::size_t fewest = runs_.front().impacts.size();
    for (const DoneRun& run : runs_) fewest = std::min(fewest, run.impacts.size());
    if (fewest < 2 || options_.impacts == 0) return;
    const std::size_t n = std::min<std::size_t>(fewest, 5) - 1;
    add({.name = fmt::format("time of hard impact {}", n + 1),
         .unit = "s",
         .channel = {},
         .scale = out_.t_end - out_.t_start},
        [&](const DoneRun& run) { return run.impacts[n].t; });
  }

  void add_energy() {
    const RunReport& last = runs_.back().run.report;
    if (!(last.end.contact_loss > 0)) return;
    add({.name = "energy lost in contacts",
         .unit = "J",
         .channel = {},
         .scale = last.energy_at_hand},
        [](const DoneRun& run) { return run.run.report.end.contact_loss; });
  }

  Divergence divergence_of(const std::string& channel) const {
    const auto found = std::ranges::find(out_.agreements, channel, &Agreement::channel);
    return found != out_.agreements.end() ? found->divergence : Divergence::none;
  }

  void estimate(RefinedQuantity& quantity) const {
    const std::vector<double>& values = quantity.values;
    if (std::ranges::any_of(values, [](double v) { return !std::isfinite(v); })) {
      quantity.estimate.verdict = Convergence::none;
      quantity.estimate.value = quantity.estimate.limit = values.back();
      return;
    }
    quantity.estimate = estimate_limit(
        values,
        {.ratio = out_.refined.ratio, .scale = quantity.scale, .tolerance = options_.tolerance});
    // Runs that have parted may come near each other at one time, and by chance.
    const bool at_end = quantity.name.ends_with("at the end");
    const Divergence divergence = divergence_of(quantity.channel);
    if (at_end && std::ssize(runs_) >= options_.min_levels && divergence != Divergence::none) {
      ConvergenceEstimate& e = quantity.estimate;
      e.verdict = divergence == Divergence::undecided ? Convergence::undecided : Convergence::none;
      e.order = NAN;
      e.limit = e.value;
      const auto [low, high] = std::ranges::minmax(values);
      e.error = e.limit_error = high - low;
    }
  }

  bool known_well_enough() const {
    return !out_.parted() && std::ranges::all_of(out_.quantities, [&](const RefinedQuantity& q) {
      return q.estimate.converges() && q.estimate.error <= options_.tolerance * q.scale;
    });
  }

  void suggest() {
    out_.suggestion = NAN;
    if (out_.parted()) return;
    double step = INFINITY;
    for (const RefinedQuantity& q : out_.quantities) {
      const double own =
          suggested_step(q.estimate, runs_.back().h, options_.tolerance * q.scale, runs_.front().h);
      if (std::isnan(own)) return;
      step = std::min(step, own);
    }
    if (std::isfinite(step)) out_.suggestion = rounded_down(step);
  }

  Model model_;
  const ConvergeOptions& options_;
  const ConvergeWatch& watch_;
  std::vector<std::string> names_;
  std::vector<DoneRun> runs_;  ///< those that came to their end
  ConvergeOutcome out_;
};

}  // namespace

bool ConvergeOutcome::converged() const {
  return !quantities.empty() && !parted() &&
         std::ranges::all_of(quantities, [](const RefinedQuantity& q) {
           return q.estimate.converges() || q.estimate.verdict == Convergence::settled;
         });
}

ConvergeOutcome converge(const Model& model, const ConvergeOptions& options,
                         const ConvergeWatch& watch) {
  return Study(model, options, watch).result();
}

}  // namespace backlash
