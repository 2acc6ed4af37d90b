// Inverse dynamics of an arm, term by term: the reader sets its motion, pushes it, and switches terms off.
"use strict";
(() => {
  const { sum, difference, scaled, forceAt, position, pointFrom, rotation, transpose, apply } = algebra;
  const { COLOURS } = stage, model = side.data.model, n = model.parent.length, body = n - 1;
  const { q, qd, qdd, end: tip } = side.data, zero = new Array(n).fill(0), still = [0, 0, 0, 0, 0, 0];
  const on = { gravity: true, velocity: true, acceleration: true, rotors: true };
  const light = { ...model, rotors: null }, NONE = [0, 0, 0];
  let push = [0, 0, 0];

  const drawn = shapes.robot(model, { end: tip }), force = shapes.arrow(COLOURS.force, 0.016);
  const through = model.parent.map(() => shapes.arrow(COLOURS.turn, 0.012));
  side.text("Set the motion of the arm, and drag the red ball to push its end. "
    + "The orange arrows are the forces through the joints.");
  const [sliders] = [["q", q, 3.14], ["q̇", qd, 6], ["q̈", qdd, 15]].map(([name, list, limit]) =>
    list.map((x, i) => side.slider(`${name}${i}`, -limit, limit, x, (y) => { list[i] = y; update(); })));
  const turns = levers(model, q, (i) => { sliders[i].set(q[i]); update(); });
  side.check("gravity", true, (x) => { on.gravity = x; update(); });
  side.check("velocity terms (Coriolis, centrifugal)", true, (x) => { on.velocity = x; update(); });
  side.check("acceleration H q̈", true, (x) => { on.acceleration = x; update(); });
  side.check("rotors behind the gears", true, (x) => { on.rotors = x; update(); });
  const numbers = side.table("numbers", "Joint forces [N m]", { bars: true });
  const handle = stage.handle("Push on the end", [0, 0, 0], (p) => { push = scaled(20, difference(p, end())); update(); },
    COLOURS.force);

  const end = (p = dynamics.posture(model, q)) => pointFrom(p.X0[body], tip);
  const external = () => model.parent.map((_, i) => (i === body ? forceAt(push, end()) : still));
  // Each term is inverse dynamics with the others left out.
  function terms() {
    const p = dynamics.posture(light, q), free = { ...light, gravity: NONE }, geared = { ...model, gravity: NONE };
    const r = dynamics.posture(model, q), a = on.acceleration ? qdd : zero, v = on.velocity ? qd : zero;
    const rotors = difference(dynamics.ID(geared, r, v, a), dynamics.ID(free, p, v, a));
    return {
      gravity: on.gravity ? dynamics.ID(on.rotors ? model : light, on.rotors ? r : p, zero, zero) : zero,
      velocity: dynamics.ID(free, p, v, zero),
      acceleration: dynamics.ID(free, p, zero, a),
      rotors: on.rotors ? rotors : zero,
      push: dynamics.ID(free, p, zero, zero, external()),
    };
  }
  function update() {
    const p = dynamics.posture(model, q), parts = terms(), at = end(p);
    drawn(p.X0);
    turns.show(p.X0);
    const shown = dynamics.posture(on.rotors ? model : light, q);
    dynamics.ID({ ...model, rotors: on.rotors ? model.rotors : null, gravity: on.gravity ? model.gravity : NONE }, shown,
      on.velocity ? qd : zero, on.acceleration ? qdd : zero, external());
    shown.bodies.forEach((b, i) => {
      const o = position(p.X0[i]);
      through[i](o, sum(o, scaled(1 / 60, apply(transpose(rotation(p.X0[i])), b.f.slice(3)))));
    });
    force(at, sum(at, scaled(1 / 20, push)));
    handle.position.set(...sum(at, scaled(1 / 20, push)));
    const names = { gravity: "gravity", velocity: "velocity", acceleration: "H q̈", rotors: "rotors", push: "push" };
    const total = Object.values(parts).reduce(sum);
    numbers([["", ...q.map((_, i) => `τ${i}`)], ...Object.keys(names).map((k) => [names[k], ...parts[k]]), ["sum", ...total]], 2);
  }
  window.figure = { q, qd, qdd, terms, end: () => end(), push: () => push, handle };
  update();
  stage.look([0.5, -1.75, 0.35], [0.25, 0, -0.05]);
})();
