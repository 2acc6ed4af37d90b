// Arguments and results of Eigen in any layout, for the functions of spatial_v2.hpp: `in(x)` and `out(y)`
// copy what is not contiguous and row-major, where a plain object would not compile.
//
//     spatial_v2::ID_derivatives derivatives(model);
//     Eigen::MatrixXd dtau_dq(n, n), dtau_dqd(n, n); // column-major
//     derivatives(in(q + 0.01 * qd), qd, in(A.row(2)), out(dtau_dq), out(dtau_dqd));
//
// A copy allocates memory, unless its size is known when it is compiled; `copies()` tells if there is one.
// Matrices are (rows, columns) as in Python: in a batch each row is a state.
#ifndef SPATIAL_V2_EIGEN_HPP
#define SPATIAL_V2_EIGEN_HPP

#include <Eigen/Core>

#include "spatial_v2.hpp"

namespace spatial_v2 {
namespace eigen {

/// A matrix of the size of an object, row by row; of a vector its numbers.
template <class D>
using Rows = Eigen::Matrix<double, D::RowsAtCompileTime, D::ColsAtCompileTime,
                           D::ColsAtCompileTime == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

/// True if the numbers of an object are in memory, those of a row or vector side by side.
template <class D>
constexpr bool in_rows = (int(D::Flags) & Eigen::DirectAccessBit) != 0 && D::InnerStrideAtCompileTime == 1 &&
                         (D::IsVectorAtCompileTime || D::IsRowMajor);

/// Test that there are no gaps between the rows of an object.
template <class D> bool is_whole(const D &x) {
    return D::IsVectorAtCompileTime || x.rows() < 2 || x.outerStride() == x.cols();
}

/// An argument: the numbers of an object themselves, or a copy of them.
template <class D> class Argument {
  public:
    explicit Argument(const D &x) : size_(static_cast<std::size_t>(x.size())) {
        static_assert(std::is_same_v<typename D::Scalar, double>, "want doubles: x.cast<double>()");
        if constexpr (in_rows<D>)
            if (is_whole(x)) data_ = x.derived().data();
        if (data_) return;
        copy_ = x;
        data_ = copy_.data();
    }
    Argument(const Argument &) = delete;
    Argument &operator=(const Argument &) = delete;
    const double *data() const { return data_; }
    std::size_t size() const { return size_; }
    bool copies() const { return data_ == copy_.data(); }

  private:
    Rows<D> copy_;
    const double *data_ = nullptr;
    std::size_t size_;
};

/// A result: the numbers of an object themselves, or others that are copied into it at the end of the
/// statement.
template <class D> class Result {
  public:
    explicit Result(D &x) : x_(x), size_(static_cast<std::size_t>(x.size())) {
        static_assert(std::is_same_v<typename D::Scalar, double>, "want doubles");
        if constexpr (in_rows<D>)
            if (is_whole(x)) data_ = x.data();
        if (data_) return;
        copy_ = x;
        data_ = copy_.data();
    }
    ~Result() {
        if (copies()) x_ = copy_;
    }
    Result(const Result &) = delete;
    Result &operator=(const Result &) = delete;
    double *data() { return data_; }
    std::size_t size() const { return size_; }
    bool copies() const { return data_ == copy_.data(); }

  private:
    D &x_;
    Rows<D> copy_;
    double *data_ = nullptr;
    std::size_t size_;
};

/// An argument in any layout, or an expression such as `q + qd`.
template <class D> Argument<D> in(const Eigen::DenseBase<D> &x) { return Argument<D>(x.derived()); }

/// A result in any layout, such as a `MatrixXd` or a row of it.
template <class D> Result<D> out(Eigen::DenseBase<D> &x) { return Result<D>(x.derived()); }
template <class D> Result<D> out(Eigen::DenseBase<D> &&x) { return Result<D>(x.derived()); }

} // namespace eigen
} // namespace spatial_v2

#endif
