// Reads what benchmarks/cpp/robot_file.py writes.
#pragma once

#include <fstream>
#include <stdexcept>

#include "robot.hpp"

#include <pinocchio/multibody/joint.hpp>

namespace {

template <class Matrix>
Matrix read(std::istream & in) {
    Matrix m;
    for (Eigen::Index i = 0; i < m.rows(); ++i)
        for (Eigen::Index j = 0; j < m.cols(); ++j) in >> m(i, j);
    return m;
}

Eigen::VectorXd read(std::istream & in, int n) {
    Eigen::VectorXd x(n);
    for (double & element : x) in >> element;
    return x;
}

JointModel joint(const std::string & name, const Eigen::Vector3d & axis) {
    if (name == "JointModelRX") return JointModelRX();
    if (name == "JointModelRY") return JointModelRY();
    if (name == "JointModelRZ") return JointModelRZ();
    if (name == "JointModelPX") return JointModelPX();
    if (name == "JointModelPY") return JointModelPY();
    if (name == "JointModelPZ") return JointModelPZ();
    if (name == "JointModelRevoluteUnaligned") return JointModelRevoluteUnaligned(axis);
    if (name == "JointModelPrismaticUnaligned") return JointModelPrismaticUnaligned(axis);
    if (name == "JointModelSpherical") return JointModelSpherical();
    if (name == "JointModelFreeFlyer") return JointModelFreeFlyer();
    throw std::runtime_error("no joint " + name);
}

}  // namespace

inline Robot read_robot(const std::string & file) {
    std::ifstream in(file);
    int bodies = 0, count = 0;
    Model model;
    in >> bodies;
    model.gravity.linear(read<Eigen::Vector3d>(in));
    for (int i = 0; i < bodies; ++i) {
        std::size_t parent = 0;
        std::string name;
        in >> parent >> name;
        const auto axis = read<Eigen::Vector3d>(in);
        const auto R = read<Eigen::Matrix3d>(in);
        const auto p = read<Eigen::Vector3d>(in);
        double mass = 0;
        in >> mass;
        const auto lever = read<Eigen::Vector3d>(in);
        const Symmetric3 rotational(read<Eigen::Matrix3d>(in));
        const auto id = model.addJoint(parent, joint(name, axis), SE3(R, p), std::to_string(i));
        model.appendBodyToJoint(id, Inertia(mass, lever, rotational));
    }
    Robot robot{model, Data(model), {}, std::vector<Tensor3>(4, Tensor3(model.nv, model.nv, model.nv))};
    for (Tensor3 & tensor : robot.tensors) tensor.setZero();
    in >> count;
    for (int i = 0; i < count; ++i) {
        const auto q = read(in, model.nq), v = read(in, model.nv);
        robot.states.push_back({q, v, read(in, model.nv)});
    }
    if (!in) throw std::runtime_error("cannot read " + file);
    return robot;
}
