// A controller of a tool: a spring and a damper from the pose and Jacobian of a frame to a goal, and the
// joint forces that carry the arm.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "spatial_v2.hpp"

using Vector = std::vector<double>;

int main(int count, char **words) {
    if (count < 3) return std::printf("usage: reach MODEL.sv2 FRAME [STEPS]\n"), 2;
    try {
        spatial_v2::Model model(words[1]);
        const spatial_v2::Frame tool(model, words[2]);
        const int steps = count > 3 ? std::atoi(words[3]) : 100;
        const std::size_t n = model.NV();
        spatial_v2::frame_motion motion(tool);
        spatial_v2::FrameJacobian Jacobian(tool, SV2_MIXED);
        spatial_v2::HandC HandC(model);
        Vector q(model.NQ(), .4), qd(n), H(n * n), C(n), J(6 * n), tau(n);
        std::array<double, 36> X;
        std::array<double, 9> R;
        std::array<double, 3> p, goal;
        std::array<double, 6> v;
        motion(q, qd, X, R, goal, v);
        for (double &x : goal) x += .05; // [m]
        const double stiffness = 100.0, damping = 20.0; // [N/m], [N s/m]
        for (int k = 0; k < steps; k++) { // read q and qd from the robot here
            motion(q, qd, X, R, p, v);
            Jacobian(q, J);
            HandC(q, qd, H, C);
            for (std::size_t i = 0; i < n; i++) {
                tau[i] = C[i];
                for (std::size_t x = 0; x < 3; x++) {
                    double speed = 0.0;
                    for (std::size_t j = 0; j < n; j++) speed += J[(3 + x) * n + j] * qd[j];
                    const double force = stiffness * (goal[x] - p[x]) - damping * speed;
                    tau[i] += J[(3 + x) * n + i] * force;
                }
            } // send tau to the motors here
        }
        for (double t : tau) std::printf("%.17g\n", t);
    } catch (const std::exception &error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
    return 0;
}
