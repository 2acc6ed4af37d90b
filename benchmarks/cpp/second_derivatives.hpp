// Second derivatives: of inverse dynamics as Pinocchio has them, of both by central differences.
#pragma once

#include "robot.hpp"

#include <tuple>

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

// Central differences of first derivatives along each direction of q and of v: 4 nv calls of
// `first`, which leaves them in the matrices that `parts` names: by q, by v and by x.
template <class First, class Parts>
void differences(Robot & r, const State & s, First first, Parts parts) {
    Eigen::VectorXd q = s.q, v = s.v, step = Eigen::VectorXd::Zero(r.model.nv);
    const auto add = [&](int tensor, int k, double sign, const auto & matrix) {
        if (sign > 0) page(r.tensors[tensor], k) = matrix / (2 * STEP);
        else page(r.tensors[tensor], k) -= matrix / (2 * STEP);
    };
    for (int k = 0; k < r.model.nv; ++k) {
        for (const double sign : {1., -1.}) {
            step[k] = sign * STEP;
            integrate(r.model, s.q, step, q);
            first(q, s.v);
            const auto & [dq, dv, dx] = parts;
            add(0, k, sign, dq);
            add(2, k, sign, dv);
            add(3, k, sign, dx);
            v = s.v + step;
            first(s.q, v);
            add(1, k, sign, dv);
        }
        step[k] = 0;
    }
}

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
            const auto first = [&](const Eigen::VectorXd & q, const Eigen::VectorXd & v) {
                computeRNEADerivatives(r.model, d, q, v, s.x);
            };
            differences(r, s, first, std::tie(d.dtau_dq, d.dtau_dv, d.M));
        },
        norm_of_tensors};
    all["differences of computeABADerivatives"] = {
        [](Robot & r, const State & s) {
            Data & d = r.data;
            const auto first = [&](const Eigen::VectorXd & q, const Eigen::VectorXd & v) {
                computeABADerivatives(r.model, d, q, v, s.x);
            };
            differences(r, s, first, std::tie(d.ddq_dq, d.ddq_dv, d.Minv));
        },
        norm_of_tensors};
}
