// An arm drawn by its meshes: motors carry its weight, and a spring pulls its hand after a ball.
"use strict";
(() => {
  const { sum, difference, scaled, dot, forceAt, pointFrom } = algebra, { COLOURS } = stage;
  const model = side.data.model, n = model.parent.length, { nv } = dynamics.slices(model), zero = new Array(nv).fill(0);
  const { q: start, damping, posture, stiffness, hand, tip, step: STEP } = side.data, still = [0, 0, 0, 0, 0, 0];
  const carried = { weight: true, round: true };
  let q = start.slice(), qd = zero.slice(), time = 0, rest = 0, ball = null;

  const drawn = meshes.robot(side.data.meshes), spring = shapes.rod(COLOURS.force, 0.006);
  const end = (p = dynamics.posture(model, q)) => pointFrom(p.X0[hand], tip);
  const middle = end();
  const path = (t) => sum(middle, [0.1 * Math.sin(2 * t) - 0.05, 0.3 * Math.sin(t), 0.14 * Math.sin(2 * t)]); // an eight
  const LOOP = 72;
  for (let k = 0; k < LOOP; k++) shapes.rod(COLOURS.thin, 0.002).between(...[k, k + 1].map((x) => path((x * 2 * Math.PI) / LOOP)));
  shapes.floor(1.6);

  // Torques of the motors: the weight by inverse dynamics, and a brake; a weak spring keeps the posture.
  function torques(p, qd) {
    const hold = qd.map((v, i) => -damping[i] * v - posture[i] * (p.q[i] - start[i]));
    return carried.weight ? sum(dynamics.ID(model, p, zero, zero), hold) : hold;
  }
  function acceleration(q, qd) {
    const p = dynamics.posture(model, q), at = end(p), pull = forceAt(scaled(stiffness, difference(ball, at)), at);
    return dynamics.FDab(model, p, qd, torques(p, qd), model.parent.map((_, i) => (i === hand ? pull : still)));
  }
  function step() {
    if (carried.round) ball = path(0.9 * time);
    const half = sum(qd, scaled(STEP / 2, acceleration(q, qd))), between = dynamics.moved(model, q, qd, STEP / 2);
    qd = sum(qd, scaled(STEP, acceleration(between, half)));
    q = dynamics.moved(model, q, half, STEP);
    time += STEP;
  }
  function advance(seconds) {
    for (rest += Math.min(seconds, 0.05); rest >= STEP; rest -= STEP) step();
    if (!q.every(Number.isFinite)) reset(); // pulled too hard for the size of the steps
  }
  function reset() {
    [q, qd, time, ball] = [start.slice(), zero.slice(), 0, path(0)];
    round.checked = carried.round = true;
  }

  const run = side.runner(advance, () => update());
  side.button("Back to the start", () => { reset(); update(); });
  side.check("motors carry the weight", true, (x) => { carried.weight = x; });
  const round = side.check("the ball goes round", true, (x) => { carried.round = x; });
  const handle = stage.handle("Pull at the hand", path(0), (p) => {
    ball = p;
    round.checked = carried.round = false;
    update();
  });

  function update() {
    const p = dynamics.posture(model, q);
    drawn(p.X0);
    handle.position.set(...ball);
    spring.between(end(p), ball);
  }
  window.figure = { step, acceleration, torques: (q, qd) => torques(dynamics.posture(model, q), qd), carried, handle, update,
    end: () => end(), ball: () => ball, state: () => ({ q, qd, time }) };
  reset();
  update();
  stage.look([1.5, -1.2, 0.95], [0.24, 0, 0.36]);
  if (!side.still) run.set(true);
})();
