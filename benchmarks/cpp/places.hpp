// The places where a robot touches the ground, the first of which is its tool.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

// A point of a body, or all of its axes there; the body's number in this library and in Pinocchio.
struct Place {
    int body = 0, joint = 0, rows = 0;
    double point[3] = {};
};

using Places = std::vector<Place>;

// Reads a line for each place: body, joint, 3 rows for a point or 6 for a frame, the point.
inline Places read_places(const std::string & file) {
    std::ifstream in(file);
    Places places;
    for (Place p; in >> p.body >> p.joint >> p.rows >> p.point[0] >> p.point[1] >> p.point[2];)
        places.push_back(p);
    if (places.empty()) throw std::runtime_error("cannot read " + file);
    return places;
}
