// An arm whose hand stands on the ground: the force of the ground, step by step, and the contact that
// is given up when the ground would have to pull.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "spatial_v2.hpp"

using Vector = std::vector<double>;

int main(int count, char **words) {
    if (count < 3) return std::printf("usage: contact MODEL.sv2 FRAME [STEPS]\n"), 2;
    try {
        const spatial_v2::Model robot(words[1]);
        const int steps = count > 3 ? std::atoi(words[3]) : 100;
        spatial_v2::Constraints contact(robot, {spatial_v2::Constraints::contact(robot, words[2])});
        contact.set_baumgarte(0.0, 20.0); // [1/s^2], [1/s]: velocities of the hand die out
        spatial_v2::KKT_FD held(contact), loose(spatial_v2::Constraints(robot, {}));
        Vector q(robot.NQ(), .4), qd(robot.NV()), qdd(robot.NV()), tau(robot.NV()), force(3), none;
        bool stands = true;
        for (int k = 0; k < steps; k++) { // joints of one variable each
            for (std::size_t i = 0; i < tau.size(); i++) tau[i] = -0.01 * qd[i];
            if (stands) {
                held(q, qd, tau, qdd, force);
                stands = force[2] >= 0.0;
            }
            if (!stands) loose(q, qd, tau, qdd, none);
            for (std::size_t i = 0; i < qd.size(); i++) {
                qd[i] += 1e-3 * qdd[i];
                q[i] += 1e-3 * qd[i];
            }
        }
        for (double f : force) std::printf("%.17g\n", f);
        for (double a : qdd) std::printf("%.17g\n", a);
    } catch (const std::exception &error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
    return 0;
}
