% functions of several results, with arguments that may be left out
[s, p] = both(2, 5);
only = both(3);
f = @(x) x.^2 + s;
y = f(3) + 1;
g = @(v) v' * v;
z = g([1; 2; 3]);
total = apply(f, 4);
v = [3; 1; 2];
w = shifted(v);
squares = arrayfun(@(x) x^2, v);
names = cellfun(@(n) [n '!'], {'a', 'b'}, 'UniformOutput', false);
point.x = 1;
point.pos = [1; 2];
point2 = moved(point);

function [s, p] = both(a, b)
% sum and product
  if nargin < 2
    b = 10;
  end
  s = a + b;
  p = a * b;
end

function y = apply(f, x)
  y = f(x) + 1;
end

function x = shifted(x)
  x(1) = x(1) + 100;
  for i = 2:length(x)
    x(i) = x(i) + x(i-1);
  end
end

function p = moved(p)
  p.x = p.x + 1;
  p.pos(2) = 7;
end
