// Objects of Eigen as arguments and results: those that are contiguous and row-major give the right
// numbers; with -DREFUSED=n a program with another does not compile.
#include <Eigen/Dense>
#include <array>
#include <cassert>
#include <unsupported/Eigen/CXX11/Tensor>
#include <vector>

#include "spatial_v2.hpp"

using namespace Eigen;
using Rows = Matrix<double, Dynamic, Dynamic, RowMajor>;

int main(int, char **words) {
    const spatial_v2::Model model(words[1]);
    spatial_v2::ID ID(model);
    spatial_v2::ID_SO_derivatives second(model);
    const Index n = static_cast<Index>(model.NV());
    const VectorXd q = VectorXd::LinSpaced(n, .1, .6), qd = VectorXd::LinSpaced(n, -.3, .5);
    const std::vector<double> qdd(model.NV(), .4);
    VectorXd tau(n), found(n);
    ID(q, qd, qdd, tau);
    MatrixXd columns(n, 3);
    Rows rows(3, n);
    rows.row(1) = q.transpose(), columns.col(2) = q;
    VectorXd twice(2 * n);
    twice << q, q;
    Matrix<double, 6, 1> fixed = q;
    std::array<double, 6> array{};
    for (Index i = 0; i < n; i++) array[static_cast<std::size_t>(i)] = q[i];
    const auto same = [&](auto &&x) {
        found.setZero();
        ID(x, qd, qdd, found);
        assert(found == tau);
    };
    same(q), same(rows.row(1)), same(rows.row(1).transpose()), same(twice.tail(n)), same(fixed), same(array);
    same(columns.col(2)), same(Map<const VectorXd>(q.data(), n)), same(Ref<const VectorXd>(q));
    same(VectorXd(q + 0 * qd)), same(rows.middleRows(1, 1)), same(spatial_v2::In(q.data(), model.NQ()));
    Tensor<double, 3, RowMajor> A(n, n, n), B(n, n, n), C(n, n, n), D(n, n, n);
    second(q, qd, qdd, A, B, C, D);
    try {
        Rows wide(2, 2 * n);
        ID(wide.leftCols(n / 2), qd, qdd, tau); // n numbers with gaps between its rows
        return 1;
    } catch (const std::invalid_argument &) {
    }
    try {
        ID(q, tau, qdd, tau);
        return 1;
    } catch (const spatial_v2::Error &error) {
        assert(error.status == SV2_OVERLAP);
    }
#if REFUSED == 1
    ID(columns.row(1), qd, qdd, tau);
#elif REFUSED == 2
    ID(MatrixXd(n, 1), qd, qdd, tau);
#elif REFUSED == 3
    ID(rows.col(1), qd, qdd, tau);
#elif REFUSED == 4
    ID(Map<VectorXd, 0, InnerStride<2>>(twice.data(), n), qd, qdd, tau);
#elif REFUSED == 5
    Tensor<double, 3> T(n, n, n);
    second(q, qd, qdd, T, B, C, D);
#elif REFUSED == 6
    ID(q.cast<float>().eval(), qd, qdd, tau);
#elif REFUSED == 7
    ID(q + qd, qd, qdd, tau);
#elif REFUSED == 8
    ID(q, qd, qdd, q);
#endif
    return 0;
}
