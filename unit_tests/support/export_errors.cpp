// Wrong sizes and files are exceptions that name the argument or the file, with a status.
#include <cassert>
#include <cstring>
#include <vector>

#include "spatial_v2.hpp"

template <class E, class F> std::string said(F call) {
    try {
        call();
    } catch (const E &error) {
        return error.what();
    }
    return "no error";
}

int main(int count, char **words) {
    assert(count == 2);
    const spatial_v2::Model model(words[1]);
    assert(model.NB() == 6 && model.NQ() == 6 && model.NV() == 6);
    spatial_v2::ID ID(model);
    spatial_v2::ID_batch batch(model);
    std::vector<double> q(6), five(5), tau(6), many(12), forces(36);
    using Size = std::invalid_argument;
    assert(said<Size>([&] { ID(five, q, q, tau); }) == "q: want 6 numbers, got 5");
    assert(said<Size>([&] { ID(q, q, five, tau); }) == "qdd: want 6 numbers, got 5");
    assert(said<Size>([&] { ID(q, q, q, five); }) == "tau: want 6 numbers, got 5");
    assert(said<Size>([&] { ID(q, q, q, tau, many); }) == "f_ext: want 36 numbers, got 12");
    assert(said<Size>([&] { batch(2, many, many, many, tau); }) == "tau: want 12 numbers, got 6");
    ID(q, q, q, tau, forces);
    std::vector<double> taus(12);
    batch(2, many, many, many, taus);
    batch(0, {}, {}, {}, {});
    q[0] = 1.0 / 0.0;
    try {
        ID(q, q, q, tau);
        return 1;
    } catch (const spatial_v2::Error &error) {
        assert(error.status == SV2_NOT_FINITE && std::strncmp(error.what(), "ID: ", 4) == 0);
    }
    try {
        spatial_v2::Model missing("no/such");
        return 1;
    } catch (const spatial_v2::Error &error) {
        assert(error.status == SV2_UNREADABLE && std::strncmp(error.what(), "no/such: ", 9) == 0);
    }
    return 0;
}
