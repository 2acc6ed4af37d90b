// Errors without exceptions: a status, and with C++23 std::expected. Compiled with -fno-exceptions too.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "spatial_v2.hpp"

static void want(bool fine, int line) {
    if (!fine) std::fprintf(stderr, "line %d\n", line), std::exit(1);
}
#define WANT(test) want(test, __LINE__)

int main(int count, char **words) {
    int status = -1;
    const spatial_v2::Model missing = spatial_v2::Model::open("no/such", status);
    WANT(status == SV2_UNREADABLE && missing.NB() == 0 && !missing.get());
    const spatial_v2::Model model = spatial_v2::Model::open(words[1], status);
    WANT(status == SV2_DONE && model.NB() == 6);
    const spatial_v2::Frame nowhere = spatial_v2::Frame::find(model, "no such frame", status);
    WANT(status == SV2_NO_NAME && !nowhere.get());
    const spatial_v2::Frame tool = spatial_v2::Frame::find(model, "hand", status);
    WANT(status == SV2_DONE && tool.get());
    spatial_v2::ID ID(model);
    std::vector<double> q(6, .3), five(5), tau(6), same(6), forces(35);
    ID(q, q, q, same);
    WANT(ID.status(q, q, q, tau) == SV2_DONE && tau == same);
    WANT(ID.status(five, q, q, tau) == SV2_SIZE && ID.status(q, q, q, five) == SV2_SIZE);
    WANT(ID.status(q, q, q, tau, forces) == SV2_SIZE && ID.status(q, q, q, q) == SV2_OVERLAP);
#ifdef SV2_EXPECTED
    const auto opened = spatial_v2::Model::open(words[1]);
    WANT(opened.has_value() && opened->NQ() == 6 && !spatial_v2::Model::open("no/such").has_value());
    WANT(ID.expected(q, q, q, tau).has_value());
    WANT(ID.expected(five, q, q, tau).error().status == SV2_SIZE);
#elif defined(EXPECTED)
#error "this compiler has no std::expected"
#endif
    if (count > 2) ID(five, q, q, tau); // an exception, or the end of the program
    return 0;
}
