// A robot that moves by its own dynamics: the reader switches gravity and velocity terms on and off.
"use strict";
(() => {
  const { sum, scaled, position } = dynamics, { COLOURS } = stage, model = stage.data.model;
  const { nv } = dynamics.slices(model), start = stage.data.q, STEP = 1 / 480;
  const gravity = model.gravity, zero = new Array(nv).fill(0);
  const terms = { gravity: true, velocity: true, damping: false };
  let q = start.slice(), qd = (stage.data.qd || zero).slice(), time = 0, running = false, last = null;

  const links = model.parent.map(() => stage.rod(COLOURS.body, 0.028));
  const joints = model.parent.map(() => stage.ball(COLOURS.body, 0.045));
  const tips = model.parent.map(() => stage.rod(COLOURS.body, 0.02));

  // H qdd + C(q, qd) + g(q) + d qd = 0, where the terms that are off are left out.
  function acceleration(q, qd) {
    const m = { ...model, gravity: terms.gravity ? gravity : [0, 0, 0] };
    const tau = terms.damping ? scaled(-0.3, qd) : zero;
    return dynamics.FDab(m, q, terms.velocity ? qd : zero, tau);
  }
  function step() {
    const half = sum(qd, scaled(STEP / 2, acceleration(q, qd))), middle = dynamics.moved(model, q, qd, STEP / 2);
    qd = sum(qd, scaled(STEP, acceleration(middle, half)));
    q = dynamics.moved(model, q, half, STEP);
    time += STEP;
  }
  const energies = () => [dynamics.kineticEnergy(model, q, qd), terms.gravity ? dynamics.potentialEnergy(model, q) : 0];

  const play = stage.button("Run", () => { running = !running; last = null; play.textContent = running ? "Pause" : "Run"; tick(); });
  stage.button("Back to the start", () => { q = start.slice(); qd = (stage.data.qd || zero).slice(); time = 0; update(); stage.render(); });
  stage.check("gravity g(q)", true, (x) => { terms.gravity = x; update(); });
  stage.check("velocity terms C(q, q̇)", true, (x) => { terms.velocity = x; update(); });
  stage.check("damping 0.3 N m s/rad", false, (x) => { terms.damping = x; update(); });
  const numbers = stage.table("numbers");
  stage.text("Without damping the sum of both energies stays the same; without the velocity terms it does not.");

  function update() {
    const X0 = dynamics.placements(model, q), at = X0.map(position);
    at.forEach((p, i) => {
      const from = model.parent[i] < 0 ? [0, 0, 0] : at[model.parent[i]];
      if (model.joints[i].nq < 7) links[i].between(from, p);
      joints[i].position.set(...p);
      const R = dynamics.transpose(dynamics.rotation(X0[i])), { m, h } = dynamics.massMoment(model.I[i]);
      tips[i].between(p, sum(p, scaled(2 / m, dynamics.apply(R, h))));
    });
    const [kinetic, potential] = energies();
    numbers([["time [s]", time], ["kinetic [J]", kinetic], ["potential [J]", potential], ["sum [J]", kinetic + potential]]);
  }
  function tick(now) {
    if (!running) return;
    if (last !== null && now) for (let k = Math.min(Math.round((now - last) / 1000 / STEP), 48); k > 0; k--) step();
    last = now || null;
    update();
    stage.render();
    requestAnimationFrame(tick);
  }
  stage.look(stage.data.eye || [1.6, -2.4, 1.0], stage.data.target || [0, 0, 0]);
  window.figure = { step, energies, terms, state: () => ({ q, qd, time }), update };
  update();
  stage.resize();
})();
