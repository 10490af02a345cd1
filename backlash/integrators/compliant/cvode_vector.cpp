// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/cvode_vector.h"

#include <cmath>

#include "backlash/base/types.h"

namespace backlash {
namespace {

using Entries = Eigen::Map<Eigen::ArrayXd>;

Entries entries(N_Vector v) { return {NV_DATA_S(v), NV_LENGTH_S(v)}; }

void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) {
  if (a == 1 && b == 1)
    entries(z) = entries(x) + entries(y);
  else if (a == 1)
    entries(z) = entries(x) + b * entries(y);
  else
    entries(z) = a * entries(x) + b * entries(y);
}

void set_constant(realtype c, N_Vector z) { entries(z) = c; }

void scale(realtype c, N_Vector x, N_Vector z) { entries(z) = c * entries(x); }

/// √(mean of (x w)²).
realtype weighted_norm(N_Vector x, N_Vector w) {
  return std::sqrt((entries(x) * entries(w)).square().sum() / static_cast<double>(NV_LENGTH_S(x)));
}

int linear_combination(int count, realtype* c, N_Vector* x, N_Vector z) {
  entries(z) = c[0] * entries(x[0]);  // z may be the first of them
  for (int i = 1; i < count; ++i) entries(z) += c[i] * entries(x[i]);
  return 0;
}

/// z_i = c_i x + y_i.
int scale_add_multi(int count, realtype* c, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int i = 0; i < count; ++i) entries(z[i]) = c[i] * entries(x) + entries(y[i]);
  return 0;
}

int scale_all(int count, realtype* c, N_Vector* x, N_Vector* z) {
  for (int i = 0; i < count; ++i) scale(c[i], x[i], z[i]);
  return 0;
}

}  // namespace

N_Vector new_cvode_vector(sunindextype size, SUNContext context) {
  N_Vector v = N_VNew_Serial(size, context);
  if (!v) return nullptr;
  v->ops->nvlinearsum = linear_sum;
  v->ops->nvconst = set_constant;
  v->ops->nvscale = scale;
  v->ops->nvwrmsnorm = weighted_norm;
  v->ops->nvlinearcombination = linear_combination;
  v->ops->nvscaleaddmulti = scale_add_multi;
  v->ops->nvscalevectorarray = scale_all;
  return v;
}

}  // namespace backlash
