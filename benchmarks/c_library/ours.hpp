// Functions of the exported library at given states: one state, and all of them in one call.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <spatial_v2.hpp>

struct Function {
    std::function<void(std::size_t)> one;
    std::function<void()> many;
    std::function<double()> norm;  // of the results of the last call at its first state
};

using Functions = std::map<std::string, Function>;

// The states, and memory for the results of all of them.
struct Sample {
    Sample(const std::string & model, const std::string & file, std::size_t states)
        : model(model), states(states), q(states * this->model.NQ()),
          v(states * this->model.NV()), x(v.size()) {
        std::ifstream in(file, std::ios::binary);
        for (auto * part : {&q, &v, &x})
            in.read(reinterpret_cast<char *>(part->data()), std::streamsize(part->size() * 8));
        if (!in) throw std::runtime_error("cannot read " + file);
        const std::size_t n = this->model.NV();
        for (auto & result : results) result.resize(states * std::max(n * n, 36 * this->model.NB()));
    }

    spatial_v2::Model model;
    std::size_t states;
    std::vector<double> q, v, x, results[4];

    spatial_v2::In at(const std::vector<double> & values, std::size_t state) const {
        const std::size_t n = values.size() / states;
        return {values.data() + state * n, n};
    }
    spatial_v2::Out out(int k, std::size_t size) { return {results[k].data(), size}; }
    // Of the first numbers of each result, of which `sizes` are compared.
    double norm(std::vector<std::size_t> sizes) const {
        double sum = 0;
        for (std::size_t k = 0; k < sizes.size(); ++k)
            for (std::size_t i = 0; i < sizes[k]; ++i) sum += results[k][i] * results[k][i];
        return std::sqrt(sum);
    }
};

inline Functions functions(Sample & s) {
    namespace sv = spatial_v2;
    const std::size_t v = s.model.NV(), vv = v * v, n = s.states;
    Functions all;
    const auto add = [&](const char * name, auto one, auto many, std::vector<std::size_t> sizes) {
        all[name] = {one, many, [&s, sizes] { return s.norm(sizes); }};
    };
    add("ID",
        [&s, v, f = sv::ID(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, v));
        },
        [&s, v, n, f = sv::ID_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * v));
        },
        {v});
    add("FDab",
        [&s, v, f = sv::FDab(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, v));
        },
        [&s, v, n, f = sv::FDab_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * v));
        },
        {v});
    add("HandC",
        [&s, v, vv, f = sv::HandC(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.out(0, vv), s.out(1, v));
        },
        [&s, v, vv, n, f = sv::HandC_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.out(0, n * vv), s.out(1, n * v));
        },
        {vv, v});
    add("CRBA",
        [&s, vv, f = sv::CRBA(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.out(0, vv));
        },
        [&s, vv, n, f = sv::CRBA_batch(s.model)]() mutable { f(n, s.q, s.out(0, n * vv)); },
        {vv});
    add("ID_derivatives",
        [&s, vv, f = sv::ID_derivatives(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, vv), s.out(1, vv));
        },
        [&s, vv, n, f = sv::ID_derivatives_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * vv), s.out(1, n * vv));
        },
        {vv, vv});
    add("FD_derivatives",
        [&s, vv, f = sv::FD_derivatives(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, vv), s.out(1, vv), s.out(2, vv));
        },
        [&s, vv, n, f = sv::FD_derivatives_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * vv), s.out(1, n * vv), s.out(2, n * vv));
        },
        {vv, vv, vv});
    add("CoriolisMatrix",
        [&s, vv, f = sv::CoriolisMatrix(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.out(0, vv), s.out(1, vv), s.out(2, vv));
        },
        [&s, vv, n, f = sv::CoriolisMatrix_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.out(0, n * vv), s.out(1, n * vv), s.out(2, n * vv));
        },
        {vv});
    add("Hinverse",
        [&s, vv, f = sv::Hinverse(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.out(0, vv));
        },
        [&s, vv, n, f = sv::Hinverse_batch(s.model)]() mutable { f(n, s.q, s.out(0, n * vv)); },
        {vv});
    const std::size_t b = s.model.NB();
    add("forward_kinematics",
        [&s, b, f = sv::forward_kinematics(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), {}, s.out(2, 9 * b), s.out(3, 3 * b), s.out(0, 6 * b));
        },
        [&s, b, n, f = sv::forward_kinematics_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.out(1, n * 36 * b), s.out(2, n * 9 * b), s.out(3, n * 3 * b),
              s.out(0, n * 6 * b));
        },
        {6 * b});
    add("CMM",
        [&s, v, f = sv::CMM(s.model)](std::size_t k) mutable {
            f(s.at(s.q, k), s.out(0, 6 * v));
        },
        [&s, v, n, f = sv::CMM_batch(s.model)]() mutable { f(n, s.q, s.out(0, n * 6 * v)); },
        {6 * v});
    sv::ID_SO_derivatives_packed second(s.model);
    std::vector<std::size_t> counts;
    for (int k = 0; k < 4; ++k) {
        counts.push_back(second.nonzeros(k));
        s.results[k].resize(std::max(s.results[k].size(), n * counts[k]));
    }
    add("ID_SO_derivatives",
        [&s, c = counts, f = std::move(second)](std::size_t k) mutable {
            f(s.at(s.q, k), s.at(s.v, k), s.at(s.x, k), s.out(0, c[0]), s.out(1, c[1]),
              s.out(2, c[2]), s.out(3, c[3]));
        },
        [&s, c = counts, n, f = sv::ID_SO_derivatives_packed_batch(s.model)]() mutable {
            f(n, s.q, s.v, s.x, s.out(0, n * c[0]), s.out(1, n * c[1]), s.out(2, n * c[2]),
              s.out(3, n * c[3]));
        },
        counts);
    return all;
}
