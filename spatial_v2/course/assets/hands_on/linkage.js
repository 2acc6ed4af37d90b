// A four-bar linkage: a tree whose loop is closed by a pair of forces, which the reader sees at work.
"use strict";
(() => {
  const { sum, scaled, position, pointFrom } = algebra, { COLOURS } = stage, { model, loop } = side.data;
  const STEP = 1 / 500, NONE = [0, 0, 0], zero = NONE, tips = side.data.ends;
  const on = { gravity: true, loop: true, baumgarte: true };
  let q = side.data.q.slice(), qd = zero, torque = 0, rest = 0;

  const colours = [COLOURS.turn, COLOURS.handle, COLOURS.body];
  const bars = tips.map((_, i) => shapes.rod(colours[i], 0.018));
  const pins = model.parent.map(() => shapes.ball(COLOURS.thin, 0.024));
  const arrows = [1, -1].map(() => shapes.arrow(COLOURS.force, 0.01));
  side.text("Drag the blue ball to turn the crank. The red arrows are the pair of forces that closes the loop.");
  const handle = stage.handle("End of the crank", [0, 0, 0], (p) => turn(Math.atan2(p[1], p[0])));
  side.slider("torque [N m]", -10, 10, 0, (x) => { torque = x; update(); });
  side.check("gravity", true, (x) => { on.gravity = x; update(); });
  side.check("loop closed", true, (x) => { on.loop = x; if (x) close(); update(); });
  side.check("Baumgarte's spring and damper", true, (x) => { on.baumgarte = x; });
  side.runner(advance, () => update());
  side.button("Stop", () => { qd = zero; update(); });
  const numbers = side.table("numbers", "Accelerations and constraint force");

  const current = () => ({ ...model, gravity: on.gravity ? model.gravity : NONE });
  function solution(p = q, v = qd) {
    const m = current(), tau = [torque, 0, 0];
    if (!on.loop) return { qdd: dynamics.FDab(m, p, v, tau), lambda: [0, 0] };
    return dynamics.KKT(m, p, v, tau, loop, on.baumgarte ? [400, 40] : [0, 0]);
  }
  function close() {
    q = dynamics.closed(model, q, loop, [0]) || dynamics.closed(model, side.data.q, loop, [0]);
    qd = zero;
  }
  function turn(angle) { // in steps that stay near the closed loop
    const way = Math.atan2(Math.sin(angle - q[0]), Math.cos(angle - q[0])), steps = Math.ceil(Math.abs(way) / 0.1) || 1;
    for (let k = 0; k < steps; k++) {
      const next = [q[0] + way / steps, ...q.slice(1)];
      q = (on.loop && dynamics.closed(model, next, loop, [0])) || (on.loop ? q : next);
    }
    qd = zero;
    update();
  }
  function advance(seconds) {
    for (rest += seconds; rest >= STEP; rest -= STEP) {
      const half = sum(qd, scaled(STEP / 2, solution().qdd)), middle = sum(q, scaled(STEP / 2, qd));
      qd = sum(qd, scaled(STEP, solution(middle, half).qdd));
      q = sum(q, scaled(STEP, half));
    }
  }
  function update() {
    const p = dynamics.posture(model, q), { qdd, lambda } = solution(), free = dynamics.FDab(current(), q, qd, [torque, 0, 0]);
    const { at, gap } = dynamics.loopRows(model, p, qd, loop), ends = tips.map((tip, i) => pointFrom(p.X0[i], tip));
    ends.forEach((end, i) => { bars[i].between(position(p.X0[i]), end); pins[i].position.set(...position(p.X0[i])); });
    const pull = on.loop ? [...scaled(0.04, lambda), 0] : NONE;
    arrows[0](at, sum(at, pull));
    arrows[1](ends[loop.other], sum(ends[loop.other], scaled(-1, pull)));
    handle.position.set(...ends[0]);
    numbers([["", "crank", "coupler", "rocker"], ["q [rad]", ...q], ["q̇ [rad/s]", ...qd], ["q̈ [rad/s²]", ...qdd],
      ["q̈ of the tree", ...free], ["λ [N]", ...lambda], ["gap [mm]", ...scaled(1000, gap)]], 2);
  }
  window.figure = { solution, advance, handle, state: () => ({ q, qd, torque }), 
    rows: () => dynamics.loopRows(model, q, qd, loop) };
  close();
  update();
  stage.look([0.4, 0.15, 1.9], [0.4, 0.2, 0]);
})();
