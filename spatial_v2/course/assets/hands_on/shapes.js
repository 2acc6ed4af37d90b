// Things to draw in the scene of a hands-on figure; each is placed by a function of its numbers.
"use strict";
const shapes = (() => {
  const { sum, scaled, cross, rotation, position, pointFrom, massMoment } = algebra;
  const { COLOURS, world, vec } = stage;
  const paint = (colour, opacity = 1) => new THREE.MeshStandardMaterial({ color: colour, roughness: 0.7,
    transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
  function mesh(geometry, colour, opacity) {
    const one = new THREE.Mesh(geometry, paint(colour, opacity));
    world.add(one);
    return one;
  }

  function rod(colour, radius) { // between two points
    const one = mesh(new THREE.CylinderGeometry(radius, radius, 1, 14), colour);
    one.between = (a, b) => {
      const d = vec(b).sub(vec(a)), length = d.length();
      one.visible = length > 1e-6;
      one.position.copy(vec(a)).addScaledVector(d, 0.5);
      one.scale.set(1, Math.max(length, 1e-6), 1);
      one.quaternion.setFromUnitVectors(vec([0, 1, 0]), d.normalize());
    };
    return one;
  }
  function arrow(colour, radius = 0.012) { // from a to b
    const shaft = rod(colour, radius), head = mesh(new THREE.ConeGeometry(2.8 * radius, 1, 14), colour);
    return (a, b) => {
      const d = vec(b).sub(vec(a)), length = d.length(), tip = Math.min(8 * radius, 0.6 * length);
      const neck = vec(b).addScaledVector(d.normalize(), -tip);
      shaft.between(a, neck.toArray());
      head.visible = shaft.visible = length > 1e-6;
      head.position.copy(neck).addScaledVector(d, tip / 2);
      head.scale.set(1, tip, 1);
      head.quaternion.copy(shaft.quaternion);
    };
  }
  const ball = (colour, radius, opacity) => mesh(new THREE.SphereGeometry(radius, 24, 16), colour, opacity);
  const box = (colour, sides, opacity) => mesh(new THREE.BoxGeometry(...sides), colour, opacity);

  function turned(one, axes, at) { // the rows are the axes of the shape
    one.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(...axes.map(vec)));
    one.position.set(...at);
  }
  function ellipsoid(colour, opacity = 0.35) {
    const one = mesh(new THREE.SphereGeometry(1, 32, 20), colour, opacity);
    return (given, scale = 1, on = true) => {
      one.visible = on;
      if (!on) return;
      const [a, b] = given.axes;
      turned(one, [a, b, cross(a, b)], given.centre);
      one.scale.set(...given.radii.map((r) => Math.max(scale * r, 2e-3)));
    };
  }
  function frame(size, radius = 0.01) { // axes x, y, z in red, green, blue; X transforms from the base
    const axes = [0xc94f4f, 0x3f9a55, 0x4f6fd0].map((colour) => arrow(colour, radius));
    return (X) => axes.forEach((show, k) => show(position(X), sum(position(X), scaled(size, rotation(X)[k]))));
  }
  function floor(size) { // squares on the plane z = 0
    const [wide, thin] = [[size, 0.004, 0.001], [0.004, size, 0.001]];
    for (let k = -5; k <= 5; k++) {
      box(COLOURS.thin, wide, 0.35).position.set(0, (k * size) / 10, 0);
      box(COLOURS.thin, thin, 0.35).position.set((k * size) / 10, 0, 0);
    }
  }

  // A robot of rods: from each joint to the joints of the children; from a leaf to its end, by
  // default twice as far as its centre of mass. `colours` has one for each body.
  function robot(model, { thick = 0.03, colours = model.parent.map(() => COLOURS.body), end = null } = {}) {
    const parts = model.parent.map((p, i) => {
      const children = model.parent.flatMap((x, k) => (x === i ? [position(model.Xtree[k])] : []));
      const { m, h } = massMoment(model.I[i]);
      const ends = children.length ? children : end ? [end] : m > 0 ? [scaled(2 / m, h)] : [];
      return { ends, rods: ends.map(() => rod(colours[i], thick)), joint: joint(model.joints[i], colours[i], thick) };
    });
    const roots = model.parent.flatMap((p, i) => (p < 0 && model.joints[i].nq === 1 ? [i] : []));
    const feet = roots.map(() => rod(COLOURS.thin, thick));
    const show = (X0) => {
      roots.forEach((i, k) => feet[k].between([0, 0, 0], position(model.Xtree[i])));
      parts.forEach(({ ends, rods, joint }, i) => {
        ends.forEach((p, k) => rods[k].between(position(X0[i]), pointFrom(X0[i], p)));
        joint(X0[i]);
      });
    };
    show.tint = (i, colour) => [...parts[i].rods, ...parts[i].joint.meshes].forEach((x) => x.material.color.set(colour));
    return show;
  }
  function joint({ nq, kind, axis }, colour, thick) { // a barrel along a hinge, a block on a slider, else a ball
    const one = nq > 1 ? ball(colour, 1.6 * thick) : kind === 1 ? box(colour, [3 * thick, 3 * thick, 3 * thick])
      : mesh(new THREE.CylinderGeometry(1.7 * thick, 1.7 * thick, 4 * thick, 24), colour);
    const show = (X) => {
      const E = rotation(X), order = nq > 1 || kind === 1 ? [0, 1, 2] : [(axis + 2) % 3, axis, (axis + 1) % 3];
      const [a, b] = order.map((k) => E[k]);
      turned(one, [a, b, cross(a, b)], position(X));
    };
    show.meshes = [one];
    return show;
  }

  return { rod, arrow, ball, box, ellipsoid, turned, frame, floor, robot };
})();
