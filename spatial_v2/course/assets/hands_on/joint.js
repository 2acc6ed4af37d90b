// One joint between the base and a box: its motions, and what a force on the box asks of its motor.
"use strict";
(() => {
  const { sum, scaled, dot, difference, apply, forceAt, forceTo, inverse, pointFrom, velocityAt, rotation } = algebra;
  const { COLOURS } = stage, sides = [0.5, 0.34, 0.22], grip = [0.25, 0.17, 0.11];
  const row = (kind, pitch, nv) => ({ kind, axis: 2, sign: 1, pitch, nq: nv === 1 ? 1 : 4, nv });
  const types = [["revolute, about z", row(0, 0, 1)], ["prismatic, along z", row(1, 0, 1)], ["helical, about z", row(0, 0.15, 1)],
    ["spherical", row(2, 0, 3)]];
  const joint = () => types[type][1], position = [0.5, 0, 0];
  let type = 0, push = [0.1, 0.3, 0.25], shown = 0;

  shapes.floor(2);
  shapes.frame(0.25, 0.008)(algebra.plux(algebra.identity(3), [0, 0, 0]));
  const box = shapes.box(COLOURS.body, sides, 0.55), frame = shapes.frame(0.4, 0.01);
  const axis = shapes.rod(COLOURS.turn, 0.012), force = shapes.arrow(COLOURS.force, 0.016), field = [];
  for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1])
    field.push({ p: sides.map((s, k) => (0.5 * s * [x, y, z][k])), show: shapes.arrow(COLOURS.shift, 0.009) });

  side.text("Drag the red ball: the force pulls at the corner of the box.");
  const handle = stage.handle("Tip of the force", push, (p) => { push = difference(p, corner()); update(); }, COLOURS.force);
  side.choose("joint", types.map(([name]) => name), type, (x) => {
    [type, shown] = [x, 0];
    const limit = x === 1 ? 0.6 : 3; // metres or radians
    Object.assign(sliders[0].input, { min: -limit, max: limit, step: limit / 200 });
    sliders[0].set((position[0] = Math.max(-limit, Math.min(limit, position[0]))));
    update();
  });
  const sliders = position.map((x, k) => side.slider(`position ${k}`, -3, 3, x, (y) => { position[k] = y; shown = k; update(); }));
  const pitch = side.slider("pitch [m/rad]", -0.4, 0.4, types[2][1].pitch, (x) => { types[2][1].pitch = x; update(); });
  const numbers = side.table("numbers", "S and f, in coordinates of the box");
  const answer = side.text("");

  // A spherical joint has the rotation vector `position`; one degree of freedom has its first entry.
  function X() {
    const q = joint().nv === 1 ? [position[0]] : dynamics.moved({ joints: [joint()] }, [1, 0, 0, 0], position, 1);
    return dynamics.jcalc(joint(), q);
  }
  const corner = () => pointFrom(X().XJ, grip);
  const f = () => forceTo(X().XJ, forceAt(push, corner()));
  const tau = () => X().S.map((s) => dot(s, f()));
  function update() {
    const { XJ, S } = X(), at = corner(), body = f();
    shapes.turned(box, rotation(XJ), algebra.position(XJ));
    frame(XJ);
    const v = apply(inverse(XJ), S[Math.min(shown, S.length - 1)]), o = algebra.position(XJ), w = v.slice(0, 3);
    const e = Math.hypot(...w) > 1e-9 ? w : v.slice(3);
    axis.between(sum(o, scaled(-0.6, e)), sum(o, scaled(0.6, e)));
    field.forEach(({ p, show }) => { const x = pointFrom(XJ, p); show(x, sum(x, scaled(0.4, velocityAt(v, x)))); });
    force(at, sum(at, push));
    handle.position.set(...sum(at, push));
    sliders.forEach((one, k) => { one.input.parentElement.hidden = k >= S.length; });
    pitch.input.parentElement.hidden = type !== 2;
    const names = ["x", "y", "z", "Ox", "Oy", "Oz"];
    const head = ["", ...S.map((_, k) => (S.length > 1 ? `s${k}` : "S")), "f"];
    numbers([head, ...names.map((n, k) => [n, ...S.map((s) => s[k]), body[k]])]);
    answer.textContent = `The motor supplies τ = Sᵀf = ${tau().map((x) => x.toFixed(3)).join(", ")}; `
      + "the bearing supplies the rest.";
  }
  window.figure = { X, f, tau, handle, push: () => push, joint };
  update();
  stage.look([1.3, -1.7, 1.1], [0, 0, 0.05]);
})();
