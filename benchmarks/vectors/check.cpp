// Checks files of test vectors (python -m benchmarks.vectors) against Pinocchio:
//
//     ./check solo12.json panda.json
//
// A line for each result: its name, what it is compared with, and the largest difference relative
// to the largest entry of both. The exit status is the number of results that differ.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include <boost/json/src.hpp>

#include "../cpp/read_robot.hpp"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = boost::json::value;
using Numbers = std::vector<double>;  // row by row, the last index fastest
using Matrices = std::vector<MatrixXd>;

constexpr double EXACT = 1e-9, BY_DIFFERENCES = 1e-6, STEP = 1e-4;

Numbers numbers(const Json & list) {
    Numbers found;
    for (const Json & x : list.as_array()) found.push_back(x.to_number<double>());
    return found;
}

VectorXd vector(const Json & list) {
    const Numbers x = numbers(list);
    return VectorXd::Map(x.data(), Eigen::Index(x.size()));
}

Eigen::Matrix3d matrix3(const Json & list) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(numbers(list).data());
}

Model model_of(const Json & robot) {
    Model model;
    model.gravity.linear(vector(robot.at("gravity")));
    for (const Json & j : robot.at("joints").as_array()) {
        const SE3 place(matrix3(j.at("rotation")), vector(j.at("translation")));
        const std::string name = j.at("name").as_string().c_str();
        const auto type = joint(j.at("type").as_string().c_str(), vector(j.at("axis")));
        const auto id = model.addJoint(j.at("parent").to_number<std::size_t>(), type, place, name);
        model.appendBodyToJoint(id, Inertia(
            j.at("mass").to_number<double>(), vector(j.at("lever")), Symmetric3(matrix3(j.at("inertia")))));
        model.armature.segment(model.joints[id].idx_v(), model.joints[id].nv()) = vector(j.at("armature"));
    }
    return model;
}

MatrixXd full(const MatrixXd & upper) { return upper.selfadjointView<Eigen::Upper>(); }

Numbers flat(const MatrixXd & A) {
    const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> rows = A;
    return {rows.data(), rows.data() + rows.size()};
}

Numbers flat(const Tensor3 & T) {
    Numbers found;
    for (int i = 0; i < T.dimension(0); ++i)
        for (int j = 0; j < T.dimension(1); ++j)
            for (int k = 0; k < T.dimension(2); ++k) found.push_back(T(i, j, k));
    return found;
}

// Entry [i, j, k] is entry [i, j] of matrix `which` of page k.
Numbers flat(const std::vector<Matrices> & pages, std::size_t which) {
    Numbers found;
    const auto & first = pages[0][which];
    for (int i = 0; i < first.rows(); ++i)
        for (int j = 0; j < first.cols(); ++j)
            for (const Matrices & page : pages) found.push_back(page[which](i, j));
    return found;
}

struct Check {
    const Model & model;
    Data data;
    const Json & state;
    VectorXd q, v, a, tau;
    int failed = 0;

    Check(const Model & m, const Json & s) : model(m), data(m), state(s) {
        q = vector(s.at("q").at("data")), v = vector(s.at("v").at("data"));
        a = vector(s.at("a").at("data")), tau = vector(s.at("tau").at("data"));
    }

