// What the page uses of three.js 0.187.0. To make three.min.js of it:
// npm install three@0.187.0 esbuild
// npx esbuild three.entry.js --bundle --minify --format=iife --global-name=THREE \
//   --legal-comments=none --target=es2020 --outfile=three.min.js
export { WebGLRenderer, Scene, PerspectiveCamera, Group, Mesh, Color, Vector3, Vector2, Quaternion, Matrix4, Box3,
  BufferGeometry, BoxGeometry, CylinderGeometry, ConeGeometry, SphereGeometry, Float32BufferAttribute, InstancedMesh, MeshStandardMaterial, MeshBasicMaterial,
  DirectionalLight, HemisphereLight, Sprite, SpriteMaterial, CanvasTexture, PCFSoftShadowMap, PCFShadowMap, DoubleSide, ShadowMaterial, PlaneGeometry, PMREMGenerator } from "three";
export { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
export { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
export { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
export { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
