% Divisions by zero, empty loops and ranges
x = 1/0;
y = -1/0;
z = 0/0;
n = 0;
w = 5/n;
v = [1 2]/0;
u = 1/(n - 1 + 1);
q = mod(5, 0);
r = rem(5, 0);
s = 0^0;
t = 0^-1;
for i = 1:0, a = i; end
for i = [], b = i; end
for k = 5:-1:5, c = k; end
d = 3:1;
e = numel(3:1);
f = sum([]);
g = isempty(zeros(0, 3));
h = max([NaN 1]);
l = log(0);
m = sqrt(-4);
o = (-8)^(1/3);
p = 1e308*10;
aa = -(0);
bb = abs(-Inf);
cc = round(-2.5);
dd = floor(-0.5);
ee = fix(-1.5);
ff = 5:-2:0;
gg = 0.1:0.1:0.5;
hh = numel(0:0.1:1);
step = 0.25;
ii = 0:step:1;
st = 0;
jj = numel(1:st:3);
