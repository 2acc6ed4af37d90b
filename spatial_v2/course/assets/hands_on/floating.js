// A body that floats at rest: the reader swings its arms, and its trunk turns without any moment.
"use strict";
(() => {
  const { sum, scaled, apply, position, rotation, transpose } = algebra, { COLOURS } = stage;
  const model = side.data.model, start = side.data.q, SMALL = 0.01, { nv } = dynamics.slices(model), arms = nv - 6;
  let q = start.slice(), moving = new Array(arms).fill(1); // velocities of the arms, of which momenta are shown

  const colours = [COLOURS.body, COLOURS.handle, COLOURS.force];
  const drawn = shapes.robot(model, { thick: 0.045, colours }), trunk = shapes.box(COLOURS.body, [0.24, 0.44, 0.7], 0.4);
  const head = shapes.ball(COLOURS.body, 0.13), centre = shapes.ball(COLOURS.turn, 0.05);
  centre.material.depthTest = false; // seen through the trunk

  // The arms move by `rates` in small steps; the momentum stays zero, and the trunk turns accordingly.
  function swing(rates) {
    const steps = Math.max(1, Math.ceil(Math.max(...rates.map(Math.abs)) / SMALL - 1e-9)), part = scaled(1 / steps, rates);
    const velocity = (x) => [...dynamics.baseVelocity(model, x, part), ...part];
    for (let k = 0; k < steps; k++) {
      q = dynamics.moved(model, q, velocity(dynamics.moved(model, q, velocity(q), 0.5)), 1);
    }
    const size = Math.max(...rates.map(Math.abs));
    if (size > 0) moving = scaled(1 / size, rates);
  }
  const sliders = model.parent.slice(1).map((_, k) => side.slider(`arm ${k} [rad]`, -6.3, 6.3, 0, (x) => {
    const rates = new Array(arms).fill(0);
    rates[k] = x - q[7 + k];
    swing(rates);
    update();
  }));
  side.runner((seconds) => swing(new Array(arms).fill(2 * seconds)), () => update());
  side.button("Back to the start", () => { q = start.slice(); update(); });
  const numbers = side.table("numbers", "Pose"), momenta = side.table("momenta", "Momentum about y [kg m²/s]");
  side.text("Swing one arm out, then the other, then each back: the arms are where they were, but the trunk is not. "
    + "Run swings both arms. The orange ball is the common centre of mass, which cannot move.");

  const angle = () => 2 * Math.atan2(q[2], q[0]); // of the trunk about y
  function update() {
    const p = dynamics.posture(model, q), { c } = dynamics.centreOfMass(model, p), E = rotation(p.X0[0]), o = position(p.X0[0]);
    drawn(p.X0);
    shapes.turned(trunk, E, o);
    head.position.set(...sum(o, apply(transpose(E), [0, 0, 0.5])));
    centre.position.set(...c);
    sliders.forEach((one, k) => one.set(q[7 + k]));
    const A = dynamics.CMM(model, p), v0 = dynamics.baseVelocity(model, p, moving), about = A[1]; // y
    const [mine, theirs] = [about.slice(0, 6), about.slice(6)].map((row, k) => algebra.dot(row, k ? moving : v0));
    numbers([["arms [rad]", ...q.slice(7)], ["trunk about y [°]", (((angle() * 180) / Math.PI + 540) % 360) - 180],
      ["centre x, z [m]", c[0], c[2]]]);
    momenta([["", "arms", "trunk", "sum"], ["if arms turn at 1 rad/s", theirs, mine, mine + theirs]]);
  }
  window.figure = { swing, angle, state: () => q, sliders, update,
    centre: () => dynamics.centreOfMass(model, q).c, baseVelocity: (rates) => dynamics.baseVelocity(model, q, rates) };
  update();
  stage.look([1.7, -2.6, 1.6], [0, 0, 0.95]);
})();
