// Kinematics of all bodies and of a tool, which is a frame at a given place.
#pragma once

#include "places.hpp"
#include "robot.hpp"

#include <memory>

#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

inline SE3 at(const Place & place) {
    return {Eigen::Matrix3d::Identity(), Eigen::Map<const Eigen::Vector3d>(place.point)};
}

// Adds the tool to the robot, and its algorithms to all.
inline void add_kinematics(Robot & robot, const Place & place, Algorithms & all) {
    const auto joint = static_cast<JointIndex>(place.joint);
    const auto tool = robot.model.addFrame(Frame("tool", joint, at(place), OP_FRAME));
    robot.data = Data(robot.model);
    const auto J = std::make_shared<Data::Matrix6x>(Data::Matrix6x::Zero(6, robot.model.nv));
    const auto motion = std::make_shared<Motion>();
    all["forwardKinematics"] = {
        [](Robot & r, const State & s) { forwardKinematics(r.model, r.data, s.q, s.v); },
        [](const Robot & r) {
            double sum = 0;
            for (std::size_t i = 1; i < r.data.v.size(); ++i)
                sum += r.data.v[i].toVector().squaredNorm();
            return std::sqrt(sum);
        }};
    all["getFrameVelocity"] = {
        [tool, motion](Robot & r, const State & s) {
            forwardKinematics(r.model, r.data, s.q, s.v);
            updateFramePlacement(r.model, r.data, tool);
            *motion = getFrameVelocity(r.model, r.data, tool, LOCAL);
        },
        [tool, motion](const Robot & r) {
            return norm(motion->toVector(), r.data.oMf[tool].translation());
        }};
    all["getFrameAcceleration"] = {
        [tool, motion](Robot & r, const State & s) {
            forwardKinematics(r.model, r.data, s.q, s.v, s.x);
            *motion = getFrameAcceleration(r.model, r.data, tool, LOCAL);
        },
        [motion](const Robot &) { return motion->toVector().norm(); }};
    all["computeFrameJacobian"] = {
        [tool, J](Robot & r, const State & s) {
            J->setZero();
            computeFrameJacobian(r.model, r.data, s.q, tool, LOCAL_WORLD_ALIGNED, *J);
        },
        [J](const Robot &) { return J->norm(); }};
    all["frameJacobianTimeVariation"] = {
        [tool, J](Robot & r, const State & s) {
            J->setZero();
            computeJointJacobiansTimeVariation(r.model, r.data, s.q, s.v);
            getFrameJacobianTimeVariation(r.model, r.data, tool, LOCAL, *J);
        },
        [J](const Robot &) { return J->norm(); }};
    all["ccrba"] = {
        [](Robot & r, const State & s) { ccrba(r.model, r.data, s.q, s.v); },
        [](const Robot & r) { return r.data.Ag.norm(); }};
}
