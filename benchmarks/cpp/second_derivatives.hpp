// Second derivatives: of inverse dynamics as Pinocchio has them, of both by central differences.
#pragma once

#include "robot.hpp"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>

namespace {

constexpr double STEP = 1e-5;

using Page = Eigen::Map<Eigen::MatrixXd>;

Page page(Tensor3 & tensor, int k) {
    const auto n = tensor.dimension(0);
    return {tensor.data() + k * n * n, n, n};
}

void second_order(Robot & r, const State & s) {
    auto & t = r.tensors;
    ComputeRNEASecondOrderDerivatives(r.model, r.data, s.q, s.v, s.x, t[0], t[1], t[2], t[3]);
}

void zero(Robot & r) {
    for (Tensor3 & tensor : r.tensors) tensor.setZero();
}

// Differences of first derivatives, a page for each direction in q and in v: 4 nv calls.
template <class First>
void differences(Robot & r, const State & s, First first) {
    const int n = r.model.nv;
    const double scale = 0.5 / STEP;
    Eigen::VectorXd q = s.q, v = s.v, step = Eigen::VectorXd::Zero(n);
    const auto change = [&](int k, bool in_q, const std::vector<int> & into) {
        for (const double sign : {1., -1.}) {
            step[k] = sign * STEP;
            if (in_q) integrate(r.model, s.q, step, q);
            else v = s.v + step;
            const auto [dq, dv, dx] = first(q, v);
            const std::array<const Eigen::MatrixXd *, 3> parts{&dq, &dv, &dx};
            for (std::size_t p = 0; p < into.size(); ++p) {
                if (into[p] < 0) continue;
                if (sign > 0) page(r.tensors[into[p]], k) = scale * *parts[p];
                else page(r.tensors[into[p]], k) -= scale * *parts[p];
            }
        }
        step[k] = 0;
    };
    for (int k = 0; k < n; ++k) change(k, true, {0, 2, 3});
    q = s.q;
    for (int k = 0; k < n; ++k) change(k, false, {-1, 1, -1});
}

struct First {
    const Eigen::MatrixXd & dq, & dv, & dx;
};

double norm_of_tensors(const Robot & r) {
    double sum = 0;
    for (const Tensor3 & tensor : r.tensors)
        sum += Eigen::Map<const Eigen::VectorXd>(tensor.data(), tensor.size()).squaredNorm();
    return std::sqrt(sum);
}

}  // namespace

inline void add_second_derivatives(Algorithms & all) {
    all["second order"] = {second_order, norm_of_tensors};
    all["second order, zeroed"] = {
        [](Robot & r, const State & s) {
            zero(r);
            second_order(r, s);
        },
        norm_of_tensors};
    all["differences of computeRNEADerivatives"] = {
        [](Robot & r, const State & s) {
            Data & d = r.data;
            differences(r, s, [&](const Eigen::VectorXd & q, const Eigen::VectorXd & v) -> First {
                computeRNEADerivatives(r.model, d, q, v, s.x);
                return {d.dtau_dq, d.dtau_dv, d.M};
            });
        },
        norm_of_tensors};
    all["differences of computeABADerivatives"] = {
        [](Robot & r, const State & s) {
            Data & d = r.data;
            Eigen::MatrixXd inverse(r.model.nv, r.model.nv);
            differences(r, s, [&](const Eigen::VectorXd & q, const Eigen::VectorXd & v) -> First {
                computeABADerivatives(r.model, d, q, v, s.x);
                inverse = d.Minv;
                return {d.ddq_dq, d.ddq_dv, inverse};
            });
        },
        norm_of_tensors};
}
