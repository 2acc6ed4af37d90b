// A screw: its axis, pitch and rate are the reader's; its six numbers and its velocity field follow.
"use strict";
(() => {
  const { sum, scaled, cross, dot } = dynamics, { COLOURS } = stage;
  let point = [0.3, 0, 0], tip = [0.3, 0.25, 0.8], pitch = 0.1, rate = 1;

  const axis = stage.rod(COLOURS.thin, 0.008), turn = stage.arrow(COLOURS.turn, 0.016);
  const grid = [];
  for (const x of [-0.8, -0.4, 0, 0.4, 0.8])
    for (const y of [-0.8, -0.4, 0, 0.4, 0.8])
      for (const z of [-0.4, 0.2, 0.8]) grid.push({ p: [x, y, z], show: stage.arrow(COLOURS.shift, 0.006) });
  const frame = [[0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]].map((end) => [end, stage.arrow(0x445566, 0.008)]);
  frame.forEach(([end, show]) => show([0, 0, 0], end));

  stage.text("Drag the blue balls: the lower one moves the axis, the upper one turns it.");
  const ends = [
    stage.handle(point, (p) => { tip = sum(tip, sum(p, scaled(-1, point))); point = p; update(); }),
    stage.handle(tip, (p) => { tip = p; update(); }),
  ];
  stage.slider("pitch [m/rad]", -0.5, 0.5, pitch, (x) => { pitch = x; update(); });
  stage.slider("rate [rad/s]", -2, 2, rate, (x) => { rate = x; update(); });
  const numbers = stage.table("numbers");
  stage.text("The six numbers are the angular velocity and the velocity of the point of the body at the origin O.");

  function velocity() { // spatial velocity at O of the turn about the axis and the motion along it
    const d = sum(tip, scaled(-1, point)), e = scaled(1 / Math.max(Math.hypot(...d), 1e-9), d);
    const w = scaled(rate, e);
    return [...w, ...sum(cross(point, w), scaled(pitch, w))];
  }
  function update() {
    const v = velocity(), w = v.slice(0, 3), vO = v.slice(3);
    const d = sum(tip, scaled(-1, point)), e = scaled(1 / Math.max(Math.hypot(...d), 1e-9), d);
    axis.between(sum(point, scaled(-1.5, e)), sum(point, scaled(1.8, e)));
    turn(point, sum(point, scaled(0.4, w)));
    grid.forEach(({ p, show }) => show(p, sum(p, scaled(0.15, sum(vO, cross(w, p))))));
    ends[0].position.set(...point);
    ends[1].position.set(...tip);
    numbers([["ω", ...w], ["v_O", ...vO]]);
  }
  stage.look([2.4, -3.2, 1.9], [0, 0, 0.2]);
  window.figure = { velocity, state: () => ({ point, tip, pitch, rate }), handles: ends };
  update();
  stage.resize();
})();
