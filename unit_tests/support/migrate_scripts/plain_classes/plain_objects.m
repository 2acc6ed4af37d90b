c = Pid(2, 0.5, 0.1);
u = 0;
for k = 1:5
  u = u + c.step(1/k, 0.1);
end
v = step(c, 2, 0.1);
[a, b] = c.both();
c.reset();
reset(c);
d = c; d.kp = 30; w = c.kp; n = numel(c.names); l = c.log;
p = Pair([1; 2; 3]); q = p.moved(2); y = q.x; z = p.x; m = len(q) + p.len();
[a1, b1] = q.parts(); [a2, b2] = parts(p);
g.a = p; h = g; h.a.x = [9;9;9]; s1 = g.a.x; s2 = h.a.x;
arm.g = 9.81; r = Arm(arm, 3); t = r.step(.1, .2); t2 = r.tau([1;2], [0;1]); k2 = r.kp;
hs = {c, r}; x1 = hs{1}.kp; f = @(e) r.step(e, 0.1); x2 = f(2);
st.c = c; st2 = st; st2.c.kp = 77; x3 = c.kp;
o = Store(); x4 = o.x; x5 = o.get_x(); x6 = o.m'; x7 = o.m(:, 1); cx = {o.x, 1}; sx.a = o.x; x8 = o.pair.x;
o2 = Store(); o2.x = o.x;
o.bump(); bump(o); x9 = o.x; x10 = o2.x; x11 = o.m; x12 = o.count; x13 = o2.count;
o.put(1, 2); o.put(3); x14 = numel(o.c) + o.c{3}; x15 = o.scaled(); x16 = o.scaled(3); x17 = o.pair.x;
x18 = x4 + x5; o.x(2) = 100; x19 = o.x; x20 = x9;
for i = 1:3
  o.x(i) = i;
end
x21 = o.x; x22 = o.x(end) + numel(o.x); o.m(1, :) = [5 6]; x23 = o.m;
