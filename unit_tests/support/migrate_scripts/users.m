% constructs of scripts that people write around the library
f = @(t,x) [x(2); -x(1)];
[t, x] = ode45(f, [0 1], [1; 0], odeset('RelTol', 1e-6));
xe = x(end,:);
[t3, x3] = ode23(f, [0 0.25 1], [1; 0]);
nb = 1;
model.jtype(nb) = {'Rx'};
model.I(nb) = {eye(6)};
model.gc.body = zeros(1,0);
model.gc.body(end+1:end+2) = [4 4];
c = num2cell([1 2 3]);
k = 1;
d{1} = 'a';
k = k + 1;
d{k} = 'b';
g = @(t,x) deal(t + x(1), 2*x);
[a, b] = g(1, [k; 2]);
n = unique(round(logspace(0, 1, 5)));
m = not(isempty(n));
p = struct('a', 1, 'b', 2, 'c', {{3, 4}});
s(2).x = 5; s(1).x = [1 2];
xs = [s.x];
q = [1; 2];
switch class(q)
  case {'double', 'single'}
    z = zeros(2,1);
  otherwise
    error('type')
end
is = isa(q, 'double');
tt = 0:0.1:1; yy = sin(tt);
yi = interp1(tt, yy, 0.55);
pp = spline(tt, yy); zz = ppval(pp, 0.33);
ar = trapz(tt, yy);
w = cellfun(@(x) x*2, c);
u = cellfun(@(x) [x x], c, 'UniformOutput', false);
[mx, at] = cellfun(@max, {[1 5 2], [7 3]});
v = arrayfun(@(x) x^2, 1:4);
map = containers.Map();
map('one') = 1; map('two') = 22;
has = map.isKey('two'); two = map('two'); many = map.Count;
clear map
fn = fieldnames(p);
for i = 1:numel(fn)
  e.(fn{i}) = i;
end
try
  error('my:id', 'wrong %d', 3);
catch err
  msg = err.message; id = err.identifier;
end
clear err
A = []; A(:,end+1) = [1;2]; A(:,end+1) = [3;4];
A(1,:) = [];
B = zeros(2,2,2); B(:,:,2) = [1 2; 3 4]; sB = sum(B, 3); sz = size(B);
names = {'x', 'yy'}; joined = strjoin(names, '-'); len = cellfun('length', names);
r = regexprep('a1b2', '\d', '_'); tok = strsplit('a,b', ',');
l = true(1,4); l([1 3]) = false; left = find(l);
h = @() n(end); last = h();
x0 = fzero(@(x) x^2 - 2, [0 2]);
count = 0; while true, count = count + 1; if count >= 3, break; end, end
str = sprintf('%s=%d;', 'k', 3); num = str2double('2.5');
L = logical([1 0; 0 0]); top = max(L); top(1) = 3; low = min(L, [], 2); low(1) = 5; both = max(L, true); both(1) = 7; mix = max(L, 2);
