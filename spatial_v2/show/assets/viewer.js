// Draws a robot in motion: reads the scene from the page, and knows nothing beyond it.
"use strict";
(() => {
  const scene = JSON.parse(document.getElementById("scene").textContent);
  const el = (id) => document.getElementById(id);
  const vec = (a) => new THREE.Vector3(...a);
  const quat = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
  const colour = ([r, g, b]) => new THREE.Color().setRGB(r, g, b, "srgb");
  const unpack = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const unit = scene.size, SOLID = 1;  // the layer of what closes corners to light

  // ---- what is drawn -------------------------------------------------------------------------
  // Round shapes of many bodies are small, and have fewer facets: all together about 24 000 triangles.
  const trianglesOf = ({ kind, facets: n }) => (!n ? 0 : kind === "sphere" ? n * n : 4 * n);
  const share = 24000 / scene.bodies.flatMap((b) => b.shapes).reduce((sum, s) => sum + trianglesOf(s), 1);
  function facetsOf({ kind, facets: n }) {
    const fewer = n * (kind === "sphere" ? Math.sqrt(share) : share);
    return share < 1 ? Math.min(n, 4 * Math.max(2, Math.round(fewer / 4))) : n;
  }

  const software = (() => {  // a program draws, no graphics processor
    const gl = document.createElement("canvas").getContext("webgl2");
    const names = gl && gl.getExtension("WEBGL_debug_renderer_info");
    const device = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : "software";
    if (gl) gl.getExtension("WEBGL_lose_context").loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(device);
  })();
  // The picture is opaque: what is behind it need not be mixed in. A program draws many bodies without smooth edges.
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", {
    alpha: false, antialias: !software || share >= 1, preserveDrawingBuffer: true,
  });
  const renderer = new THREE.WebGLRenderer({ canvas, context });
  renderer.shadowMap.enabled = true;
  const sharp = Math.min(window.devicePixelRatio || 1, 2);  // pixels of names and legend
  renderer.setPixelRatio(sharp);
  el("stage").append(canvas);
  const world = new THREE.Scene();
  const lineMaterials = [];

  // Colours of the page by day and by night; the styles of the bar and the menu are in style.css.
  const themes = {
    light: { back: 0xeef1f4, grid: 0xc7cfd6, ink: "#22313f", halo: "#ffffff", pale: "#5d6b77",
      panel: "#ffffffd9" },
    dark: { back: 0x1c2227, grid: 0x46525c, ink: "#e6ebef", halo: "#12171b", pale: "#a9b4bd",
      panel: "#232b31d9" },
  };
  const night = window.matchMedia("(prefers-color-scheme: dark)");
  let theme = themes.light, gridMaterial = null;

  // Names and legend are written on a sheet in front of the picture.
  const sheet = document.createElement("canvas"), pen = sheet.getContext("2d");
  sheet.id = "sheet";
  sheet.setAttribute("aria-hidden", "true");
  el("stage").append(sheet);

  const solid = (c, more = {}) =>
    new THREE.MeshStandardMaterial({ color: colour(c), roughness: 0.65, metalness: 0.05, ...more });

  function lines(points, c, width = 1.5, more = {}) {
    const geometry = new THREE.LineSegmentsGeometry();
    geometry.setPositions(points.flat());
    const material = new THREE.LineMaterial({ color: colour(c), linewidth: width, ...more });
    lineMaterials.push(material);
    return new THREE.LineSegments2(geometry, material);
  }
  const polyline = (points, c, width, more) =>
    lines(points.slice(1).flatMap((x, i) => [points[i], x]), c, width, more);

  function mesh(geometry, material) {
    const m = new THREE.Mesh(geometry, material);
    m.castShadow = m.receiveShadow = true;
    m.layers.enable(SOLID);
    return m;
  }

  // Shapes of one kind have one geometry of unit size, and one call draws them for all bodies. Their own
  // meshes have the places, and are what a click finds, but are not drawn.
  const kinds = new Map(), undrawn = solid([1, 1, 1]);
  function unitShape(key, make, c, size) {
    if (!kinds.has(key)) kinds.set(key, { geometry: make(), members: [] });
    const m = mesh(kinds.get(key).geometry, undrawn);
    m.scale.set(...size.map((x) => Math.max(x, 1e-6 * unit)));
    m.layers.disableAll();
    kinds.get(key).members.push([m, colour(c)]);
    return m;
  }
  function drawTogether({ geometry, members }) {  // returns what puts the shapes where their meshes are
    const all = new THREE.InstancedMesh(geometry, solid([1, 1, 1]), members.length);
    all.castShadow = all.receiveShadow = true;
    all.frustumCulled = false;
    all.layers.enable(SOLID);
    members.forEach(([, c], k) => all.setColorAt(k, c));
    world.add(all);
    return () => {
      members.forEach(([m], k) => all.setMatrixAt(k, m.matrixWorld));
      all.instanceMatrix.needsUpdate = true;
    };
  }

  function along(object, start, end) {  // an object that stands along y, put between two points
    const d = end.clone().sub(start);
    object.position.copy(start).addScaledVector(d, 0.5);
    object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), d.normalize());
    return object;
  }

  // Normals of corners: the mean of the triangles at their vertex that bend by less than 35 degrees.
  function soften(normals, corners, faces, count) {
    const start = new Uint32Array(count + 1), flat = normals.slice(), at = new Uint32Array(faces.length);
    faces.forEach((i) => { start[i + 1] += 1; });
    for (let i = 0; i < count; i++) start[i + 1] += start[i];
    const next = start.slice();
    faces.forEach((i, k) => { at[next[i]++] = k; });
    const area = new Float32Array(faces.length / 3), a = new THREE.Vector3(), b = new THREE.Vector3();
    area.forEach((_, f) => {
      const p = (k) => new THREE.Vector3().fromArray(corners, 9 * f + 3 * k);
      area[f] = a.copy(p(1)).sub(p(0)).cross(b.copy(p(2)).sub(p(0))).length();
    });
    faces.forEach((i, k) => {
      a.fromArray(flat, 3 * k);
      const sum = new THREE.Vector3();
      for (let n = start[i]; n < start[i + 1]; n++) {
        b.fromArray(flat, 3 * at[n]);
        if (a.dot(b) > 0.82) sum.addScaledVector(b, area[(at[n] / 3) | 0]);
      }
      if (sum.lengthSq() > 0) sum.normalize().toArray(normals, 3 * k);
    });
  }

  function octants(g, colours) {  // a sphere whose octants alternate between two colours
    const p = g.attributes.position, c = new Float32Array(3 * p.count), tones = colours.map(colour);
    for (let i = 0; i < p.count; i += 3) {
      let sign = 1;
      for (const get of ["getX", "getY", "getZ"])
        sign *= Math.sign(p[get](i) + p[get](i + 1) + p[get](i + 2));
      for (let j = i; j < i + 3; j++) tones[sign > 0 ? 0 : 1].toArray(c, 3 * j);
    }
    g.setAttribute("color", new THREE.Float32BufferAttribute(c, 3));
    return mesh(g, solid([1, 1, 1], { vertexColors: true }));
  }

  const makers = {
    box(s) {
      const size = s.upper.map((x, i) => x - s.lower[i]);
      const m = unitShape("box", () => new THREE.BoxGeometry(1, 1, 1), s.colour, size);
      m.position.set(...s.upper.map((x, i) => (x + s.lower[i]) / 2));
      return m;
    },
    cylinder(s) {
      const a = vec(s.start), b = vec(s.end);
      const n = facetsOf(s), make = () => new THREE.CylinderGeometry(1, 1, 1, n);
      const size = [s.radius, a.distanceTo(b), s.radius];
      return along(unitShape(`cylinder ${n}`, make, s.colour, size), a, b);
    },
    sphere(s) {
      const n = facetsOf(s), ball = (r) => new THREE.SphereGeometry(r, n, 2 * Math.ceil(n / 4));
      const [one, other] = s.colour, two = one.some((x, i) => x !== other[i]), r = s.radius;
      const m = two ? octants(ball(r).toNonIndexed(), s.colour)
        : unitShape(`sphere ${n}`, () => ball(1), one, [r, r, r]);
      m.position.set(...s.centre);
      return m;
    },
    line: (s) => polyline(s.points, s.colour, 2),
    triangles(s) {
      const points = new Float32Array(unpack(s.vertices)), faces = new Uint32Array(unpack(s.faces));
      const corners = new Float32Array(3 * faces.length);
      faces.forEach((i, k) => corners.set(points.subarray(3 * i, 3 * i + 3), 3 * k));
      const g = new THREE.BufferGeometry();
      g.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
      g.computeVertexNormals();
      if (s.smooth) soften(g.attributes.normal.array, corners, faces, points.length / 3);
      return mesh(g, solid(s.colour));
    },
  };

  const draw = (shapes, node) => shapes.forEach((s) => node.add(makers[s.kind](s)));
  const base = new THREE.Group();
  world.add(base);
  draw(scene.base, base);
  const bodies = scene.bodies.map(() => new THREE.Group());
  scene.bodies.forEach((b, i) => {
    (b.parent < 0 ? base : bodies[b.parent]).add(bodies[i]);
    draw(b.shapes, bodies[i]);
  });
  const putTogether = [...kinds.values()].map(drawTogether);

  if (scene.grid) {
    const { height: z, centre: [x, y], step, cells } = scene.grid, half = (step * cells) / 2;
    const thin = [], points = [];
    for (let k = 0; k <= cells; k++) {
      const d = k * step - half;
      points.push([x + d, y - half, z], [x + d, y + half, z]);
      points.push([x - half, y + d, z], [x + half, y + d, z]);
    }
    const ground = lines(points, [0.78, 0.81, 0.84], 1);
    gridMaterial = ground.material;
    const shade = new THREE.Mesh(new THREE.PlaneGeometry(4 * half, 4 * half),
      new THREE.ShadowMaterial({ opacity: 0.16 }));
    shade.position.set(x, y, z - 1e-4 * unit);
    shade.receiveShadow = true;
    shade.layers.enable(SOLID);
    world.add(ground, shade);
  }

  // ---- light and camera ----------------------------------------------------------------------
  const view = scene.view, up = vec(view.up);
  const reach = vec(view.eye).distanceTo(vec(view.target));
  const camera = new THREE.PerspectiveCamera(view.angle, 1, reach / 200, reach * 50);
  camera.up.copy(up);
  world.add(camera);
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.addEventListener("change", () => { dirty = true; });
  // In a frame the wheel scrolls the page around it, unless the reader has clicked the picture.
  const framed = window.parent !== window;
  controls.enableZoom = !framed;
  el("stage").addEventListener("focusin", () => { controls.enableZoom = true; });
  el("stage").addEventListener("focusout", () => { controls.enableZoom = !framed; });
  el("stage").addEventListener("pointerdown", () => el("stage").focus({ preventScroll: true }));
  // A graphics processor lights the robot as a room with lamps does; a program, which would take long
  // for it, by the sky alone.
  const asked = new URLSearchParams(location.search).get("light");
  const room = asked ? asked === "room" : !software;
  if (room) {
    const generator = new THREE.PMREMGenerator(renderer);
    world.environment = generator.fromScene(new THREE.RoomEnvironment(), 0.04).texture;
    world.environmentIntensity = 0.45;
    world.environmentRotation.setFromQuaternion(
      new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up.clone().normalize()));
    generator.dispose();
  }
  // Ambient occlusion draws the solids twice: not on small devices.
  const small = window.matchMedia("(pointer: coarse)").matches;
  let occlude = room && !small ? ambientOcclusion(renderer, SOLID, 0.12 * unit) : null;
  renderer.info.autoReset = false;
  world.add(new THREE.HemisphereLight(0xffffff, 0xd4d2ce, room ? 0.15 : 2.0));
  const sun = new THREE.DirectionalLight(0xffffff, room ? 1.4 : 2.0);
  const aside = vec(view.eye).sub(vec(view.target)).normalize();
  const sunward = up.clone().multiplyScalar(1.6).addScaledVector(aside, 0.7)
    .addScaledVector(new THREE.Vector3().crossVectors(up, aside), -0.7).normalize();
  const span = reach * Math.tan((view.angle * Math.PI) / 360) * 1.6;
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  Object.assign(sun.shadow.camera,
    { left: -span, right: span, top: span, bottom: -span, near: 0, far: 8 * span });
  sun.shadow.bias = -0.0006;
  sun.shadow.normalBias = 0.003 * unit;
  world.add(sun, sun.target);
  function light() {
    sun.target.position.copy(controls.target);
    sun.position.copy(controls.target).addScaledVector(sunward, 4 * span);
  }

  // ---- motion --------------------------------------------------------------------------------
  const t = scene.t, N = t.length, first = t[0], last = t[N - 1];
  const poses = new Float32Array(unpack(scene.poses));
  const pose = (k, i) => poses.subarray(7 * (k * bodies.length + i), 7 * (k * bodies.length + i) + 7);

  // The screw that takes pose A to pose B: its turn, as axis and angle, and shift, seen in A.
  function screw(a, b) {
    const qa = quat(a).normalize(), back = qa.clone().invert();
    const turn = back.clone().multiply(quat(b).normalize());
    if (turn.w < 0) turn.set(-turn.x, -turn.y, -turn.z, -turn.w);
    const s = Math.hypot(turn.x, turn.y, turn.z), angle = 2 * Math.atan2(s, turn.w);
    const shift = vec([b[4] - a[4], b[5] - a[5], b[6] - a[6]]).applyQuaternion(back);
    const axis = s > 1e-9 ? new THREE.Vector3(turn.x, turn.y, turn.z).divideScalar(s) : null;
    const result = { qa, axis, angle, shift, centre: null, slide: shift };
    if (axis) {
      const slide = axis.clone().multiplyScalar(shift.dot(axis));
      const flat = shift.clone().sub(slide);
      result.centre = new THREE.Vector3().crossVectors(axis, flat)
        .multiplyScalar(1 / Math.tan(angle / 2)).add(flat).multiplyScalar(0.5);
      result.slide = slide;
    }
    return result;
  }

  function interval(time) {
    let lo = 0, hi = N - 1;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (t[mid] <= time) lo = mid; else hi = mid;
    }
    return lo;
  }

  function place(node, a, b, part) {
    const s = screw(a, b), turned = new THREE.Quaternion();
    const moved = s.slide.clone().multiplyScalar(part);
    if (s.axis) {
      turned.setFromAxisAngle(s.axis, part * s.angle);
      moved.add(s.centre).sub(s.centre.clone().applyQuaternion(turned));
    }
    node.position.set(a[4], a[5], a[6]).add(moved.applyQuaternion(s.qa));
    node.quaternion.copy(s.qa).multiply(turned);
  }

  const forces = new Float32Array(unpack(scene.forces));
  function longest(numbers, stride, at) {
    let most = 1e-12;
    for (let k = at; k < numbers.length; k += stride)
      most = Math.max(most, Math.hypot(numbers[k], numbers[k + 1], numbers[k + 2]));
    return most;
  }
  const contactForces = new Float32Array(unpack(scene.contactForces));
  function contactForce(i) {  // the force on a contact point now
    const k = interval(time), next = Math.min(k + 1, N - 1), step = t[next] - t[k];
    const part = step > 0 ? (time - t[k]) / step : 0, at = (j) => 3 * (j * scene.contacts.length + i);
    return vec([0, 1, 2].map(
      (c) => (1 - part) * contactForces[at(k) + c] + part * contactForces[at(next) + c]));
  }
  const momenta = new Float32Array(unpack(scene.momenta));
  function momentum() {  // angular about the centre of mass, linear, and that centre
    const k = Math.min(interval(time), N - 2), step = t[k + 1] - t[k];
    const samples = momenta.length / (9 * (N - 1)), pieces = samples - 1;
    const x = (step > 0 ? (time - t[k]) / step : 0) * pieces, j = Math.min(Math.floor(x), pieces - 1);
    const at = 9 * (k * samples + j), part = x - j;
    const y = Array.from({ length: 9 }, (_, c) => (1 - part) * momenta[at + c] + part * momenta[at + 9 + c]);
    return { spin: vec(y.slice(0, 3)), linear: vec(y.slice(3, 6)), centre: vec(y.slice(6)) };
  }
  function wrench(i) {  // the force on a body now, moment about the origin and resultant
    const k = interval(time), next = Math.min(k + 1, N - 1), step = t[next] - t[k];
    const part = step > 0 ? (time - t[k]) / step : 0, at = (j) => 6 * (j * bodies.length + i);
    const x = [0, 1, 2, 3, 4, 5].map((c) => (1 - part) * forces[at(k) + c] + part * forces[at(next) + c]);
    return { n: vec(x.slice(0, 3)), f: vec(x.slice(3)) };
  }

  const bent = bodies.map(() => 0);  // what the reader adds to the positions of joints
  function turn(node, joint, value) {  // move a body along its joint
    const axis = vec(joint.axis), shift = joint.kind === "P" ? value : joint.kind === "H" ? joint.pitch * value : 0;
    node.position.add(axis.clone().multiplyScalar(shift).applyQuaternion(node.quaternion));
    if (joint.kind !== "P") node.quaternion.multiply(new THREE.Quaternion().setFromAxisAngle(axis, value));
  }

  let time = first, playing = false, forward = 1, speed = 1, loop = true, dirty = true;
  const tracked = () => vec(follow < 0 || follow !== view.body ? [0, 0, 0] : view.trackpoint)
    .applyMatrix4((follow < 0 ? base : bodies[follow]).matrixWorld);
  let follow = -1, anchor = null;

  function setTime(value) {
    time = Math.min(Math.max(value, first), last);
    const k = interval(time), next = Math.min(k + 1, N - 1), step = t[next] - t[k];
    const part = step > 0 ? (time - t[k]) / step : 0;
    bodies.forEach((node, i) => {
      place(node, pose(k, i), pose(next, i), part);
      if (bent[i]) turn(node, scene.bodies[i].joint, bent[i]);
    });
    world.updateMatrixWorld(true);
    putTogether.forEach((put) => put());
    if (anchor) {
      const d = tracked().sub(anchor), across = d.clone().addScaledVector(up, -d.dot(up));
      camera.position.add(across);
      controls.target.add(across);
      anchor = tracked();
    }
    overlays.forEach((o) => o.on && o.update && o.update(k, next, step));
    el("time").value = last > first ? Math.round((1e4 * (time - first)) / (last - first)) : 0;
    el("clock").textContent = `${time.toFixed(3)} s`;
    dirty = true;
  }

  function setFollow(body) {
    follow = body;
    el("follow").value = body;
    anchor = body < 0 ? null : tracked();
  }

  function resetView() {
    setTime(first);
    camera.position.copy(vec(view.eye));
    controls.target.copy(vec(view.target));
    controls.update();
    setFollow(view.body);
  }

  // ---- overlays ------------------------------------------------------------------------------
  const onTop = { depthTest: false, transparent: true };
  const hue = (overlay, k = 0) => scene.marks[overlay][k][1];
  const hues = [0, 1, 2].map((k) => hue("frames", k));
  const top = (object, order = 5) => { object.renderOrder = order; return object; };

  function arrow(c, width = 0.006 * unit) {  // from the origin along y, of length 1 before scaling
    const g = new THREE.Group(), material = new THREE.MeshBasicMaterial({ color: colour(c), ...onTop });
    const shaft = top(new THREE.Mesh(new THREE.CylinderGeometry(width, width, 1, 10), material));
    const tip = top(new THREE.Mesh(new THREE.ConeGeometry(3 * width, 8 * width, 14), material));
    g.add(shaft, tip);
    g.point = (from, d) => {
      const length = d.length();
      g.visible = length > 1e-6 * unit;
      if (!g.visible) return;
      g.position.copy(from);
      g.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), d.clone().divideScalar(length));
      shaft.scale.y = length;
      shaft.position.y = length / 2;
      tip.position.y = length;
    };
    return g;
  }

  const arc = (axis, radius, from, to, rise = 0, n = 60) => {
    const z = vec(axis), x = new THREE.Vector3(Math.abs(z.x) < 0.9 ? 1 : 0, Math.abs(z.x) < 0.9 ? 0 : 1, 0);
    x.addScaledVector(z, -x.dot(z)).normalize();
    const y = new THREE.Vector3().crossVectors(z, x);
    return Array.from({ length: n + 1 }, (_, k) => {
      const a = from + ((to - from) * k) / n;
      return new THREE.Vector3().addScaledVector(x, radius * Math.cos(a))
        .addScaledVector(y, radius * Math.sin(a)).addScaledVector(z, rise * a).toArray();
    });
  };

  function screwSign(joint) {  // a line along the axis; around it an arc, a thread, or nothing
    const g = new THREE.Group(), ink = hue("axes"), h = 0.11 * unit, axis = vec(joint.axis);
    if (!joint.kind) {
      hues.forEach((c, k) => g.add(top(polyline(
        arc([0, 1, 2].map((j) => +(j === k)), 0.045 * unit, 0, 2 * Math.PI), ink, 1.5, onTop))));
      return g;
    }
    const dart = arrow(ink, 0.004 * unit);
    dart.point(axis.clone().multiplyScalar(-h), axis.clone().multiplyScalar(2 * h));
    g.add(dart);
    if (joint.kind === "R") g.add(top(polyline(arc(joint.axis, 0.05 * unit, 0, 4.7), ink, 2, onTop)));
    if (joint.kind === "H") {
      const turns = Math.min(12, h / (2 * Math.PI * Math.abs(joint.pitch)));
      const rise = turns < 12 ? joint.pitch : (Math.sign(joint.pitch) * h) / (24 * Math.PI);
      g.add(top(polyline(
        arc(joint.axis, 0.03 * unit, -2 * Math.PI * turns, 2 * Math.PI * turns, rise, 400), ink, 2, onTop)));
    }
    return g;
  }

  const mass = scene.bodies.reduce((sum, b) => sum + b.mass, 0);
  function massCentre() {
    const c = new THREE.Vector3();
    scene.bodies.forEach((b, i) => {
      if (b.mass) c.addScaledVector(vec(b.com).applyMatrix4(bodies[i].matrixWorld), b.mass / mass);
    });
    return c;
  }

  const each = (make) => () => {
    const made = [];
    bodies.forEach((node, i) => {
      const object = make(scene.bodies[i], i);
      if (object) { node.add(object); made.push(object); }
    });
    return { objects: made };
  };

  function inertiaSign(b, geometry, c) {  // what has the inertia of a body, of a solid of unit size
    if (!(b.mass > 0)) return null;
    const m = new THREE.Mesh(geometry, solid(c, { transparent: true, opacity: 0.35, depthWrite: false }));
    m.scale.set(...b.ellipsoid.radii.map((x) => Math.max(x, 0.004 * unit)));
    m.position.set(...b.com);
    m.quaternion.copy(quat(b.ellipsoid.axes));
    return top(m, 3);
  }

  const makeOverlay = {
    frames: ["Frames", () => {
      const made = [base, ...bodies].map((node) => {
        const g = new THREE.Group();
        hues.forEach((c, k) => {
          const a = arrow(c, 0.004 * unit);
          a.point(new THREE.Vector3(), vec([0, 1, 2].map((j) => (j === k ? 0.12 * unit : 0))));
          g.add(a);
        });
        node.add(g);
        return g;
      });
      return { objects: made };
    }],
    names: ["Names", () => ({ objects: [] })],
    axes: ["Joint axes", each((b) => screwSign(b.joint))],
    velocities: ["Velocities as screws", () => {
      const made = bodies.map(() => [arrow(hue("velocities")), arrow(hue("velocities", 1))]);
      made.flat().forEach((a) => world.add(a));
      const update = (k, next, step) => {
        const w = [], v = [];
        bodies.forEach((node, i) => {
          const p = scene.bodies[i].parent, place = node.getWorldPosition(new THREE.Vector3());
          w[i] = new THREE.Vector3();
          v[i] = new THREE.Vector3();
          if (p >= 0) {
            const arm = place.clone().sub(bodies[p].getWorldPosition(new THREE.Vector3()));
            w[i].copy(w[p]);
            v[i].copy(v[p]).add(new THREE.Vector3().crossVectors(w[p], arm));
          }
          if (step > 0) {
            const s = screw(pose(k, i), pose(next, i));
            const a = pose(k, i), toWorld = (p < 0 ? base : bodies[p])
              .getWorldQuaternion(new THREE.Quaternion()).multiply(quat(a).normalize());
            const slide = s.slide.clone();
            if (s.axis) {
              const rate = s.axis.clone().multiplyScalar(s.angle);
              const part = (time - t[k]) / step;
              const from = s.centre.clone().negate().applyAxisAngle(s.axis, part * s.angle);
              slide.add(new THREE.Vector3().crossVectors(rate, from));
              w[i].add(rate.clone().divideScalar(step).applyQuaternion(toWorld));
            }
            v[i].add(slide.divideScalar(step).applyQuaternion(toWorld));
          }
          const spin = w[i].lengthSq(), [turn, move] = made[i];
          if (spin > 1e-12) {
            const foot = place.clone().addScaledVector(
              new THREE.Vector3().crossVectors(w[i], v[i]), 1 / spin);
            turn.point(foot, w[i].clone().multiplyScalar(scene.scales.turn));
            move.point(foot, w[i].clone().multiplyScalar((scene.scales.advance * w[i].dot(v[i])) / spin));
          } else {
            turn.visible = false;
            move.point(place, v[i].clone().multiplyScalar(scene.scales.advance));
          }
        });
        velocities.w = w;
        velocities.v = v;
      };
      return { objects: [], arrows: made.flat(), update };
    }],
    com: ["Centre of mass and path", () => {
      const ball = top(new THREE.Mesh(new THREE.SphereGeometry(0.018 * unit, 20, 14),
        new THREE.MeshBasicMaterial({ color: 0x111111, ...onTop })), 7);
      const ring = top(new THREE.Mesh(new THREE.SphereGeometry(0.012 * unit, 20, 14),
        new THREE.MeshBasicMaterial({ color: colour(hue("com")), ...onTop })), 8);
      const objects = [ball, ring];
      const now = time, path = [], n = N > 1 ? Math.min(Math.max(N - 1, 200), 600) : 0;
      for (let k = 0; k <= n && n > 0; k++) {
        setTime(first + ((last - first) * k) / n);
        path.push(massCentre().toArray());
      }
      setTime(now);
      if (path.length) objects.push(top(polyline(path, hue("com", 1), 2, onTop)));
      objects.forEach((o) => world.add(o));
      return { objects, update: () => [ball, ring].forEach((o) => o.position.copy(massCentre())) };
    }],
    momentum: ["Momentum", () => {
      const made = [0, 1].map((k) => arrow(hue("momentum", k), 0.009 * unit));
      made.forEach((a) => world.add(a));
      const update = () => {
        const { spin, linear, centre } = momentum();
        made[0].point(centre, linear.multiplyScalar(scene.scales.momentum));
        made[1].point(centre, spin.multiplyScalar(scene.scales.spin));
      };
      return { objects: [], arrows: made, update };
    }],
    ellipsoids: ["Inertia ellipsoids", each((b) =>
      inertiaSign(b, new THREE.SphereGeometry(1, 32, 20), hue("ellipsoids")))],
    boxes: ["Boxes of equal inertia", each((b) => {
      const edge = 2 * Math.sqrt(3 / 5);
      return inertiaSign(b, new THREE.BoxGeometry(edge, edge, edge), hue("boxes"));
    })],
    forces: ["Forces as screws", () => {
      const made = bodies.map(() => [arrow(hue("forces"), 0.009 * unit), arrow(hue("forces", 1))]);
      made.flat().forEach((a) => world.add(a));
      const most = longest(forces, 6, 3), turnMost = longest(forces, 6, 0);
      const update = () => bodies.forEach((node, i) => {
        const { n, f } = wrench(i), square = f.lengthSq(), [push, couple] = made[i];
        const place = node.getWorldPosition(new THREE.Vector3());
        if (square > 1e-12 * most * most) {
          const foot = new THREE.Vector3().crossVectors(f, n).divideScalar(square);
          foot.addScaledVector(f, f.dot(place.clone().sub(foot)) / square);
          push.point(foot, f.clone().multiplyScalar((0.4 * unit) / most));
          couple.point(foot, f.clone().multiplyScalar((0.3 * unit * n.dot(f)) / square / turnMost));
        } else {
          push.visible = false;
          couple.point(place, n.multiplyScalar((0.3 * unit) / turnMost));
        }
      });
      return { objects: [], arrows: made.flat(), update };
    }],
    contacts: [contactForces.length ? "Contact points and forces" : "Contact points", () => {
      const objects = scene.contacts.map((c) => {
        const m = top(new THREE.Mesh(new THREE.SphereGeometry(0.01 * unit, 12, 8),
          new THREE.MeshBasicMaterial({ color: colour(hue("contacts")), ...onTop })));
        m.position.set(...c.point);
        (c.body < 0 ? base : bodies[c.body]).add(m);
        return m;
      });
      if (!contactForces.length) return { objects };
      const arrows = objects.map(() => arrow(hue("contacts", 1), 0.007 * unit));
      arrows.forEach((a) => world.add(a));
      const most = longest(contactForces, 3, 0);
      const update = () => arrows.forEach((a, i) => a.point(
        objects[i].getWorldPosition(new THREE.Vector3()),
        contactForce(i).multiplyScalar((0.4 * unit) / most)));
      return { objects, arrows, update };
    }],
  };
  const velocities = { w: [], v: [] };
  const overlays = new Map();

  function setOverlay(name, on) {
    if (!offered.includes(name)) return;
    el(`overlay-${name}`).checked = on;
    if (on && !overlays.has(name)) overlays.set(name, makeOverlay[name][1]());
    const o = overlays.get(name);
    if (!o) return;
    o.on = on;
    o.objects.forEach((x) => { x.visible = on; });
    (o.arrows || []).forEach((x) => { x.visible = false; });
    resize();
    setTime(time);
  }

  // ---- names and legend ----------------------------------------------------------------------
  const apart = (a, b) => a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];

  function drawLegend(height, size) {  // in the lower left corner; returns what it covers
    const marks = [...overlays].flatMap(([name, o]) => (o.on ? scene.marks[name] : []));
    if (!marks.length) return [];
    const row = 1.5 * size, margin = 0.8 * size, left = margin;
    const wide = Math.max(...marks.map(([text]) => pen.measureText(text).width)) + 3.4 * size;
    const low = height - margin, high = low - row * marks.length - 0.6 * size;
    pen.fillStyle = theme.panel;
    pen.strokeStyle = theme.pale;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.roundRect(left, high, wide, low - high, 4);
    pen.fill();
    pen.stroke();
    marks.forEach(([text, rgb, shape], k) => {
      const y = high + 0.3 * size + row * (k + 0.5), x = left + 0.6 * size;
      const tone = `rgb(${rgb.map((c) => Math.round(255 * c)).join(" ")})`;
      pen.fillStyle = pen.strokeStyle = tone;
      pen.lineWidth = Math.max(2, size / 5);
      pen.beginPath();
      if (shape === "line") {
        pen.moveTo(x, y);
        pen.lineTo(x + 1.2 * size, y);
        pen.stroke();
      } else if (shape === "dot") {
        pen.arc(x + 0.6 * size, y, 0.32 * size, 0, 2 * Math.PI);
        pen.fill();
      } else {
        pen.globalAlpha = 0.5;
        pen.fillRect(x, y - 0.4 * size, 1.2 * size, 0.8 * size);
        pen.globalAlpha = 1;
      }
      pen.fillStyle = theme.ink;
      pen.fillText(text, left + 2.4 * size, y);
    });
    return [[left, high, left + wide, low]];
  }

  function nameplates(width, height, size, taken) {  // a place for each name: none covers another
    const points = bodies.map((node, i) => {
      const p = node.getWorldPosition(new THREE.Vector3());
      const ahead = p.clone().sub(camera.position).dot(camera.getWorldDirection(new THREE.Vector3()));
      p.project(camera);
      return { i, seen: ahead > 0, x: (width * (1 + p.x)) / 2, y: (height * (1 - p.y)) / 2 };
    }).filter((p) => p.seen);
    const full = [...taken, ...points.map(({ x, y }) => [x - 2, y - 2, x + 2, y + 2])];
    return points.map(({ i, x, y }) => {
      const text = `${i} ${scene.bodies[i].name}`, w = pen.measureText(text).width + 4, h = 1.3 * size;
      for (let ring = 1; ring <= 24; ring++) {
        const d = 0.5 * h * ring;
        for (const [right, down] of [[1, -1], [-1, -1], [1, 1], [-1, 1]]) {
          const left = right > 0 ? x + d : x - d - w, high = down > 0 ? y + d : y - d - h;
          const box = [left, high, left + w, high + h];
          const inside = left >= 0 && high >= 0 && box[2] <= width && box[3] <= height;
          if (!inside || !full.every((other) => apart(box, other))) continue;
          full.push(box);
          return { text, x, y, box };
        }
      }
      return { text, x, y, box: null };
    });
  }

  let plates = [];
  function drawSheet() {
    const written = [...overlays.values()].some((o) => o.on);
    if (!written && sheet.hidden) return;
    sheet.hidden = !written;
    const ratio = sharp, width = sheet.width / ratio, height = sheet.height / ratio;
    const size = Math.max(11, Math.round(Math.min(width, height) / 36));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `${size}px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    const taken = drawLegend(height, size), names = overlays.get("names");
    plates = names && names.on ? nameplates(width, height, size, taken) : [];
    pen.lineJoin = "round";
    plates.forEach(({ text, x, y, box }) => {
      pen.fillStyle = pen.strokeStyle = theme.pale;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.arc(x, y, 2, 0, 2 * Math.PI);
      pen.fill();
      if (!box) return;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(Math.min(Math.max(x, box[0]), box[2]), Math.min(Math.max(y, box[1]), box[3]));
      pen.stroke();
      pen.strokeStyle = theme.halo;
      pen.lineWidth = 4;
      pen.fillStyle = theme.ink;
      pen.strokeText(text, box[0] + 2, (box[1] + box[3]) / 2);
      pen.fillText(text, box[0] + 2, (box[1] + box[3]) / 2);
    });
  }

  function render() {
    light();
    renderer.info.reset();
    renderer.render(world, camera);
    if (occlude && haste < 1) occlude(world, camera);
    drawSheet();
    if (window.showmotion && window.showmotion.afterRender) window.showmotion.afterRender();
  }

  let told = null;  // the scheme of the page around a frame, if it says one
  function setTheme() {
    const name = told || (night.matches ? "dark" : "light");
    theme = themes[name];
    document.documentElement.dataset.theme = name;
    world.background = new THREE.Color(theme.back);
    if (gridMaterial) gridMaterial.color.set(theme.grid);
    dirty = true;
  }

  // ---- the page ------------------------------------------------------------------------------
  function resize() {
    const { clientWidth: w, clientHeight: h } = el("stage");
    if (!w || !h) return;
    renderer.setSize(w, h);
    sheet.width = Math.round(w * sharp);
    sheet.height = Math.round(h * sharp);
    camera.aspect = w / h;
    camera.fov = view.angle;
    if (camera.aspect < 1)
      camera.fov = (360 / Math.PI) * Math.atan(Math.tan((view.angle * Math.PI) / 360) / camera.aspect);
    camera.updateProjectionMatrix();
    lineMaterials.forEach((m) => m.resolution.set(w, h));
    dirty = true;
  }

  let haste = 0, hasty = 0;  // how much is left out now, and while a motion is played
  function drawWith(level) {
    if (level === haste) return;
    haste = level;
    sun.castShadow = haste < 2;
    renderer.setPixelRatio(Math.max(sharp * 0.75 ** Math.max(haste - 2, 0), Math.min(sharp, 0.5)));
    resize();
  }
  function setPlaying(on) {
    if (on && !playing && (forward > 0 ? time >= last : time <= first))
      setTime(forward > 0 ? first : last);
    playing = on && last > first;
    drawWith(playing ? hasty : 0);
    el("play").innerHTML = playing ? "&#10073;&#10073;" : "&#9654;";
    el("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  }
  function setSpeed(value) {
    speed = Math.min(Math.max(value, 0.1), 10);
    el("speed").value = Math.log10(speed);
    el("factor").textContent = `${forward < 0 ? "−" : "×"}${speed.toPrecision(2)}`;
  }
  function setLoop(on) {
    loop = on;
    el("loop").setAttribute("aria-pressed", on);
  }
  function step(sign) {  // to the next key frame, or a thirtieth of a second if they are farther
    setPlaying(false);
    const k = interval(time), near = 1e-9 * (last - first);
    const others = [t[k], t[Math.min(k + 1, N - 1)], t[Math.max(k - 1, 0)]]
      .filter((x) => sign * (x - time) > near).map((x) => Math.abs(x - time));
    setTime(time + sign * Math.min(1 / 30, ...others));
  }

  el("title").textContent = document.title = scene.name;
  el("note").textContent = scene.notice;
  el("help").textContent = "drag: turn · right button: move · click: what is it?\n" +
    `${framed ? "wheel, after a click" : "wheel"}: zoom\n` +
    "space: play · , . speed · / reverse · r loop\nn m: frame · 0: to the start · i: view";
  const offered = [];
  Object.entries(makeOverlay).forEach(([name, [title]]) => {
    if (name === "contacts" && !scene.contacts.length) return;
    if (["com", "ellipsoids", "boxes", "momentum"].includes(name) && !mass) return;
    if (name === "forces" && !forces.length) return;
    if (["velocities", "momentum"].includes(name) && N === 1) return;
    offered.push(name);
    const line = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.id = `overlay-${name}`;
    box.checked = scene.overlays.includes(name);
    box.addEventListener("change", () => setOverlay(name, box.checked));
    line.append(box, ` ${title}`);
    el("overlays").append(line);
  });
  [["nothing", -1], ...scene.bodies.map((b, i) => [`${i} ${b.name}`, i])].forEach(([name, i]) => {
    const option = document.createElement("option");
    option.value = i;
    option.textContent = name;
    el("follow").append(option);
  });
  const togglePanel = () => {
    el("panel").hidden = !el("panel").hidden;
    el("menu-button").setAttribute("aria-expanded", !el("panel").hidden);
  };
  el("menu-button").addEventListener("click", togglePanel);
  el("follow").addEventListener("change", () => setFollow(Number(el("follow").value)));
  el("reset").addEventListener("click", resetView);
  el("play").addEventListener("click", () => setPlaying(!playing));
  el("back").addEventListener("click", () => step(-1));
  el("forward").addEventListener("click", () => step(1));
  el("loop").addEventListener("click", () => setLoop(!loop));
  el("speed").addEventListener("input", () => setSpeed(10 ** Number(el("speed").value)));
  el("time").addEventListener("input", () => {
    setPlaying(false);
    setTime(first + (Number(el("time").value) / 1e4) * (last - first));
  });
  const keys = {
    " ": () => setPlaying(!playing),
    0: () => { setPlaying(false); setTime(time > first ? first : last); },
    1: () => { forward = 1; setSpeed(1); },
    ",": () => setSpeed(speed / 1.25),
    ".": () => setSpeed(speed * 1.25),
    "/": () => { forward = -forward; setSpeed(speed); },
    r: () => setLoop(!loop), n: () => step(-1), m: () => step(1),
    i: resetView, p: togglePanel, h: togglePanel, "?": togglePanel,
  };
  window.addEventListener("keydown", (event) => {
    const typing = ["SELECT", "INPUT"].includes(event.target.tagName) && event.key !== " ";
    const presses = event.key === " " && event.target.matches("button, select, [type=checkbox]");
    if (typing || presses || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  new ResizeObserver(resize).observe(el("stage"));

  if (N === 1) document.body.classList.add("still");
  night.addEventListener("change", setTheme);
  window.addEventListener("message", ({ data }) => {
    if (!data || !Object.hasOwn(themes, data.theme)) return;
    told = data.theme;
    setTheme();
  });
  setTheme();
  resetView();
  setSpeed(1);
  resize();
  scene.overlays.filter((name) => offered.includes(name)).forEach((name) => setOverlay(name, true));
  light();
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  setPlaying(
    new URLSearchParams(location.search).get("play") !== "0" && scene.play !== false && !calm);

  // Where five pictures in a row come late, a motion goes on without dark corners, then without shadows, then with
  // fewer pixels; where many come early, with more again, though more rarely after each time. At rest, all is drawn.
  let late = 0, early = 0, patience = 15;
  const fewest = 2 + Math.max(Math.ceil(Math.log(0.5 / sharp) / Math.log(0.75)), 0);
  function hurry(passed) {
    late = passed > 1 / 28 ? late + 1 : 0;
    early = passed < 1 / 45 ? early + 1 : 0;
    if (late >= 5 && hasty < fewest) {
      hasty += hasty || occlude ? 1 : 2;
      patience *= 2;
    } else if (early >= patience && hasty) hasty -= 1;
    else return;
    late = early = 0;
    drawWith(hasty);
  }

  let before = null;
  function frame(now) {
    const passed = before === null ? 0 : (now - before) / 1000, dt = Math.min(passed, 0.25);
    before = now;
    if (playing) {
      hurry(passed);
      const next = time + forward * speed * dt, past = next > last || next < first;
      if (past && !loop) {
        setTime(next);
        setPlaying(false);
      } else setTime(past ? (forward > 0 ? first : last) : next);
    }
    controls.update();
    if (dirty) {
      dirty = false;
      render();
    }
    requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);

  // For scripts: what the page shows, and how to drive it.
  window.showmotion = {
    bodies: scene.bodies.map((b) => b.name),
    range: [first, last],
    parts: {
      scene, bodies, camera, renderer, sheet, stage: el("stage"), moves: N > 1,
      bend(i, value) { bent[i] = value; setTime(time); }, redraw() { dirty = true; },
    },
    get time() { return time; },
    get playing() { return playing; },
    get speed() { return speed; },
    seek(value) { setPlaying(false); setTime(value); },
    play: () => setPlaying(true),
    pause: () => setPlaying(false),
    overlay: setOverlay,
    follow: setFollow,
    offered,
    bare() {  // nothing but the picture
      document.body.classList.add("bare");
      resize();
    },
    picture(value) {
      setPlaying(false);
      setTime(value);
      render();
      dirty = false;  // no second rendering by the page
      const whole = document.createElement("canvas"), brush = whole.getContext("2d");
      whole.width = renderer.domElement.width;
      whole.height = renderer.domElement.height;
      brush.drawImage(renderer.domElement, 0, 0);
      brush.drawImage(sheet, 0, 0, whole.width, whole.height);
      return whole.toDataURL();
    },
    names: () => plates,
    get background() { return world.background.getHex(); },
    room,
    get occlusion() { return occlude !== null && haste < 1; },
    get shadows() { return sun.castShadow; },
    set occlusion(on) { if (!on) occlude = null; },
    momentum: () => { const h = momentum(); return [...h.spin.toArray(), ...h.linear.toArray()]; },
    contactForce: (i) => contactForce(i).toArray(),
    velocity: (i) => [...velocities.w[i].toArray(), ...velocities.v[i].toArray()],
    pose(i) {
      const p = new THREE.Vector3(), q = new THREE.Quaternion(), s = new THREE.Vector3();
      bodies[i].matrixWorld.decompose(p, q, s);
      return [q.w, q.x, q.y, q.z, p.x, p.y, p.z];
    },
    screen(i) {  // where the middle of a body's drawing is on the stage [pixels]
      const drawn = bodies[i].children.find((x) => x.isMesh);
      const box = new THREE.Box3().setFromObject(drawn || bodies[i]), p = box.getCenter(new THREE.Vector3());
      p.project(camera);
      return [(el("stage").clientWidth * (1 + p.x)) / 2, (el("stage").clientHeight * (1 - p.y)) / 2];
    },
    force: (i) => { const { n, f } = wrench(i); return [...n.toArray(), ...f.toArray()]; },
    camera: () => [...camera.position.toArray(), ...controls.target.toArray()],
  };
})();
