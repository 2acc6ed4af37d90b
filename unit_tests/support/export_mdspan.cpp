// An mdspan as argument and result: those of layout_right give the right numbers; with -DREFUSED=n a
// program with another does not compile.
#include <cassert>
#include <vector>

#include "export_mdspan.hpp"
#include "spatial_v2.hpp"

using Vector = md::extents<std::size_t, md::dynamic_extent>;
using Matrix = md::extents<int, md::dynamic_extent, md::dynamic_extent>;
using Tensor = md::extents<int, md::dynamic_extent, 6, md::dynamic_extent>;

int main(int, char **words) {
    const spatial_v2::Model model(words[1]);
    const std::size_t n = model.NV(), nnn = n * n * n;
    const std::vector<double> q(n, .3), qd(n, -.2), qdd(n, .4);
    std::vector<double> tau(n), found(n), H(n * n), C(n), wanted(n * n), T(4 * nnn), U(4 * nnn);
    const int k = static_cast<int>(n);
    const md::mdspan<const double, Vector> of_q(q.data(), n);
    spatial_v2::ID ID(model);
    spatial_v2::HandC HandC(model);
    spatial_v2::ID_SO_derivatives second(model);
    ID(q, qd, qdd, tau);
    ID(of_q, md::mdspan<const double, Vector, md::layout_left>(qd.data(), n), qdd,
       md::mdspan<double, Vector>(found.data(), n));
    assert(found == tau);
    HandC(q, qd, wanted, C);
    HandC(of_q, qd, md::mdspan<double, Matrix>(H.data(), k, k), C);
    assert(H == wanted);
    const auto out = [&](std::vector<double> &x, std::size_t i) { return spatial_v2::Out(x.data() + i * nnn, nnn); };
    const auto tensor = [&](std::size_t i) { return md::mdspan<double, Tensor>(U.data() + i * nnn, Tensor(k, 6, k)); };
    second(q, qd, qdd, out(T, 0), out(T, 1), out(T, 2), out(T, 3));
    second(q, qd, qdd, tensor(0), tensor(1), tensor(2), tensor(3));
    assert(T == U);
    try {
        HandC(q, qd, md::mdspan<double, Matrix>(H.data(), k, k - 1), C);
        return 1;
    } catch (const std::invalid_argument &) {
    }
    try { // results share numbers
        HandC(q, qd, md::mdspan<double, Matrix>(H.data(), k, k), md::mdspan<double, Vector>(H.data() + 3, n));
        return 1;
    } catch (const spatial_v2::Error &error) {
        assert(error.status == SV2_OVERLAP);
    }
#if REFUSED == 1
    HandC(q, qd, md::mdspan<double, Matrix, md::layout_left>(H.data(), k, k), C);
#elif REFUSED == 2
    using Strided = md::mdspan<double, Vector, md::layout_stride>;
    ID(q, qd, qdd, Strided(H.data(), {Vector(n), std::array<std::size_t, 1>{n}}));
#elif REFUSED == 3
    ID(q, qd, qdd, of_q);
#elif REFUSED == 4
    const std::vector<float> single(n);
    ID(md::mdspan<const float, Vector>(single.data(), n), qd, qdd, tau);
#endif
    return 0;
}
