// A robot drawn by meshes, which the page has as numbers of 16 bits; see docs/_ext/robot_meshes.py.
"use strict";
const meshes = (() => {
  const { rotation, position } = algebra, { world, vec } = stage;

  function numbers(text) { // base64 to integers
    const bytes = Uint8Array.from(atob(text), (x) => x.charCodeAt(0));
    return new Uint16Array(bytes.buffer);
  }

  // Normals of corners: the mean over the triangles at their vertex that bend by less than 40 degrees.
  function normals(corners, faces, count) {
    const flat = [], around = Array.from({ length: count }, () => []);
    for (let k = 0; k < faces.length; k += 3) {
      const [a, b, c] = [0, 3, 6].map((j) => new THREE.Vector3().fromArray(corners, 3 * k + j));
      flat.push(b.sub(a).cross(c.sub(a))); // twice the area long
      for (let j = k; j < k + 3; j++) around[faces[j]].push(k / 3);
    }
    const out = new Float32Array(corners.length), unit = flat.map((x) => x.clone().normalize());
    faces.forEach((i, k) => {
      const own = unit[(k / 3) | 0], sum = new THREE.Vector3();
      for (const f of around[i]) if (own.dot(unit[f]) > 0.766) sum.add(flat[f]);
      sum.normalize().toArray(out, 3 * k);
    });
    return out;
  }

  function part({ colour, lower, step, vertices, faces }) {
    const points = numbers(vertices), order = numbers(faces), corners = new Float32Array(3 * order.length);
    order.forEach((i, k) => { for (let j = 0; j < 3; j++) corners[3 * k + j] = lower[j] + step * points[3 * i + j]; });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals(corners, order, points.length / 3), 3));
    const tone = new THREE.Color().setRGB(...colour.map((x) => 0.86 * x), "srgb"); // white would have no shades
    return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: tone, roughness: 0.45, side: THREE.DoubleSide }));
  }

  // The base and the bodies; the function that is returned places them by the transforms from the base.
  function robot(parts) {
    const groups = parts.map((some) => {
      const group = new THREE.Group();
      some.forEach((one) => group.add(part(one)));
      world.add(group);
      return group;
    });
    return (X0) => X0.forEach((X, i) => {
      groups[i + 1].quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(...rotation(X).map(vec)));
      groups[i + 1].position.set(...position(X));
    });
  }

  return { robot };
})();
