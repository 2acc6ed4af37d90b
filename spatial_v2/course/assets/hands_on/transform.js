// Two observers of one motion and one force: the reader moves frame B, and its numbers change.
"use strict";
(() => {
  const { sum, scaled, dot, apply, product, plux, about, forceAt, forceTo, rotation, position, identity, velocityAt } =
    algebra;
  const { COLOURS } = stage, A = plux(identity(3), [0, 0, 0]), angles = [0, 0, 0.5], push = [0, 0.6, 0.5];
  const motion = { at: [0.5, -0.5, 0], w: [0, 0, 1] }; // the body turns about an upright axis
  const vA = [...motion.w, ...algebra.cross(motion.at, motion.w)];
  let r = [0.9, 0.3, 0.3], point = [0.2, 0.8, 0.1];

  const [nameA, nameB] = ["A", "B"].map(stage.label);
  shapes.frame(0.35)(A);
  nameA([0, 0, 0]);
  const frame = shapes.frame(0.35), away = shapes.rod(COLOURS.thin, 0.006), axis = shapes.rod(COLOURS.turn, 0.012);
  const velocities = [shapes.arrow(COLOURS.shift, 0.014), shapes.arrow(COLOURS.shift, 0.014)];
  const force = shapes.arrow(COLOURS.force, 0.016);
  shapes.floor(3);

  side.text("Drag the blue balls: one is the origin of frame B, at the other the red force acts.");
  const origin = stage.handle("Origin of frame B", r, (p) => { r = p; update(); });
  const end = stage.handle("Point of the force", point, (p) => { point = p; update(); });
  ["x", "y", "z"].forEach((name, k) =>
    side.slider(`turn about ${name}`, -3.14, 3.14, angles[k], (x) => { angles[k] = x; update(); }));
  const matrix = side.matrix("X", "X, from A to B");
  const numbers = side.table("numbers", "Motion and force, by A and by B");
  const power = side.text("");

  const X = () => plux(product(about(2, angles[2]), product(about(1, angles[1]), about(0, angles[0]))), r);
  const fA = () => forceAt(push, point);
  function update() {
    const x = X(), vB = apply(x, vA), f = fA(), fB = forceTo(x, f);
    frame(x);
    nameB(r);
    away.between([0, 0, 0], r);
    axis.between(sum(motion.at, [0, 0, -0.5]), sum(motion.at, [0, 0, 1]));
    [[0, 0, 0], r].forEach((p, k) => velocities[k](p, sum(p, scaled(0.5, velocityAt(vA, p)))));
    force(point, sum(point, push));
    origin.position.set(...position(x));
    end.position.set(...point);
    matrix(x);
    const names = ["x", "y", "z", "Ox", "Oy", "Oz"];
    numbers([["", "v in A", "v in B", "f in A", "f in B"], ...names.map((name, k) => [name, vA[k], vB[k], f[k], fB[k]])], 2);
    power.textContent = `Power f·v: ${dot(f, vA).toFixed(4)} W in A, ${dot(fB, vB).toFixed(4)} W in B.`;
  }
  window.figure = { X, vA, fA, handles: [origin, end], rotation: () => rotation(X()) };
  update();
  stage.look([2.1, -2.4, 1.7], [0.4, 0.1, 0.2]);
})();
