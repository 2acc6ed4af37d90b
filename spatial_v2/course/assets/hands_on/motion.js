// A robot that moves by its own dynamics: the reader pulls it and switches terms of the equation of motion.
"use strict";
(() => {
  const { sum, difference, scaled, dot, forceAt, pointFrom } = algebra, { COLOURS } = stage;
  const model = side.data.model, n = model.parent.length, body = n - 1, { nv } = dynamics.slices(model);
  const start = side.data.q, still = [0, 0, 0, 0, 0, 0], zero = new Array(nv).fill(0), STEP = side.data.step || 1 / 480;
  const STIFFNESS = side.data.stiffness || 60, DAMPING = side.data.damping || 0.3;
  const terms = { gravity: true, velocity: true, rotors: true, damping: Boolean(side.data.damped), pull: false };
  let q = start.slice(), qd = (side.data.qd || zero).slice(), time = 0, rest = 0, target = null;

  const drawn = shapes.robot(model, { thick: side.data.thick || 0.03, end: side.data.end });
  const spring = shapes.rod(COLOURS.force, 0.2 * (side.data.thick || 0.03));
  if (side.data.floor) shapes.floor(side.data.floor);
  const current = () => ({ ...model, gravity: terms.gravity ? model.gravity : [0, 0, 0],
    rotors: terms.rotors ? model.rotors : null });
  const { m, h } = algebra.massMoment(model.I[body]), tip = side.data.end || scaled(2 / m, h);
  const end = (p = dynamics.posture(model, q)) => pointFrom(p.X0[body], tip);

  // H qdd + C(q, qd) + g(q) + d qd = J^T f, where the terms that are off are left out; f pulls at the end.
  function acceleration(q, qd) {
    const m = current(), p = dynamics.posture(m, q), tau = terms.damping ? scaled(-DAMPING, qd) : zero;
    const pull = terms.pull ? forceAt(scaled(STIFFNESS, difference(target, end(p))), end(p)) : still;
    return dynamics.FDab(m, p, terms.velocity ? qd : zero, tau, model.parent.map((_, i) => (i === body ? pull : still)));
  }
  function step() {
    const half = sum(qd, scaled(STEP / 2, acceleration(q, qd))), middle = dynamics.moved(model, q, qd, STEP / 2);
    qd = sum(qd, scaled(STEP, acceleration(middle, half)));
    q = dynamics.moved(model, q, half, STEP);
    time += STEP;
  }
  function advance(seconds) {
    for (rest += seconds; rest >= STEP; rest -= STEP) step();
    if (!q.every(Number.isFinite)) reset(); // pulled too hard for the size of the steps
  }
  function reset() {
    [q, qd, time] = [start.slice(), (side.data.qd || zero).slice(), 0];
    tied.checked = terms.pull = false;
  }
  function energies() { // kinetic, potential of weight and spring
    const m = current(), p = dynamics.posture(m, q), d = terms.pull ? difference(target, end(p)) : [0, 0, 0];
    return [dynamics.kineticEnergy(m, p, qd), dynamics.potentialEnergy(m, p) + 0.5 * STIFFNESS * dot(d, d)];
  }

  const run = side.runner(advance, () => update());
  side.button("Back to the start", () => { reset(); update(); });
  side.check("gravity g(q)", terms.gravity, (x) => { terms.gravity = x; update(); });
  side.check("velocity terms C(q, q̇)", true, (x) => { terms.velocity = x; update(); });
  if (model.rotors && model.rotors.some(Boolean))
    side.check("rotors behind the gears", true, (x) => { terms.rotors = x; update(); });
  side.check(`damping ${DAMPING} N m s/rad`, terms.damping, (x) => { terms.damping = x; update(); });
  const tied = side.check("a spring to the blue ball", false, (x) => { terms.pull = x; target = end(); update(); });
  const numbers = side.table("numbers", "Time and energy");
  side.text(side.data.words || "Drag the blue ball to pull. Without damping the sum of both energies stays the same; "
    + "without the velocity terms it does not.");
  const handle = stage.handle("Pull at the end", [0, 0, 0], (p) => {
    target = p;
    tied.checked = terms.pull = true;
    update();
  });

  function update() {
    const p = dynamics.posture(model, q), at = end(p), [kinetic, potential] = energies();
    drawn(p.X0);
    handle.position.set(...(terms.pull ? target : at));
    spring.between(at, terms.pull ? target : at);
    numbers([["time [s]", time], ["kinetic [J]", kinetic], ["potential [J]", potential], ["sum [J]", kinetic + potential]]);
  }
  window.figure = { step, energies, acceleration, terms, handle, target: () => target, end: () => end(),
    state: () => ({ q, qd, time }), update };
  update();
  stage.look([1.6, -2.4, 1.0], [0, 0, 0]);
  if (side.data.running && !side.still) run.set(true);
})();
