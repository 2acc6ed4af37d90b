// Functions of the exported library and Pinocchio's algorithms, at the same states of one robot.
//
//     compare ROBOT MODEL STATES PLACES: the robot for Pinocchio, the same for the library, a file of
//     doubles with q, v and x of all states for it, in its own order, and where it touches the ground
//
// Answers requests of benchmarks/c_library/program.py, a line each:
//
//     time COUNT pinocchio ALGORITHM    processor time of COUNT calls, through the states in turn [s]
//     time COUNT one FUNCTION           the same for the library
//     time COUNT batch FUNCTION         the same of COUNT calls, each with all states
//     norm 0 pinocchio|one|batch NAME   Frobenius norm of the results at the first state
#include <ctime>
#include <iostream>
#include <sstream>

#include "../cpp/contacts.hpp"
#include "../cpp/dynamics.hpp"
#include "../cpp/first_derivatives.hpp"
#include "../cpp/read_robot.hpp"
#include "../cpp/second_derivatives.hpp"
#include "ours.hpp"
#include "ours_in_contact.hpp"

namespace {

// Processor time of this thread [s], in which other programs have no part.
double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

template <class Call>
double seconds(long count, std::size_t states, const Call & call) {
    const double start = now();
    std::size_t state = 0;
    for (long i = 0; i < count; ++i) {
        call(state);
        if (++state == states) state = 0;
    }
    return now() - start;
}

double answer(Robot & robot, const Algorithms & theirs, const Functions & ours,
              std::istream & request) {
    std::string verb, kind, name;
    long count = 0;
    request >> verb >> count >> kind;
    std::getline(request >> std::ws, name);
    const std::size_t states = robot.states.size();
    const bool timed = verb == "time";
    if (kind == "pinocchio") {
        const Algorithm & algorithm = theirs.at(name);
        const auto call = [&](std::size_t k) { algorithm.run(robot, robot.states[k]); };
        if (timed) return seconds(count, states, call);
        call(0);
        return algorithm.norm(robot);
    }
    const Function & function = ours.at(name);
    if (timed && kind == "one") return seconds(count, states, function.one);
    if (timed) return seconds(count, states, [&](std::size_t) { function.many(); });
    if (kind == "one") function.one(0);
    else function.many();
    return function.norm();
}

}  // namespace

int main(int, char ** argv) {
    Robot robot = read_robot(argv[1]);
    const Places places = read_places(argv[4]);
    Algorithms theirs;
    add_kinematics(robot, places.front(), theirs);
    add_contacts(robot, places, theirs);
    add_dynamics(theirs);
    add_first_derivatives(theirs);
    add_second_derivatives(theirs);
    Sample sample(argv[2], argv[3], robot.states.size());
    Functions ours = functions(sample);
    add_frames(sample, places.front(), ours);
    add_constraints(sample, places, ours);
    std::cout.precision(17);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream request(line);
        std::cout << answer(robot, theirs, ours, request) << std::endl;
    }
}
