// Objects of Eigen in any layout: arguments and results of in() and out() have the numbers of plain ones,
// and are copied only where they have to be.
#include <Eigen/Dense>
#include <cassert>

#include "spatial_v2_eigen.hpp"

using namespace Eigen;
using spatial_v2::eigen::in, spatial_v2::eigen::out;
using Rows = Matrix<double, Dynamic, Dynamic, RowMajor>;

int main(int, char **words) {
    const spatial_v2::Model model(words[1]);
    spatial_v2::ID ID(model);
    spatial_v2::ID_batch batch(model);
    spatial_v2::HandC HandC(model);
    const Index n = static_cast<Index>(model.NV());
    const VectorXd q = VectorXd::LinSpaced(n, .1, .6), qd = VectorXd::LinSpaced(n, -.3, .5);
    VectorXd tau(n), found(n), C(n), twice = VectorXd::Zero(2 * n);
    ID(q, qd, qd, tau);

    MatrixXd columns = MatrixXd::Zero(3, n), H(n, n);
    Rows rows = Rows::Zero(n, 3), wanted(n, n), wide = Rows::Zero(n, 2 * n);
    columns.row(1) = q.transpose(), rows.col(2) = q;
    const auto same = [&](auto &&x, bool copies) {
        found.setZero();
        assert(in(x).copies() == copies);
        ID(in(x), qd, qd, out(found));
        assert(found == tau);
    };
    same(columns.row(1), true), same(rows.col(2), true), same(q + 0 * qd, true), same(q.reverse().reverse(), true);
    same(Map<VectorXd, 0, InnerStride<2>>(wide.data(), n) + q, true);
    same(q, false), same(q.transpose(), false), same(Matrix<double, 6, 1>(q), false);
    ID(in(columns.row(1)), in(qd.array() * 1.0), qd, out(columns.row(2)));
    assert(columns.row(2) == tau.transpose() && columns.row(1) == q.transpose());
    ID(q, qd, qd, out(rows.col(1)));
    assert(rows.col(1) == tau && rows.col(2) == q);
    ID(q, qd, qd, out(Map<VectorXd, 0, InnerStride<2>>(twice.data(), n)));
    assert(twice[2] == tau[1] && twice[1] == 0);

    HandC(q, qd, wanted, C);
    assert(out(H).copies() && !out(wanted).copies() && out(wide.leftCols(n)).copies());
    HandC(q, qd, out(H), out(C));
    assert(H == wanted);
    HandC(q, qd, out(wide.leftCols(n)), C);
    assert(wide.leftCols(n) == wanted && wide.rightCols(n).isZero());

    MatrixXd states(2, n), taus(2, n); // each row is a state
    states << q.transpose(), q.transpose();
    batch(2, in(states), in(0 * states), in(0 * states), out(taus));
    ID(q, in(0 * q), in(VectorXd::Zero(n)), found);
    assert((taus.rowwise() - found.transpose()).cwiseAbs().maxCoeff() < 1e-12 * found.norm());
#if REFUSED == 1
    ID(in(q.cast<float>()), qd, qd, tau);
#elif REFUSED == 2
    ID(q, qd, qd, out(q));
#endif
    return 0;
}
