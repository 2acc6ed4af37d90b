// Dynamics of a robot that touches the ground at given places: points, or frames that do not turn.
#pragma once

#include "kinematics.hpp"

#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>

// They have data of their own: the derivatives under constraints fill entries of dtau_dq between branches
// of the tree, which computeRNEADerivatives and computeABADerivatives take to be zero and leave as they are.
struct Contacts {
    Contacts(const Robot & robot, const Places & places) : data(robot.model) {
        for (const Place & place : places) {
            const auto joint = static_cast<JointIndex>(place.joint);
            const bool point = place.rows == 3;
            models.emplace_back(point ? CONTACT_3D : CONTACT_6D, robot.model, joint, at(place),
                                point ? LOCAL_WORLD_ALIGNED : LOCAL);
            datas.emplace_back(models.back());
        }
        initConstraintDynamics(robot.model, data, models, datas);
    }
    Data data;
    std::vector<RigidConstraintModel, Eigen::aligned_allocator<RigidConstraintModel>> models;
    std::vector<RigidConstraintData, Eigen::aligned_allocator<RigidConstraintData>> datas;
    ProximalSettings settings;
};

inline void add_contacts(const Robot & robot, const Places & places, Algorithms & all) {
    const auto c = std::make_shared<Contacts>(robot, places);
    const auto forward = [c](Robot & r, const State & s) {
        constraintDynamics(r.model, c->data, s.q, s.v, s.x, c->models, c->datas, c->settings);
    };
    all["constraintDynamics"] = {
        forward, [c](const Robot &) { return norm(c->data.ddq, c->data.lambda_c); }};
    all["constraintDynamics, its derivatives"] = {
        [c, forward](Robot & r, const State & s) {
            forward(r, s);
            computeConstraintDynamicsDerivatives(r.model, c->data, c->models, c->datas, c->settings);
        },
        [c](const Robot &) {
            const Data & d = c->data;
            return norm(d.ddq, d.lambda_c, d.ddq_dq, d.ddq_dv, d.ddq_dtau, d.dlambda_dq,
                        d.dlambda_dv, d.dlambda_dtau);
        }};
    all["impulseDynamics"] = {
        [c](Robot & r, const State & s) {
            impulseDynamics(r.model, c->data, s.q, s.v, c->models, c->datas, .5, c->settings);
        },
        [c](const Robot &) { return norm(c->data.dq_after, c->data.impulse_c); }};
}
