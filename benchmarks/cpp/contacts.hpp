// Dynamics of a robot that touches the ground at given places: points, or frames that do not turn.
#pragma once

#include "kinematics.hpp"

#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>

struct Contacts {
    Contacts(const Robot & robot, const Places & places) {
        for (const Place & place : places) {
            const auto joint = static_cast<JointIndex>(place.joint);
            const bool point = place.rows == 3;
            models.emplace_back(point ? CONTACT_3D : CONTACT_6D, robot.model, joint, at(place),
                                point ? LOCAL_WORLD_ALIGNED : LOCAL);
            datas.emplace_back(models.back());
        }
    }
    std::vector<RigidConstraintModel, Eigen::aligned_allocator<RigidConstraintModel>> models;
    std::vector<RigidConstraintData, Eigen::aligned_allocator<RigidConstraintData>> datas;
    ProximalSettings settings;
};

// Adds the algorithms, which use the memory of the robot that is prepared here.
inline void add_contacts(Robot & robot, const Places & places, Algorithms & all) {
    const auto c = std::make_shared<Contacts>(robot, places);
    initConstraintDynamics(robot.model, robot.data, c->models, c->datas);
    const auto forward = [c](Robot & r, const State & s) {
        constraintDynamics(r.model, r.data, s.q, s.v, s.x, c->models, c->datas, c->settings);
    };
    all["constraintDynamics"] = {
        forward, [](const Robot & r) { return norm(r.data.ddq, r.data.lambda_c); }};
    all["constraintDynamics, its derivatives"] = {
        [c, forward](Robot & r, const State & s) {
            forward(r, s);
            computeConstraintDynamicsDerivatives(r.model, r.data, c->models, c->datas, c->settings);
        },
        [](const Robot & r) {
            const Data & d = r.data;
            return norm(d.ddq, d.lambda_c, d.ddq_dq, d.ddq_dv, d.ddq_dtau, d.dlambda_dq,
                        d.dlambda_dv, d.dlambda_dtau);
        }};
    all["impulseDynamics"] = {
        [c](Robot & r, const State & s) {
            impulseDynamics(r.model, r.data, s.q, s.v, c->models, c->datas, .5, c->settings);
        },
        [](const Robot & r) { return norm(r.data.dq_after, r.data.impulse_c); }};
}
