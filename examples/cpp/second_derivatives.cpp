// Second derivatives of inverse dynamics: the entries of d2tau_dq at q = 0.1 (i + 1), at rest.
#include <cstdio>
#include <vector>

#include "spatial_v2.hpp"

int main(int count, char **words) {
    if (count < 2) return std::fprintf(stderr, "usage: second_derivatives MODEL\n"), 2;
    try {
        const spatial_v2::Model robot(words[1]);
        const std::size_t n = robot.NV();
        std::vector<double> q(robot.NQ()), none(n);
        for (std::size_t i = 0; i < q.size(); i++) q[i] = 0.1 * double(i + 1);
        std::vector<double> dq(n * n * n), dqd(dq), cross(dq), dM(dq);
        spatial_v2::ID_SO_derivatives second(robot);
        second(q, none, none, dq, dqd, cross, dM);
        for (const double x : dq) std::printf("%.17g\n", x);
    } catch (const std::exception &error) {
        return std::fprintf(stderr, "second_derivatives: %s\n", error.what()), 1;
    }
}
