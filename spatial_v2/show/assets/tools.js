// What a reader does with the picture: asks what a body is, moves the joints of a robot at rest, records a film.
"use strict";
(() => {
  const { scene, bodies, camera, renderer, sheet, stage, moves, bend, redraw } = window.showmotion.parts;
  const el = (id) => document.getElementById(id);
  const number = (x) => Number(x.toPrecision(3)).toString();

  // ---- picking: the nearest triangle of a body under the pointer ------------------------------
  function hit(mesh, from, towards) {  // the distance along a ray, in the mesh's own coordinates
    const inside = mesh.matrixWorld.clone().invert();
    const o = from.clone().applyMatrix4(inside), d = towards.clone().applyMatrix4(inside).sub(o);
    const place = mesh.geometry.attributes.position, index = mesh.geometry.index;
    const count = index ? index.count : place.count;
    const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3(), n = new THREE.Vector3();
    let nearest = Infinity;
    for (let k = 0; k < count; k += 3) {
      const [i, j, l] = index ? [index.getX(k), index.getX(k + 1), index.getX(k + 2)] : [k, k + 1, k + 2];
      a.fromBufferAttribute(place, i).sub(o);
      b.fromBufferAttribute(place, j).sub(o);
      c.fromBufferAttribute(place, l).sub(o);
      const u = d.dot(n.crossVectors(b, c)), v = d.dot(n.crossVectors(c, a)), w = d.dot(n.crossVectors(a, b));
      if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)) || u + v + w === 0) continue;
      const along = a.dot(n.crossVectors(b, c)) / (u + v + w);
      if (along > 0 && along < nearest) nearest = along;
    }
    return nearest;
  }

  function pick(x, y) {  // the body at a point of the stage [pixels]; -1 if there is none
    const { clientWidth: width, clientHeight: height } = stage;
    const far = new THREE.Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0.5).unproject(camera);
    let found = -1, nearest = Infinity;
    bodies.forEach((node, i) => node.children.forEach((mesh) => {
      if (!mesh.isMesh || !mesh.visible || !mesh.castShadow) return;
      const at = hit(mesh, camera.position, far);
      if (at < nearest) [found, nearest] = [i, at];
    }));
    return found;
  }

  function tell(i) {  // name, mass and place of a body
    el("picked").hidden = i < 0;
    if (i < 0) return "";
    const b = scene.bodies[i], p = new THREE.Vector3().setFromMatrixPosition(bodies[i].matrixWorld);
    const at = p.toArray().map(number).join(", ");
    el("picked").textContent = `${i} ${b.name}: ${number(b.mass)} kg, frame at (${at}) m`;
    return el("picked").textContent;
  }

  let pressed = null;
  stage.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
  stage.addEventListener("pointerup", (event) => {
    if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
    const corner = stage.getBoundingClientRect();
    tell(pick(event.clientX - corner.left, event.clientY - corner.top));
  });

  // ---- joints of a robot at rest ---------------------------------------------------------------
  if (!moves) {
    scene.bodies.forEach((b, i) => {
      const { kind, q, range } = b.joint;
      if (q === null || !kind) return;
      const label = document.createElement("label"), slider = document.createElement("input");
      const value = document.createElement("output");
      Object.assign(slider, { type: "range", min: range[0], max: range[1], step: "any", value: q });
      slider.id = `joint-${i}`;
      const show = () => { value.textContent = Number(slider.value).toFixed(2); };
      slider.addEventListener("input", () => { bend(i, Number(slider.value) - q); show(); });
      show();
      label.append(`${i} ${b.name} `, slider, value);
      el("joints").append(label);
    });
    el("joints").hidden = !el("joints").querySelector("input");
  }

  // ---- a film of what is seen ------------------------------------------------------------------
  let recorder = null, whole = null;
  function record() {
    if (recorder) return recorder.stop();
    whole = document.createElement("canvas");
    whole.width = renderer.domElement.width;
    whole.height = renderer.domElement.height;
    const chunks = [];
    recorder = new MediaRecorder(whole.captureStream(30), { mimeType: "video/webm" });
    recorder.addEventListener("dataavailable", (event) => chunks.push(event.data));
    recorder.addEventListener("stop", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(chunks, { type: "video/webm" }));
      link.download = `${scene.name}.webm`;
      link.click();
      recorder = null;
      el("record").setAttribute("aria-pressed", "false");
    });
    el("record").setAttribute("aria-pressed", "true");
    recorder.start();
    redraw();
  }
  window.showmotion.afterRender = () => {
    if (!recorder) return;
    const brush = whole.getContext("2d");
    brush.drawImage(renderer.domElement, 0, 0, whole.width, whole.height);
    brush.drawImage(sheet, 0, 0, whole.width, whole.height);
  };
  if (!window.MediaRecorder) el("record").hidden = true;
  el("record").addEventListener("click", record);
  Object.assign(window.showmotion, { pick, tell, recording: () => recorder !== null });
})();
