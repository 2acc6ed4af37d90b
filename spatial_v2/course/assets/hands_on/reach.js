// An arm whose end follows a target by damped steps; singular values say what these steps are worth.
"use strict";
(() => {
  const { sum, difference, scaled, apply, product, transpose, identity, solve, position, pointFrom } = algebra;
  const { COLOURS } = stage, { model, end: tip } = side.data, body = model.parent.length - 1, LONGEST = 0.5;
  const q = side.data.q.slice(), on = { screws: true, reach: true, follow: true };
  let damping = 0.05, target = pointFrom(dynamics.placements(model, q)[body], tip);

  const drawn = shapes.robot(model, { end: tip });
  const screws = model.parent.map(() => shapes.arrow(COLOURS.turn, 0.012)), reach = shapes.ellipsoid(COLOURS.shift, 0.3);
  const gap = shapes.rod(COLOURS.force, 0.006);
  shapes.floor(2);

  side.text("Drag the red ball: the tip follows. Drag a blue ball: the other joints make up for it.");
  side.slider("damping μ", 0, 0.4, damping, (x) => { damping = x; update(); });
  side.check("follow the target", on.follow, (x) => { on.follow = x; update(); });
  side.button("One step", () => { step(); update(); });
  side.check("columns of the Jacobian, as screws", on.screws, (x) => { on.screws = x; update(); });
  side.check("manipulability ellipsoid of the tip", on.reach, (x) => { on.reach = x; update(); });
  const numbers = side.table("numbers", "Singular values [m], and the joint velocity for 1 m/s along each"), errors = side.table("errors", "Error");
  const handle = stage.handle("Target of the tip", target, (p) => { target = p; follow(); }, COLOURS.force);
  const turns = levers(model, q, () => follow());

  const end = (p = dynamics.posture(model, q)) => pointFrom(p.X0[body], tip);
  // The damped step to the target: J^T (J J^T + mu^2 1)^-1 e, without what is longer than LONGEST.
  function change() {
    const p = dynamics.posture(model, q), J = dynamics.pointJacobian(model, p, body, end(p)), e = difference(target, end(p));
    const A = sum(product(J, transpose(J)), scaled(damping ** 2 + 1e-14, identity(3))), dq = apply(transpose(J), solve(A, e));
    return { dq, taken: scaled(Math.min(1, LONGEST / Math.hypot(...dq)), dq) };
  }
  function step() {
    if (Math.hypot(...difference(target, end())) < 1e-12) return;
    change().taken.forEach((x, i) => { q[i] += x; });
  }
  function follow() {
    for (let k = 0; on.follow && k < 30; k++) step();
    update();
  }
  // Singular values in falling order, and the factors of a step along their directions.
  function values(p = dynamics.posture(model, q)) {
    const sizes = dynamics.manipulability(model, p, body, end(p)).radii.slice().sort((a, b) => b - a);
    return { sizes, exact: sizes.map((s) => 1 / s), damped: sizes.map((s) => s / (s * s + damping ** 2)) };
  }
  function update() {
    const p = dynamics.posture(model, q), J = dynamics.jacobian(model, p, body), at = end(p);
    drawn(p.X0);
    turns.show(p.X0);
    model.parent.forEach((_, i) => {
      const o = position(p.X0[i]);
      screws[i](o, on.screws ? sum(o, scaled(0.4, J[i].slice(0, 3))) : o);
    });
    reach(dynamics.manipulability(model, p, body, at), 0.25, on.reach);
    gap.between(at, target);
    handle.position.set(...target);
    const { sizes, exact, damped } = values(p), name = (x) => (x < 1e4 ? x : "> 10⁴");
    numbers([["", "σ₁", "σ₂", "σ₃"], ["σ", ...sizes], ["1/σ", ...exact.map(name)], ["σ/(σ²+μ²)", ...damped.map(name)]]);
    errors([["distance to the target [mm]", 1000 * Math.hypot(...difference(target, at))]]);
  }
  window.figure = { q, handle, turns, values, change, step, end: () => end(), target: () => target, damping: () => damping };
  update();
  stage.look([1.1, 2.3, 1.1], [0.35, 0, 0.35]);
})();
