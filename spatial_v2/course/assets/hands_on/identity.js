// Both sides of an identity as matrices, for arguments that the reader moves; the address names it: ?M7.
"use strict";
(() => {
  const { sum, scaled } = algebra, { identities, letters, model, motion } = side.data;
  const place = document.getElementById("stage"), GREEK = { lam: "λ" };
  const start = model.joints.flatMap(({ nq: n }) => (n === 1 ? [0] : [1, 0, 0, 0, 0, 0, 0].slice(0, n)));
  const asked = location.search.slice(1), name = asked in identities ? asked : "M1", identity = identities[name];
  const constants = identity.letters.filter((x) => !["i", "j"].includes(x));
  const jointed = identity.letters.includes("j"), cases = Object.keys(identity.right);
  const turns = { state: 0.4 }, numbers = { i: 3, j: 1 };
  let wrong = false, chosen = 0;

  // An argument goes round a circle through two random values; a sum of inertias is one.
  const round = (angle, [a, b]) => mixed(Math.cos(angle), a, Math.sin(angle), b);
  const mixed = (s, a, t, b) => (typeof a === "number" ? s * a + t * b : sum(scaled(s, a), scaled(t, b)));
  function argument(letter) {
    const { kind, values: [a, b] } = letters[letter], angle = turns[letter];
    const x = kind === "inertia" ? mixed((1 + Math.cos(angle)) / 2, a, (1 - Math.cos(angle)) / 2, b) : round(angle, [a, b]);
    return jointed ? x.map((row) => row[0]) : x;
  }
  function state() {
    const [p, qd, qdd] = motion.map((pair) => round(turns.state, pair));
    return { q: dynamics.moved(model, start, p, 1), qd, qdd };
  }
  const above = (i, j) => i >= 0 && (model.parent[i] === j || above(model.parent[i], j));
  function relation() {
    const { i, j } = numbers;
    return i === j ? "j = i" : above(i, j) ? "j < i" : above(j, i) ? "j > i" : "unrelated";
  }
  function sides() {
    const plain = Object.fromEntries(constants.map((x) => [x, argument(x)]));
    const names = Object.fromEntries(Object.entries(plain).map(([x, value]) => [x, tensors.constant(value)]));
    const now = state(), kind = jointed ? relation() : cases[chosen];
    if (jointed) {
      const at = (along) => tensors.bodies(model, now.q, now.qd, now.qdd, along), all = at(null);
      Object.assign(names, { i: all[numbers.i], j: all[numbers.j], stepped: (variable, k) => at({ variable, k }) });
    }
    const left = tensors.evaluate(identity.left, names).x, tree = (wrong ? identity.broken : identity.right)[kind];
    const nothing = (a) => (Array.isArray(a) ? a.map(nothing) : 0);
    const right = tree === null ? nothing(left) : tensors.evaluate(tree, names).x;
    return { left, right, plain, kind, ...now, ...numbers };
  }

  // ---- the matrices --------------------------------------------------------------------------
  const asPages = (a) => {
    if (tensors.rank(a) === 1) return [a.map((x) => [x])];
    return tensors.rank(a) === 2 ? [a] : a[0][0].map((_, k) => a.map((row) => row.map((x) => x[k])));
  };
  const WORDS = { "j < i": "j is an ancestor of i", "j = i": "the same body", "j > i": "j is a descendant of i",
    unrelated: "on different branches" };
  const largest = (a) => Math.max(...[a].flat(Infinity).map(Math.abs));
  function show(title, pages, others, tolerance) {
    const size = Math.max(largest(pages), largest(others), 1e-9);
    const cell = (x, other) => {
      const className = Math.abs(x - other) > tolerance ? "differs" : "";
      const one = side.element("td", (Math.abs(x) < 5e-3 ? 0 : x).toFixed(2), { className });
      one.style.backgroundColor = side.tint(x, size);
      return one;
    };
    const tables = pages.map((M, k) => {
      const rows = M.map((row, i) => side.element("tr", row.map((x, j) => cell(x, others[k][i][j]))));
      const caption = pages.length > 1 ? `${title}, page ${k}` : title;
      return side.element("table", [side.element("caption", caption), side.element("tbody", rows)], { className: "matrix" });
    });
    return side.element("div", tables, { className: "pages" });
  }
  function update() {
    const { left, right, kind } = sides(), [a, b] = [left, right].map(asPages);
    const gap = Math.max(...[a].flat(Infinity).map((x, k) => Math.abs(x - [b].flat(Infinity)[k])));
    const tolerance = 1e-9 * Math.max(largest(a), 1);
    place.replaceChildren(show("left side", a, b, tolerance), show(wrong ? "right side, broken" : "right side", b, a, tolerance));
    if (wrong && gap < tolerance) verdict.textContent = "The term with the wrong sign is zero here: move an argument.";
    else verdict.textContent = gap < tolerance ? `Both sides coincide: the largest difference is ${gap.toExponential(0)}.`
      : `The sides differ by up to ${gap.toPrecision(3)}: outlined entries.`;
    if (jointed) relationText.textContent = `Body j = ${numbers.j} and body i = ${numbers.i}: ${WORDS[kind]}.`;
  }

  // ---- the controls ---------------------------------------------------------------------------
  constants.forEach((letter, k) => {
    turns[letter] = 0.5 + k;
    const name = `${GREEK[letter] || letter}, ${letters[letter].kind}`;
    side.slider(name, 0, 6.28, turns[letter], (x) => { turns[letter] = x; update(); });
  });
  if (jointed) {
    for (const body of ["i", "j"]) {
      const change = (x) => { numbers[body] = x; update(); };
      const one = side.slider(`body ${body}`, 0, model.parent.length - 1, numbers[body], change, 0);
      one.input.step = 1;
      one.set(numbers[body]);
    }
    side.slider("state q, q̇, q̈", 0, 6.28, turns.state, (x) => { turns.state = x; update(); });
  } else if (cases.length > 1)
    side.choose("right side", cases.map((_, k) => `form ${k + 1}`), 0, (x) => { chosen = x; update(); });
  side.check("break it: the other sign of the last term", false, (x) => { wrong = x; update(); });
  const relationText = side.text(""), verdict = side.text("");
  verdict.setAttribute("role", "status");
  window.figure = { name, sides };
  update();
})();
