// Dynamics without derivatives.
#pragma once

#include "robot.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

inline void add_dynamics(Algorithms & all) {
    all["rnea"] = {
        [](Robot & r, const State & s) { rnea(r.model, r.data, s.q, s.v, s.x); },
        [](const Robot & r) { return norm(r.data.tau); }};
    all["crba"] = {
        [](Robot & r, const State & s) { crba(r.model, r.data, s.q, Convention::WORLD); },
        [](const Robot & r) { return norm_of_upper(r.data.M); }};
    all["crba, nonLinearEffects"] = {
        [](Robot & r, const State & s) {
            crba(r.model, r.data, s.q, Convention::WORLD);
            nonLinearEffects(r.model, r.data, s.q, s.v);
        },
        [](const Robot & r) { return std::hypot(norm_of_upper(r.data.M), norm(r.data.nle)); }};
    all["aba"] = {
        [](Robot & r, const State & s) { aba(r.model, r.data, s.q, s.v, s.x, Convention::WORLD); },
        [](const Robot & r) { return norm(r.data.ddq); }};
    all["computeMinverse"] = {
        [](Robot & r, const State & s) { computeMinverse(r.model, r.data, s.q); },
        [](const Robot & r) { return norm_of_upper(r.data.Minv); }};
    all["computeCoriolisMatrix"] = {
        [](Robot & r, const State & s) { computeCoriolisMatrix(r.model, r.data, s.q, s.v); },
        [](const Robot & r) { return norm(r.data.C); }};
}
