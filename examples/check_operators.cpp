// Check operators written in C++ with Eigen against test vectors of the identities.
//
//     spatial-v2 identities --export vectors.json
//     g++ -std=c++17 -I/usr/include/eigen3 check_operators.cpp -o check && ./check vectors.json
#include <Eigen/Dense>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>
using Matrix = Eigen::MatrixXd;

struct Json {  // what a file of test vectors is made of; words such as true are not
  double number = 0;
  std::string text;
  std::vector<Json> list;
  std::map<std::string, Json> named;
  const Json& operator[](const std::string& name) const { return named.at(name); }
  explicit Json(std::istream& in) {
    char c;
    in >> c;
    if (c == '"') {
      while (in.get(c) && c != '"') {
        if (c == '\\') in.get(c);
        text += c;
      }
    } else if (c == '[' || c == '{') {
      for (char close = c == '[' ? ']' : '}'; in >> c && c != close;) {
        if (c != ',') in.unget();
        if (close == ']') {
          list.emplace_back(in);
          continue;
        }
        std::string name = Json(in).text;
        in >> c;
        named.emplace(name, Json(in));
      }
    } else {
      std::string word(1, c);
      while (in.peek() != ',' && in.peek() != ']' && in.peek() != '}') word += in.get();
      number = std::atof(word.c_str());
    }
  }
};

Matrix matrix(const Json& array) {  // vectors are matrices of one column
  auto& shape = array["shape"].list;
  auto& data = array["data"].list;
  int rows = shape[0].number, columns = shape.size() > 1 ? shape[1].number : 1;
  Matrix A(rows, columns);
  for (int i = 0; i < rows * columns; ++i) A(i / columns, i % columns) = data[i].number;
  return A;
}

// The operators under test.
Matrix skew(double x, double y, double z) {
  return (Matrix(3, 3) << 0, -z, y, z, 0, -x, -y, x, 0).finished();
}
Matrix blocks(const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& d) {
  return (Matrix(6, 6) << a, b, c, d).finished();
}
Matrix crm(const Matrix& v) {
  Matrix w = skew(v(0), v(1), v(2));
  return blocks(w, Matrix::Zero(3, 3), skew(v(3), v(4), v(5)), w);
}
Matrix crf(const Matrix& v) { return -crm(v).transpose(); }
Matrix icrf(const Matrix& f) {
  Matrix l = skew(f(3), f(4), f(5));
  return -blocks(skew(f(0), f(1), f(2)), l, l, Matrix::Zero(3, 3));
}
Matrix B(const Matrix& I, const Matrix& v) { return (crf(v) * I + icrf(I * v) - I * crm(v)) / 2; }

int main(int, char** argv) {
  std::ifstream file(argv[1]);
  const Json vectors(file);
  int wrong = 0;
  auto check = [&](const std::string& name, const Matrix& ours, const Json& theirs) {
    Matrix T = matrix(theirs);
    double gap = (ours - T).cwiseAbs().maxCoeff() / std::max(1.0, T.cwiseAbs().maxCoeff());
    bool holds = gap <= vectors["tolerance"].number;
    wrong += !holds;
    std::cout << (holds ? "holds  " : "FALLS  ") << name << "  " << gap << "\n";
  };
  using A = std::map<std::string, Matrix>;
  using Side = std::function<Matrix(A)>;
  std::map<std::string, std::pair<Side, Side>> sides = {
      {"P1",
       {[](A a) -> Matrix { return crm(crm(a["v"]) * a["m"]); },
        [](A a) -> Matrix { return crm(a["v"]) * crm(a["m"]) - crm(a["m"]) * crm(a["v"]); }}},
      {"P3",
       {[](A a) -> Matrix { return icrf(crf(a["v"]) * a["f"]); },
        [](A a) -> Matrix { return crf(a["v"]) * icrf(a["f"]) - icrf(a["f"]) * crm(a["v"]); }}},
      {"M22",
       {[](A a) -> Matrix { return B(a["I"], a["v"]).transpose() * a["w"]; },
        [](A a) -> Matrix { return -B(a["I"], a["w"]).transpose() * a["v"]; }}},
      {"M23",
       {[](A a) -> Matrix { return B(a["I"], a["v"]) * a["w"]; },
        [](A a) -> Matrix { return B(a["I"], a["w"]) * a["v"] - a["I"] * crm(a["v"]) * a["w"]; }}}};
  for (auto& [name, f] :
       std::map<std::string, Matrix (*)(const Matrix&)>{{"crm", crm}, {"crf", crf}, {"icrf", icrf}})
    check(name, f(matrix(vectors["operators"][name]["arguments"].list[0])),
          vectors["operators"][name]["result"]);
  for (auto& identity : vectors["identities"].list)
    if (sides.count(identity["name"].text))
      for (auto& c : identity["cases"].list) {
        A a;
        for (auto& [letter, x] : c["arguments"].named) a[letter] = matrix(x);
        auto& [left, right] = sides.at(identity["name"].text);
        check(identity["name"].text + " left ", left(a), c["left"]);
        check(identity["name"].text + " right", right(a), c["right"]);
      }
  return wrong != 0;
}
