// A controller at 1 kHz: inverse dynamics of the desired motion, without allocation in the loop.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "spatial_v2.hpp"

int main(int count, char **words) {
    if (count < 2) return std::fprintf(stderr, "usage: control_loop MODEL [STEPS]\n"), 2;
    try {
        const spatial_v2::Model robot(words[1]);
        const int steps = count > 2 ? std::atoi(words[2]) : 1000;
        spatial_v2::ID inverse_dynamics(robot);
        std::vector<double> q(robot.NQ()), qd(robot.NV()), qdd(robot.NV()), tau(robot.NV());

        using clock = std::chrono::steady_clock;
        const auto start = clock::now();
        double slowest = 0.0;
        for (int k = 0; k < steps; k++) {
            const double t = 1e-3 * k;
            for (std::size_t i = 0; i < q.size(); i++) q[i] = 0.3 * std::sin(t + double(i));
            for (std::size_t i = 0; i < qd.size(); i++) {
                qd[i] = 0.3 * std::cos(t + double(i));
                qdd[i] = -0.3 * std::sin(t + double(i));
            }
            const auto before = clock::now();
            inverse_dynamics(q, qd, qdd, tau);
            const std::chrono::duration<double, std::micro> took = clock::now() - before;
            slowest = took.count() > slowest ? took.count() : slowest;
            std::this_thread::sleep_until(start + std::chrono::milliseconds(k + 1));
        }
        for (const double x : tau) std::printf("%.17g\n", x);
        std::fprintf(stderr, "%d steps, slowest call %.1f us\n", steps, slowest);
    } catch (const std::exception &error) {
        return std::fprintf(stderr, "control_loop: %s\n", error.what()), 1;
    }
}
