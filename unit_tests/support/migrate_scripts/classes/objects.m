r = Robot(3, 0.2);
r.add(5); add(r, [1 2]);
n1 = r.n; c1 = r.count(); c2 = count(r); c3 = r.count;
s = r.scaled(2);
r.q = [0.4 0.5 0.6];
h = r.half;
tau = r.torque([1; 2; 3]);
[a, b] = r.two(7);
p = Robot.make(0.3); pn = p.n; g = Robot.G;
r2 = r; r2.n = 50; n2 = r.n;
v = Vec([1 2 3]); w = v; w.x(2) = 9; vx = v.x; wx = w.x;
z = v + w; zx = z.x; m = norm(v); t = v.moved(1); tx = t.x; vx2 = v.x;
e = Vec(); ex = e.x; k = isa(r, 'Base'); cl = class(v); o = isobject(v); st = isstruct(v);
L = {}; for i = 1:3, L{i} = Vec(i); end
lx = L{2}.x; L{2}.x = 10; lx2 = L{2}.x;
y = r.apply(@(q) sum(q) * 2); ax = r.q(end); r.log{1} = 77; l1 = r.log{1};
clear r r2 p v w z t e L
