// One translation unit: the joints' visitors are what compiles slowly. Answers requests of
// benchmarks/cpp/peer.py, a line each:
//
//     time COUNT ALGORITHM    seconds that COUNT calls take, through the states in turn
//     norm ALGORITHM          Frobenius norm of the results at the first state
#include <chrono>
#include <iostream>
#include <sstream>

#include "dynamics.hpp"
#include "first_derivatives.hpp"
#include "read_robot.hpp"
#include "second_derivatives.hpp"

namespace {

double seconds(Robot & robot, const Algorithm & algorithm, long count) {
    const auto start = std::chrono::steady_clock::now();
    std::size_t state = 0;
    for (long i = 0; i < count; ++i) {
        algorithm.run(robot, robot.states[state]);
        if (++state == robot.states.size()) state = 0;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double answer(Robot & robot, const Algorithms & algorithms, std::istream & request) {
    std::string verb, name;
    long count = 0;
    request >> verb;
    if (verb == "time") request >> count;
    std::getline(request >> std::ws, name);
    const Algorithm & algorithm = algorithms.at(name);
    if (verb == "time") return seconds(robot, algorithm, count);
    if (verb != "norm") throw std::invalid_argument(verb);
    for (Tensor3 & tensor : robot.tensors) tensor.setZero();
    algorithm.run(robot, robot.states.front());
    return algorithm.norm(robot);
}

}  // namespace

int main(int, char ** argv) {
    Robot robot = read_robot(argv[1]);
    Algorithms algorithms;
    add_dynamics(algorithms);
    add_first_derivatives(algorithms);
    add_second_derivatives(algorithms);
    std::cout.precision(17);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream request(line);
        std::cout << answer(robot, algorithms, request) << std::endl;
    }
}
