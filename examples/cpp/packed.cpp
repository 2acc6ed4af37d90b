// The second derivatives of inverse dynamics without their zeros, as a sparse solver takes them: indices
// i, j, k once, and then the values at each state; here of d2tau_dq at q = 0.1 (i + 1), at rest.
#include <cstdio>
#include <vector>

#include "spatial_v2.hpp"

int main(int count, char **words) {
    if (count < 2) return std::fprintf(stderr, "usage: packed MODEL\n"), 2;
    try {
        const spatial_v2::Model robot(words[1]);
        spatial_v2::ID_SO_derivatives_packed second(robot);
        const spatial_v2::Pattern entries = second.pattern(0);
        std::vector<double> q(robot.NQ()), none(robot.NV()), values[4];
        for (std::size_t i = 0; i < q.size(); i++) q[i] = 0.1 * double(i + 1);
        for (int k = 0; k < 4; k++) values[k].resize(second.nonzeros(k));
        second(q, none, none, values[0], values[1], values[2], values[3]);
        for (std::size_t e = 0; e < values[0].size(); e++)
            std::printf("%d %d %d %.17g\n", entries.i[e], entries.j[e], entries.k[e], values[0][e]);
    } catch (const std::exception &error) {
        return std::fprintf(stderr, "packed: %s\n", error.what()), 1;
    }
}
