% loops that count, fall, stop and fill
n = 6;
fib = zeros(1, n);
fib(1) = 1; fib(2) = 1;
for i = 3:n
  fib(i) = fib(i-1) + fib(i-2);
end
acc = 0;
for i = n:-1:2
  if mod(i, 2) == 0, continue; end
  acc = acc + i * fib(i);
end
k = 0;
while true
  k = k + 1;
  if k^2 > 30
    break
  end
end
for j = 1:4
  sq(j) = j^2;
end
c = {};
for j = 1:3
  c{j} = sq(j) * eye(2);
end
c{end+1} = ones(2);
total = zeros(2);
for j = 1:numel(c)
  total = total + c{j};
end
list = [];
for t = 0:0.25:1
  list(end+1) = t^2;
end
rows = [];
for j = 1:3
  rows = [rows; j, 2*j];
end
M = zeros(6);
for i = 1:2
  M(3*i-2:3*i, 3*i-2:3*i) = i * eye(3);
end
word = 'none';
switch k
  case {1, 2}
    word = 'few';
  case 6
    word = 'six';
  otherwise
    word = 'many';
end
