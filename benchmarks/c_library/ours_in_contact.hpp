// Functions of the exported library on a frame and under constraints.
#pragma once

#include "../cpp/places.hpp"
#include "ours.hpp"

// The transform of motions from a body to a point of it.
inline std::array<double, 36> to_point(const Place & place) {
    const double x = place.point[0], y = place.point[1], z = place.point[2];
    return {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,  0, 1, 0, 0, 0,
            0, z, -y, 1, 0, 0, -z, 0, x, 0, 1, 0, y, -x, 0, 0, 0, 1};
}

inline void add_frames(Sample & s, const Place & place, Functions & all) {
    namespace sv = spatial_v2;
    const sv::Frame tool(s.model, place.body, to_point(place).data());
    const std::size_t v = s.model.NV(), n = s.states;
    const auto add = [&](const char * name, auto one, auto many, std::vector<std::size_t> sizes) {
        all[name] = {one, many, [&s, sizes] { return s.norm(sizes); }};
    };
    add("frame_motion",
        [&s, f = sv::frame_motion(tool)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), {}, s.out(3, 9), s.out(0, 3), s.out(1, 6));
        },
        [&s, n, f = sv::frame_motion_batch(tool)]() mutable {
            f(n, s.q, s.v, s.out(2, n * 36), s.out(3, n * 9), s.out(0, n * 3), s.out(1, n * 6));
        },
        {3, 6});
    add("frame_acceleration",
        [&s, f = sv::frame_acceleration(tool, SV2_BODY)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, 6));
        },
        [&s, n, f = sv::frame_acceleration_batch(tool, SV2_BODY)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * 6));
        },
        {6});
    add("FrameJacobian",
        [&s, v, f = sv::FrameJacobian(tool, SV2_MIXED)](std::size_t k) mutable {
            f(s.at(s.q, k), s.out(0, 6 * v));
        },
        [&s, v, n, f = sv::FrameJacobian_batch(tool, SV2_MIXED)]() mutable {
            f(n, s.q, s.out(0, n * 6 * v));
        },
        {6 * v});
    add("FrameJacobianTimeDerivative",
        [&s, v, f = sv::FrameJacobianTimeDerivative(tool, SV2_BODY)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.out(0, 6 * v));
        },
        [&s, v, n, f = sv::FrameJacobianTimeDerivative_batch(tool, SV2_BODY)]() mutable {
            f(n, s.q, s.v, s.out(0, n * 6 * v));
        },
        {6 * v});
}

inline void add_constraints(Sample & s, const Places & places, Functions & all) {
    namespace sv = spatial_v2;
    std::vector<std::array<double, 36>> X;
    for (const Place & place : places) X.push_back(to_point(place));
    std::vector<sv2_constraint> list;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const int kind = places[k].rows == 3 ? SV2_POINTS : SV2_IN_FRAME2;
        list.push_back({kind, -1, places[k].body, nullptr, X[k].data(),
                        static_cast<std::size_t>(places[k].rows), nullptr});
    }
    const sv::Constraints held(s.model, list);
    const std::size_t v = s.model.NV(), m = held.rows(), n = s.states;
    const auto restitution = std::make_shared<std::vector<double>>(n * m, .5);
    for (auto & result : s.results) result.resize(std::max(result.size(), n * 3 * (v + m) * v));
    const auto add = [&](const char * name, auto one, auto many, std::vector<std::size_t> sizes) {
        all[name] = {one, many, [&s, sizes] { return s.norm(sizes); }};
    };
    add("KKT_FD",
        [&s, v, m, f = sv::KKT_FD(held)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, v), s.out(1, m));
        },
        [&s, v, m, n, f = sv::KKT_FD_batch(held)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * v), s.out(1, n * m));
        },
        {v, m});
    add("KKT_FO_derivatives",
        [&s, v, m, f = sv::KKT_FO_derivatives(held)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, v + m), s.out(1, 3 * v * v),
              s.out(2, 3 * m * v));
        },
        [&s, v, m, n, f = sv::KKT_FO_derivatives_batch(held)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * (v + m)), s.out(1, n * 3 * v * v),
              s.out(2, n * 3 * m * v));
        },
        {v + m, 3 * v * v, 3 * m * v});
    add("Impact_dyn",
        [&s, v, m, restitution, f = sv::Impact_dyn(held)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), {restitution->data(), m}, s.out(0, v), s.out(1, m));
        },
        [&s, v, m, n, restitution, f = sv::Impact_dyn_batch(held)]() mutable {
            f(n, s.q, s.v, *restitution, s.out(0, n * v), s.out(1, n * m));
        },
        {v, m});
}
