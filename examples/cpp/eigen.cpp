// Computed torque with Eigen: tau = H (K (goal - q) - D qd) + C, and the same by inverse dynamics.
#include <Eigen/Dense>
#include <cstdio>

#include "spatial_v2_eigen.hpp"

using spatial_v2::eigen::in;

int main(int count, char **words) {
    if (count < 2) return std::fprintf(stderr, "usage: eigen MODEL.sv2\n"), 2;
    const spatial_v2::Model robot(words[1]);
    const Eigen::Index n = Eigen::Index(robot.NV());
    spatial_v2::HandC HandC(robot);
    spatial_v2::ID inverse_dynamics(robot);

    const Eigen::VectorXd goal = Eigen::VectorXd::LinSpaced(n, 0.1, 0.6), qd = goal / 2;
    const Eigen::VectorXd q = Eigen::VectorXd::Zero(n);
    const double K = 100.0, D = 20.0; // [1/s^2], [1/s]

    // Row-major matrices are taken as they are; of a MatrixXd, out(H) copies.
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> H(n, n);
    Eigen::VectorXd C(n), tau(n), same(n);
    HandC(q, qd, H, C);
    tau = H * (K * (goal - q) - D * qd) + C;

    // An expression is computed first, which in() says.
    inverse_dynamics(q, qd, in(K * (goal - q) - D * qd), same);
    for (Eigen::Index i = 0; i < n; i++) std::printf("%.17g %.17g\n", tau[i], same[i]);
}