    void compare(const char * name, const Numbers & theirs, double most, const char * with) {
        const Numbers ours = numbers(state.at(name).at("data"));
        double off = ours.size() == theirs.size() ? 0 : 1e300, largest = 1e-300;
        for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
            off = std::max(off, std::abs(ours[i] - theirs[i]));
            largest = std::max({largest, std::abs(ours[i]), std::abs(theirs[i])});
        }
        const bool good = off <= most * largest;
        failed += !good;
        std::printf("%-7s %-22s %.1e  %s\n", good ? "ok" : "DIFFERS", name, off / largest, with);
    }

    // Fourth-order differences of matrices by q, v and force, compared with four tensors for every
    // three matrices.
    template <class First>
    void differences(First first, const std::vector<const char *> & names, const char * with) {
        std::vector<Matrices> along_q, along_v;
        for (int k = 0; k < model.nv; ++k) {
            const VectorXd e = VectorXd::Unit(model.nv, k);
            const auto along = [&](auto at) {
                Matrices sum = at(STEP);
                const Matrices back = at(-STEP), two = at(2 * STEP), back_two = at(-2 * STEP);
                for (std::size_t m = 0; m < sum.size(); ++m)
                    sum[m] = (8 * (sum[m] - back[m]) - two[m] + back_two[m]) / (12 * STEP);
                return sum;
            };
            along_q.push_back(along([&](double h) { return first(integrate(model, q, VectorXd(h * e)), v); }));
            along_v.push_back(along([&](double h) { return first(q, VectorXd(v + h * e)); }));
        }
        for (std::size_t g = 0; g < names.size() / 4; ++g) {
            compare(names[4 * g], flat(along_q, 3 * g), BY_DIFFERENCES, with);
            compare(names[4 * g + 1], flat(along_v, 3 * g + 1), BY_DIFFERENCES, with);
            compare(names[4 * g + 2], flat(along_v, 3 * g), BY_DIFFERENCES, with);
            compare(names[4 * g + 3], flat(along_q, 3 * g + 2), BY_DIFFERENCES, with);
        }
    }

    void inverse_dynamics() {
        compare("tau", flat(MatrixXd(rnea(model, data, q, v, a))), EXACT, "rnea");
        compare("M", flat(full(crba(model, data, q))), EXACT, "crba");
        compare("C", flat(MatrixXd(computeCoriolisMatrix(model, data, q, v))), EXACT, "computeCoriolisMatrix");
        const auto first = [&](const VectorXd & x, const VectorXd & y) {
            computeRNEADerivatives(model, data, x, y, a);
            return Matrices{data.dtau_dq, data.dtau_dv, full(data.M)};
        };
        const Matrices found = first(q, v);
        compare("dtau_dq", flat(found[0]), EXACT, "computeRNEADerivatives");
        compare("dtau_dv", flat(found[1]), EXACT, "computeRNEADerivatives");
        std::vector<Tensor3> t(4, Tensor3(model.nv, model.nv, model.nv));
        for (Tensor3 & tensor : t) tensor.setZero();
        ComputeRNEASecondOrderDerivatives(model, data, q, v, a, t[0], t[1], t[2], t[3]);
        const std::vector names{"d2tau_dqdq", "d2tau_dvdv", "d2tau_dqdv", "d2tau_dadq"};
        for (int i = 0; i < 4; ++i) compare(names[i], flat(t[i]), EXACT, "ComputeRNEASecondOrderDerivatives");
        differences(first, names, "differences of computeRNEADerivatives");
    }

    void forward_dynamics() {
        const auto first = [&](const VectorXd & x, const VectorXd & y) {
            computeABADerivatives(model, data, x, y, tau);
            return Matrices{data.ddq_dq, data.ddq_dv, full(data.Minv)};
        };
        const Matrices found = first(q, v);
        const std::vector names{"ddq_dq", "ddq_dv", "ddq_dtau"};
        for (int i = 0; i < 3; ++i) compare(names[i], flat(found[i]), EXACT, "computeABADerivatives");
        differences(
            first, {"d2ddq_dqdq", "d2ddq_dvdv", "d2ddq_dqdv", "d2ddq_dtaudq"},
            "differences of computeABADerivatives");
    }

    void held(const Json & contacts) {
        if (contacts.as_array().empty()) return;
        std::vector<RigidConstraintModel, Eigen::aligned_allocator<RigidConstraintModel>> points;
        std::vector<RigidConstraintData, Eigen::aligned_allocator<RigidConstraintData>> datas;
        for (const Json & c : contacts.as_array()) {
            const SE3 place(Eigen::Matrix3d::Identity(), vector(c.at("point")));
            const auto id = c.at("joint").to_number<std::size_t>();
            points.emplace_back(CONTACT_3D, model, id, place, LOCAL_WORLD_ALIGNED);
            datas.emplace_back(points.back());
        }
        initConstraintDynamics(model, data, points, datas);
        const auto first = [&](const VectorXd & x, const VectorXd & y) {
            constraintDynamics(model, data, x, y, tau, points, datas);
            computeConstraintDynamicsDerivatives(model, data, points, datas);
            return Matrices{data.ddq_dq, data.ddq_dv, data.ddq_dtau,
                            data.dlambda_dq, data.dlambda_dv, data.dlambda_dtau};
        };
        const Matrices found = first(q, v);
        compare("held_ddq", flat(MatrixXd(data.ddq)), EXACT, "constraintDynamics");
        compare("held_lambda", flat(MatrixXd(data.lambda_c)), EXACT, "constraintDynamics");
        const std::vector names{"held_ddq_dq",    "held_ddq_dv",    "held_ddq_dtau",
                                "held_lambda_dq", "held_lambda_dv", "held_lambda_dtau"};
        for (int i = 0; i < 6; ++i)
            compare(names[i], flat(found[i]), EXACT, "computeConstraintDynamicsDerivatives");
        differences(
            first,
            {"held_d2ddq_dqdq", "held_d2ddq_dvdv", "held_d2ddq_dqdv", "held_d2ddq_dtaudq",
             "held_d2lambda_dqdq", "held_d2lambda_dvdv", "held_d2lambda_dqdv", "held_d2lambda_dtaudq"},
            "differences of computeConstraintDynamicsDerivatives");
    }
};

}  // namespace

int main(int count, char ** files) {
    int failed = 0;
    for (int i = 1; i < count; ++i) {
        std::ifstream in(files[i]);
        const Json robot = boost::json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
        const Model model = model_of(robot);
        for (const Json & state : robot.at("states").as_array()) {
            std::printf("\n%s\n", files[i]);
            Check check(model, state);
            check.inverse_dynamics();
            check.forward_dynamics();
            check.held(robot.at("contacts"));
            failed += check.failed;
        }
    }
    return std::min(failed, 100);
}
