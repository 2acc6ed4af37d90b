// A robot: the reader moves its joints and pushes its last body; what the algorithms make of it follows.
"use strict";
(() => {
  const { sum, scaled, cross, apply, transpose, position, rotation } = dynamics, { COLOURS } = stage;
  const model = stage.data.model, n = model.parent.length, { nq, nv } = dynamics.slices(model);
  if (nq !== nv) throw new Error("robot: want a model whose joints have one variable each");
  const q = model.joints.map((_, i) => 0.4 * Math.cos(2 * i)), zero = new Array(nv).fill(0);
  const body = n - 1, reach = stage.data.reach || 0.5;
  let push = [0, 0, 0], screwsShown = true;

  const links = model.parent.map(() => stage.rod(COLOURS.body, 0.028));
  const joints = model.parent.map(() => stage.ball(COLOURS.body, 0.045));
  const screws = model.parent.map(() => stage.arrow(COLOURS.turn, 0.014));
  const force = stage.arrow(COLOURS.force, 0.016);

  model.joints.forEach((_, i) => stage.slider(`joint ${i}`, -3.14, 3.14, q[i], (x) => { q[i] = x; update(); }));
  stage.check("columns of the Jacobian, as screws", true, (x) => { screwsShown = x; update(); });
  stage.text("Drag the blue ball to push the end with a force.");
  const numbers = stage.table("numbers");
  let end = [0, 0, 0];
  const handle = stage.handle([0, 0, 0], (p) => { push = scaled(20, sum(p, scaled(-1, end))); update(); });

  // Joint forces that hold the robot still under gravity and the push at the end of the last body.
  function holding() {
    const f = model.parent.map(() => [0, 0, 0, 0, 0, 0]);
    f[body] = [...cross(end, push), ...push];
    return { weight: dynamics.ID(model, q, zero, zero), all: dynamics.ID(model, q, zero, zero, f) };
  }
  function update() {
    const X0 = dynamics.placements(model, q), at = X0.map(position);
    end = sum(at[body], apply(transpose(rotation(X0[body])), stage.data.end || [reach, 0, 0]));
    at.forEach((p, i) => {
      const from = model.parent[i] < 0 ? [0, 0, 0] : at[model.parent[i]];
      links[i].between(from, p);
      joints[i].position.set(...p);
    });
    tool.between(at[body], end);
    const J = dynamics.jacobian(model, q, body);
    model.parent.forEach((_, i) => {
      const column = J[i], w = column && column.slice(0, 3);
      const shown = screwsShown && column && Math.hypot(...w) > 1e-9;
      screws[i](at[i], shown ? sum(at[i], scaled(0.3, w)) : at[i]);
    });
    force(end, sum(end, scaled(1 / 20, push)));
    handle.position.set(...sum(end, scaled(1 / 20, push)));
    const { weight, all } = holding();
    numbers([["", "weight", "with push"], ...weight.map((x, i) => [`τ${i} [N m]`, x, all[i]])], 2);
  }
  const tool = stage.rod(COLOURS.body, 0.02);
  stage.look(stage.data.eye || [1.6, -2.4, 1.4], stage.data.target || [0, 0, 0.3]);
  window.figure = { q, holding, end: () => end, push: () => push, handle };
  update();
  stage.resize();
})();
