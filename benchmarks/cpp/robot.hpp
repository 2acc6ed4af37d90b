// A robot with the states it is measured at, and the algorithms that can be asked for by name.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <pinocchio/multibody.hpp>
#include <unsupported/Eigen/CXX11/Tensor>

using namespace pinocchio;

using Tensor3 = Eigen::Tensor<double, 3>;

struct State {
    Eigen::VectorXd q, v, x;  // x: accelerations for inverse dynamics, torques for forward dynamics
};

struct Robot {
    Model model;
    Data data;
    std::vector<State> states;
    std::vector<Tensor3> tensors;  // d2_dqdq, d2_dvdv, d2_dqdv, dM_dq or dMinv_dq
};

// What is timed, and the Frobenius norm of what it leaves in the robot.
struct Algorithm {
    std::function<void(Robot &, const State &)> run;
    std::function<double(const Robot &)> norm;
};

using Algorithms = std::map<std::string, Algorithm>;

template <class... Matrices>
double norm(const Matrices &... matrices) {
    return std::sqrt((matrices.squaredNorm() + ...));
}

// Norm of a symmetric matrix of which Pinocchio fills the upper triangle.
template <class Matrix>
double norm_of_upper(const Matrix & upper) {
    const Eigen::MatrixXd full = upper.template selfadjointView<Eigen::Upper>();
    return full.norm();
}
