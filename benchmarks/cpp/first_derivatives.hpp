// First derivatives.
#pragma once

#include "robot.hpp"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>

inline void add_first_derivatives(Algorithms & all) {
    all["computeRNEADerivatives"] = {
        [](Robot & r, const State & s) { computeRNEADerivatives(r.model, r.data, s.q, s.v, s.x); },
        [](const Robot & r) { return norm(r.data.dtau_dq, r.data.dtau_dv); }};
    all["computeABADerivatives"] = {
        [](Robot & r, const State & s) { computeABADerivatives(r.model, r.data, s.q, s.v, s.x); },
        [](const Robot & r) {
            const double inverse = norm_of_upper(r.data.Minv);
            return std::hypot(norm(r.data.ddq_dq, r.data.ddq_dv), inverse);
        }};
}
