% Short programs, each a function of its own
function f1()
x = unique([3 1 3]);
end

function f2()
v = [3 1 2]; [~, i] = sort(v, 'descend'); x = 2*i;
end

function f3()
x = 2*find([0 1 0 1], 1);
end

function f4()
c = strsplit('a,b', ','); x = strcmp(strjoin(c, '-'), 'a-b') + numel(c);
end

function f5()
x = cat(1, [1 2], [3 4]);
end

function f6()
x = nnz([1 0 2]);
end

function f7()
a = [5 6]; x = a(logical([0 1]));
end

function f8()
[p, q] = deal(1, 2); x = p - q;
end

function f9()
x = cellfun(@numel, {1, [1 2], 'abc'});
end

function f10()
v = [4 5]; x = 1:v;
end

function f11()
[U, S, V] = svd([1 2; 2 1]);
end

function f12()
[V, D] = eig([1 2; 2 1]);
end

function f13()
N = null([1 2; 2 1]);
end

function f14()
x = inertiaVecToPinertia(ones(3, 4));
end

function f15()
x = unique([1 2; 3 4]);
end

function f16()
x = xor([1 0], 1);
end

function f17()
x = complexStepHessian(@(x) ID_derivatives(autoTree(2), x, x, x), [1; 2]);
end

function f18()
x = i;
end

function f19()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = a/b;
x = sqrt(a/b);
end

function f20()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = a.*b;
x = sqrt(a.*b);
end

function f21()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = a^3;
x = sqrt(a^3);
end

function f22()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = v'*w;
x = log(v'*w);
end

function f23()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = v'*(-v);
x = log(v'*(-v));
end

function f24()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = trace(A);
x = sqrt(trace(A));
end

function f25()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = norm(v)*a;
x = log(norm(v)*a);
end

function f26()
a = -3; b = 2; v = [-4; 1]; w = [5 1]; A = [-2 0; 0 1];
y = (a);
x = sqrt((a));
end

function f27()
n = 2; v = [1; 2]; f = @(k) 2 * k;
x = eye((v(2)));
end

function f28()
n = 2; v = [1; 2]; f = @(k) 2 * k;
x = true((-1 + n));
end

function f29()
n = 2; v = [1; 2]; f = @(k) 2 * k;
x = false(([2 3]));
end

function f30()
n = 2; v = [1; 2]; f = @(k) 2 * k;
x = abs((f(1)));
end

function f31()
n = 2; v = [1; 2]; f = @(k) 2 * k;
x = abs((v'*v));
end

function f32()
x = [1 2]/2; if x(1) < 9, x(5) = 1; end; x(3) = 7;
end

function f33()
x = 2\[1 2]; for i = 1:2, x(4) = i; end
end

function f34()
x = [1 2] + [3 4]; x(3) = 7; x(5) = 8;
end

function f35()
x = [1 2].^2; x(3:4) = [7 8];
end

function f36()
x = -[1 2]; x(4:5) = [7; 8];
end

function f37()
x = 1:2; x(3:4) = [7 8];
end

function f38()
x = [1 2].^0.5 > 1; x(3:4) = [7 8];
end

function f39()
x = diff([1 2 4]); x(4:5) = [7; 8];
end

function f40()
x = cumsum([1 1]); if x(1) > 9, x(5) = 1; end; x(3) = 7;
end

function f41()
x = []; for i = 1:2, x(numel(x) + 2) = i; end
end

function f42()
x = [1 2]; x(5) = sum(x)*1i;
end

function f43()
c = {}; for i = [1 3], c{i} = numel(c); end; x = [c{1} c{3}];
end

function f44()
for i = 1:2, s.a = []; s.a(3 - i) = i; end; x = s.a;
end

function f45()
for i = 1:2, s.a = 1; s.ab(i) = i; end; x = s.ab;
end

function f46()
for i = 1:3, if i > 1, c{i} = i; else, c{i} = 9; end, end; c{2} = 5; x = [c{1} c{2} c{3}];
end

function f47()
for i = 1:3, if i > 0, c{i} = i; else, error('no'); end, end; c{5} = 5; x = [c{3} numel(c)];
end

function f48()
for i = 1:3, c{i} = i; end; c{5} = 5; x = [c{3} numel(c)];
end

function f49()
x = []; for i = 1:3, x(i) = i; x(end + 1) = 7; end
end

function f50()
x = [1 2]; if x(1) > 5, x(4) = 0; end; x(3:4) = 7;
end

function f51()
x = []; for i = 1:2, x(end + 1) = i; end; x(4:5) = [7 8];
end

function f52()
for i = [2 1], x(:, i) = [i; 2*i]; end
end

function f53()
for i = 1:2, for j = 1:2, x(i, j) = 10*i + j; end, end
end

function f54()
x = [1 2 3]; x = x(x > 1); k = 3; x(k:4) = 7;
end

function f55()
x = 1; x(3) = 5;
end

function f56()
x = [1 2] > 1; k = 4; x(k) = true;
end

function f57()
x = [1 2]; if x(1) > 5, x(4) = 0; end; a = 3; b = 4; x(a:b) = 7;
end

function f58()
x = [1 2]; if x(1) > 5, x(4) = 0; end; a = 3; b = 4; x(2:end) = 7;
end

function f59()
x = [1 2]; if x(1) > 5, x(4) = 0; end; a = 3; b = 4; x(4:-1:3) = [8 7];
end

function f60()
n = 3; x = zeros([n 1]); for i = 1:n, x(i) = i; end
end

function f61()
m = autoTree(3); x = zeros(m.NV); for i = 1:m.NB, for j = i:m.NB, x(i, j) = 1; end, end
end

function f62()
x = sort([2 1]); for i = 1:numel(x), x(i) = i; end
end

function f63()
x = zeros(3, 2); for i = 2:3, x(i, :) = [1 2]; x(i - 1, 2) = x(i, 1); end
end

function f64()
n = 4; x = zeros(1, n + 1); for i = n:-1:1, x(i + 1) = x(i); x(end) = 1; end
end

function f65()
x = [1 2 3]; k = 2; x(k) = x(k) + 1;
end

function f66()
s = 1; [s, x] = sort([3 1 2]); s = 1; n = 4; n = n * 1; x(n:n+1) = 7;
y = x + 0; z = y(2);
end

function f67()
s = 1; x = find([1 0 1 1]); s = 1; x(1:2) = [5 6];
y = x + 0; z = y(2);
end

function f68()
s = 1; x = find([1 0 1 1]); s = 1; for i = 1:4, x(i) = 2 * i; end
y = x + 0; z = y(2);
end

function f69()
s = 1; x = [3 1 2] > 1; s = 1; x(:) = 5;
y = x + 0; z = y(2);
end

function f70()
s = 1; x = [3 1 2] > 1; s = 1; x(4) = 7;
y = x + 0; z = y(2);
end

function f71()
s = 1; x = [3 1 2] > 1; s = 1; x(2) = []; x(2) = 9;
y = x + 0; z = y(2);
end

function f72()
x = numel([1 2])/0;
end

function f73()
x = 7; for i = 1:0:3, x = i; end
end

function f74()
s = 0; x = 7; for i = 1:s:3, x = i; end
end

function f75()
a = [5 -7; 8 9]; b = [4 -7; 8 9]; x = mod(a, b);
end

function f76()
a = [5 -7]; b = [2; 4]; x = mod(a, b);
end

function f77()
a = [5 -7]; b = [2; 4]; x = rem(a, b);
end

function f78()
A = [1 2; 3 4]; x = A(3);
end

function f79()
s.a = [1 2]; b = s.a; s.a(1) = 5; x = b;
end

function f80()
x = cell2mat({[1 2; 3 4], [5; 6] * [1 1]});
end

function f81()
y = [1 2 3]; x = y(arrayfun(@(v) v > 1, y));
end

function f82()
t = 'abc'; x = double(strcmp(t(2), 'b')) + 2*strcmp(t(2:3), 'bc');
end

function f83()
x = cell2mat(repmat({[1; 2]}, 1, 2));
end

function f84()
x = cross([1 0; 0 1; 0 0], [0 0; 1 0; 0 1], 1);
end

function f85()
s.a = 1; c = {1, 'a'}; m = autoTree(2); f = @(x) x;
x = -s;
end

function f86()
s.a = 1; c = {1, 'a'}; m = autoTree(2); f = @(x) x;
x = ~m;
end

function f87()
s.a = 1; c = {1, 'a'};
x = repmat({1}, 2, 2);
end

function f88()
s.a = 1; c = {1, 'a'};
x = diag(c);
end

function f89()
s.a = 1; c = {1, 'a'};
x = squeeze(s);
end

function f90()
x = 2;
for i = 1:3 % head
  x = 4; % inside
end % end
x = 5; % after
end

function f91()
x = 2;
while x < 3 % head
  x = 4; % inside
end % end
x = 5; % after
end

function f92()
y = 3; x = y(2); x = nobody(1);
end

function f93()
A = ones(2, 3, 4); x = A(5);
end

function f94()
A = ones(2, 3, 4); x = A(1, 1, :);
end

function f95()
A = [1 2; 3 4]; n = 3; A(1, 1:n) = 7;
end

function f96()
x = [1 2 3]; c = {x}; c(1:1) = 4;
end

function f97()
x = sprintf('%d');
end

function f98()
y = [1 2 3 4 5]; k = 2; x = y(1:k:5);
end

function f99()
error('a:b', 'bad %d', 3);
end

function f100()
error('a: %d', 3);
end

function f101()
x = 3; assert(x > 2); assert(x > 1, 'x is %d', x);
end

function f102()
t = [0 1 2]; Q = ones(2, 3);
plot(t, t, 'r--', 'LineWidth', 2);
end

function f103()
t = [0 1 2]; Q = ones(2, 3);
plot(t, Q);
end

function f104()
t = [0 1 2]; Q = ones(2, 3);
plot(t, t, 'b', t, 2*t, 'k:');
end

function f105()
t = [0 1 2]; Q = ones(2, 3);
legend('a', 'b', 'Location', 'NorthWest');
end

function f106()
t = [0 1 2]; Q = ones(2, 3);
xlabel('t', 'FontSize', 12, 'Interpreter', 'latex');
end

function f107()
t = [0 1 2]; Q = ones(2, 3);
stairs(t, t);
end

function f108()
t = [0 1 2]; Q = ones(2, 3);
subplot(2, 1, 2);
end

function f109()
t = [0 1 2]; Q = ones(2, 3);
h = figure(3); xlim([0 1]);
end

function f110()
t = [0 1 2]; Q = ones(2, 3);
showmotion(autoTree(2), t, Q);
end

function f111()
t = [0 1 2]; Q = [1 2 3; 4 5 6]; figure; plot(t, Q, 'LineWidth', 3);
end

function f112()
t = [0 1 2]; Q = ones(2, 3); h = figure;
surf(Q);
end

function f113()
t = [0 1 2]; Q = ones(2, 3); h = figure;
plot(t, Q, 'Clipping', 'off');
end

function f114()
t = [0 1 2]; Q = ones(2, 3); h = figure;
plot(t, Q + 1);
end

function f115()
t = [0 1 2]; Q = ones(2, 3); h = figure;
legend(h);
end

function f116()
t = [0 1 2]; Q = ones(2, 3); h = figure;
showmotion(t);
end

function f117()
t = [0 1 2]; Q = ones(2, 3); h = figure;
title({'a', 'b'});
end

function f118()
plot([1 2 3]); grid
end

function f119()
plot([1 2 3]); grid('on');
end

function f120()
plot([1 2 3]); axis equal
end

function f121()
plot([1 2 3]); close all
end

function f122()
plot([1 2 3]); close('all');
end

function f123()
x = sprintf('%g %g|', [1 2; 3 4]);
end

function f124()
x = sprintf('%d', 2 > 1);
end

function f125()
x = sprintf("a\tb");
end

function f126()
x = sprintf('%s', 3);
end

function f127()
f = 'a'; x = sprintf(f, 3);
end

function f128()
x = sprintf('%*d', 5, 3);
end

function f129()
x = sprintf('%g', 1i);
end

function f130()
x = num2str([1 2], 3);
end

function f131()
fprintf('%d\n', 3); fprintf('%g\n', [1 2]); fprintf('%g', 1.5);
end

function f132()
c = {1, 'a'}; c{2} = [5 6]; x = c{2}*2;
end

function f133()
c = {1, 'a'}; c{3} = [5 6]; x = c{3}(2);
end

function f134()
c = {[1 2], [3 4]}; x = vertcat(c{:});
end

function f135()
c = {[1; 2], [3; 4]}; d = {c{:}, [5; 6]}; x = [d{:}];
end

function f136()
c = {1, [2 3]; 'a', 4}; x = c{2,2} + size(c, 1) + numel(c);
end

function f137()
c = cell(2); for i = 1:2, for j = 1:2, c{i,j} = 10*i + j; end, end; x = c{2,1};
end

function f138()
c = {1, 2; 3, 4}; d = c; d{1,2} = 9; x = [c{1,2} d{1,2}];
end

function f139()
c = {1, 2; 3, 4}; x = iscell(c) + 2*isnumeric(c) + 4*isnumeric(3) + 8*ischar('a');
end

function f140()
q = [1; 2]; c = cell(2, size(q, 2)); c{2} = 5; x = c{2} + numel(c);
end

function f141()
A0 = 2; A = [1 2 3; 4 5 6]; x = A(:, 2:3); y = length(x);
end

function f142()
A0 = 2; x.a = 1; y = length(x);
end

function f143()
A0 = 2; x.a = 1; y = isempty(x);
end

function f144()
A0 = 2; x = []; for i = 1:3, x = [x i]; end; [m, n] = size(x); y = 1000*m + n;
end

function f145()
A0 = 2; x = {}; for i = 1:3, x{i} = i; end; y = size(x, 1);
end

function f146()
A0 = 2; x = {}; for i = 1:3, x{i} = i; end; y = size(x, 3);
end

function f147()
A0 = 2; x = {}; for i = 1:3, x{i} = i; end; y = ndims(x);
end

function f148()
A0 = 2; x = {}; for i = 1:3, x{i} = i; end; y = isempty(x);
end

function f149()
A0 = 2; x = {}; for i = 1:3, x{i} = i; end; y = isscalar(x);
end

function f150()
A0 = 2; x = {}; for i = 1:3, x{i} = i; end; [m, n] = size(x); y = 1000*m + n;
end

function f151()
A0 = 2; x = [1 2]' * [1 2 3]; [m, n] = size(x); y = 1000*m + n;
end

function f152()
A0 = 2; A = [1 2 3; 4 5 6]; x = A(2, 3); y = isscalar(x);
end

function f153()
A0 = 2; T = zeros(2, 3, 4); x = T; y = isvector(x);
end

function f154()
A0 = 2; x = {}; for i = 1:3, x{end+1} = i; end; [m, n] = size(x); y = 1000*m + n;
end

function f155()
A0 = 2; x = repmat([1 2], 1, 3); [m, n] = size(x); y = 1000*m + n;
end

function f156()
A0 = 2; x = diag([1 2 3]); [m, n] = size(x); y = 1000*m + n;
end

function f157()
A0 = 2; x = cell(2, 3); y = length(x);
end

function f158()
A0 = 2; x = []; for i = 1:3, x = [x; i 2]; end; [m, n] = size(x); y = 1000*m + n;
end

function f159()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = size(x, 1);
end

function f160()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = size(x, 3);
end

function f161()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = length(x);
end

function f162()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = ndims(x);
end

function f163()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = isempty(x);
end

function f164()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = isscalar(x);
end

function f165()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = isvector(x);
end

function f166()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = isrow(x);
end

function f167()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = iscolumn(x);
end

function f168()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; y = size(x);
end

function f169()
A0 = 2; x = []; for i = 1:3, if i > 1, x(1, i) = i; else, x(1, i) = 5; end, end; [m, n] = size(x); y = 1000*m + n;
end

function f170()
A0 = 2; x = cell(3, 1); y = size(x, 1);
end

function f171()
A0 = 2; for i = 1:3, x(1, i) = i; end; [m, n] = size(x); y = 1000*m + n;
end

function f172()
A0 = 2; A = [1 2 3; 4 5 6]; x = A'; [m, n] = size(x); y = 1000*m + n;
end

function f173()
A0 = 2; x = [zeros(0, 2); 1 2]; [m, n] = size(x); y = 1000*m + n;
end

function f174()
A0 = 2; for i = 1:3, if i > 1, x(1, i) = i; end, end; [m, n] = size(x); y = 1000*m + n;
end

function f175()
A0 = 2; x = [zeros(2, 0) [1; 2]]; [m, n] = size(x); y = 1000*m + n;
end

function f176()
A0 = 2; x = repmat(5, 1, 3); [m, n] = size(x); y = 1000*m + n;
end

function f177()
A0 = 2; x = cross([1 2 3], [3 2 1]); [m, n] = size(x); y = 1000*m + n;
end

function f178()
A0 = 2; T = zeros(2, 3, 4); x = T(:); [m, n] = size(x); y = 1000*m + n;
end

function f179()
A0 = 2; x = []; for i = 1:3, x(i, :) = [i 2]; end; y = size(x, 1);
end

function f180()
A0 = 2; x = []; for i = 1:3, x(i, :) = [i 2]; end; y = numel(x);
end

function f181()
A0 = 2; x = []; for i = 1:3, x(i, :) = [i 2]; end; y = length(x);
end

function f182()
A0 = 2; x = []; for i = 1:3, x(i, :) = [i 2]; end; y = isvector(x);
end

function f183()
A0 = 2; x = []; for i = 1:3, x(i, :) = [i 2]; end; y = isrow(x);
end

function f184()
A0 = 2; x = []; for i = 1:3, x(i, :) = [i 2]; end; [m, n] = size(x); y = 1000*m + n;
end

function f185()
A0 = 2; A = [1 2 3; 4 5 6]; x = A(:); [m, n] = size(x); y = 1000*m + n;
end

function f186()
A0 = 2; T = zeros(2, 3, 4); x = T(:, 2:3, 1); [m, n] = size(x); y = 1000*m + n;
end

function f187()
A0 = 2; x = []; if A0 > 1, for i = 1:3, x(1, i) = i; end, end; [m, n] = size(x); y = 1000*m + n;
end

function f188()
A0 = 2; A = [1 2 3; 4 5 6]; x = repmat(A, 1, 2); [m, n] = size(x); y = 1000*m + n;
end

function f189()
syms x y real
f = diff(x^3, x);
end

function f190()
syms x y real
f = int(x, x, 0, 2);
end

function f191()
syms x y real
f = x^(1/2);
end

function f192()
syms x y real
f = x + pi;
end

function f193()
syms x y real
f = subs(x*y, x, 0.5);
end

function f194()
syms x y real
f = subs(x - y, {x, y}, {y, x});
end

function f195()
syms x y real
f = simplify(sin(x)^2 + cos(x)^2);
end

function f196()
syms x y real
f = det([x y; y x]);
end

function f197()
syms x y real
f = [x; y]' * [x; y]; f = f(1, 1);
end

function f198()
syms x y real
f = sym(1)/3;
end

function f199()
syms x y real
J = jacobian([x*y; y^2], [x; y]); f = J(1, 2);
end

function f200()
syms x y real
A = [x y; 1 2]*[1; 2]; f = A(2);
end

function f201()
syms x y real
f = double(subs(x^2, x, 3));
end

function f202()
syms x y real
f = sqrt(x)*exp(-y);
end

function f203()
syms x y
f = x == 1;
end

function f204()
syms x y
f = [x y] \ 2;
end

function f205()
syms x y
f(x) = x;
end

function f206()
syms x y
f = diff(x^2);
end

function f207()
syms x y
f = subs(x);
end

function f208()
A = zeros(3); b = ones(3, 1); x = A \ b;
end

function f209()
f = @(x) x.^2;
y = feval("rx", 0.5);
end

function f210()
f = @(x) x.^2;
y = feval(f, 3);
end

function f211()
f = @(x) x.^2;
y = feval('max', [1 2]);
end

function f212()
a = 3; c = [1 2 3];
x = a == 1 | a;
end

function f213()
a = 3; c = [1 2 3];
x = c(c > 1 & c < 3 | c == 1);
end

function f214()
a = 3; c = [1 2 3];
x = 2^-a^2;
end

function f215()
a = 3; c = [1 2 3];
x = 5 / (2 / a);
end

function f216()
[c{1}, x] = size(zeros(2, 3));
end

function f217()
r = [1 2]; f = @(x) x + r(1); r(1) = 3;
end

function f218()
x = flipud([1; 2] > 1); x(2) = 3;
end

function f219()
m = autoTree(3);
m.parent(3) = 1;
m.nq = 3;
end

function f220()
E = rv([1; 0; 0]);
end

function f221()
c = {1, 2}; k = 2;
x = c{1, 2};
end

function f222()
m = max([1 2; 3 4] > 2); x = +m; x(1) = 5;
end

function f223()
a = 0; if rand < 2, a = true; end
b = a + a;
end

function h0()
fprintf('a\n'); fprintf('a'); fprintf('%d\n', 3); fprintf('%d %d\n', 1, 2); fprintf('%g\n', [1 2]); fprintf(1, 'a%sb\n', 'c'); printf('100%%\n'); disp('a'); x = sprintf('abc'); y = sprintf('a\tb%%'); fprintf('%s', 'a'); fprintf('%d\n', n);
end

function h1()
r = [1 2 3]; k = find(r > 1); if rand > 0.5, k = [1 2]; end; x = r(k); y = k + 1;
end

function h2()
r = [1 2 3]; [m, k] = max(r); if m > 2, k = 3; end; x = r(k); y = k * 2;
end

function h3()
r = [1 2 3]; for i = 1:3, if i > 1, k = i; else, k = 1; end; x = r(k); y = k + i; end
end

function h4()
r = [1 2 3 4 5]; k = 2; x = r(end-1:-1:1); y = r(end:-2:k); z = r(k:end-1); u = r(end-2:end); v = r(4:-1:2);
end

function h5()
x = 5; if nargin > 0, x = 6; end
end

function h6()
A = zeros(2, 3); if all(size(A) == [2 3]), x = 1; end; r = [1 2]; if all(size(r) == [1 2]), x = 2; end; if all(size(r) == [2 1]), x = 3; end; if all([1 2] == size(r)), x = 4; end; if all(size(5) == [1 1]), x = 5; end
end

function h7()
A = [1 2; 3 4]; for v = A, x = v' * v; end; for v = 5, x = v; end; for v = {1, 2}, x = 1; end; for v = [1 2] > 1, x = v; end; for v = A(:)', x = v; end
end

function h8()
n = 2.5; for i = 1:n, x = i; end; for i = n:-1:1, x = i; end; for i = 0.5:1, x = i; end; for i = 3:-2:1, x(i) = i; end; for i = 1:2:5, y(i) = i; end; for i = 0:2, z(i+1) = i; end
end

function h9()
c = {1, [2 3]}; c{2}(1) = 5; s.c = {1, 2}; s.c{3} = 4; s.a.b(3) = 1; s.a.c{2} = 'x'; g = cell(2); g{1, 2} = [1 2]; g{1, 2}(2) = 3;
end

function h10()
syms x y real
f = x^2 + 2*y; d = diff(f, x); J = jacobian([x*y; y], [x; y]); S = subs(f, {x, y}, {1, 2}); T = subs(J, x, 2); e = expand(f); k = J(1, 1); m = [x y; 1 2]; n = inv(m); p = m'; q = f == 1; u = -f; v = f / 3; w = 2^x; z = sin(x) + sqrt(y);
end

function h11()
tic; t = toc; toc; x = tic; y = toc(x); close all; figure; grid on; grid off; axis equal; legend show; hold on; clc; clear all; format long; more off; drawnow;
end

function h12()
x = 3; x, y = [1 2], x; y(1), s.a = 1, s, f = @(t) t, f(3), 'abc', q = {1}
end

function h13()
while true, x = 1; break; end; k = 0; while k < 3 && ~isempty([1]), k = k + 1; if k == 2, continue, end; end; do_it = 1; switch do_it, case 1, z = 1; case {2, 3}, z = 2; otherwise, z = 3; end; switch 'a', case {'a', 'b'}, z = 4; case 'c', z = 5; end
end

function h14()
try, x = 1; error('a:b', 'no %d', 3); catch err, disp(err.message); end; try, y = 1; catch, y = 2; end; warning('off', 'all'); warning('w %d', 3); assert(true); assert(1 > 0, 'm'); error('plain');
end

function h15()
f = @(x, y) x + y; g = @(varargin) numel(varargin); h = @() 3; a = f(1, 2); b = h(); c = feval(f, 1, 2); d = feval(@sin, 1); e = arrayfun(@(t) t^2, 1:3); k = cellfun(@(t) t + 1, {1, 2}); l = cellfun(@(t) [t t], {1, 2}, 'UniformOutput', false); m = cellfun('isempty', {1, []}); o = arrayfun(@(t) {t}, 1:2, 'UniformOutput', false); p = func2str(f);
end

function h16()
m = autoTree(3); x = m.NB; y = m.parent(2); z = m.Xtree{2}; u = m.I{1}(1, 1); m.gravity = [0; 0; -1]; m.gravity(3) = 0; m.I{1} = eye(6); m.appearance.base = {}; v = m.nothing; m.jtype{1} = 'Ry'; w = m.jtype{end};
end

function h17()
x = zeros(2, 2)(1, 2); a.b.c = 1; a.('b') = 2; n = 'b'; y = a.(n); z = isfield(a, 'b') + isfield(a, n); p = numfields(a); k = fieldnames(a); l = rmfield(a, 'b'); t = struct('u', 1, 'v', [1 2]); o = struct(); r = isstruct(t);
end

function h18()
x = num2str(3); y = num2str(pi, 4); z = num2str([1 2]); u = num2str(pi, '%8.3f'); v = num2str('a'); w = ['a' num2str(2.5) 'b']; a = upper('a'); b = strrep('abc', 'b', 'x'); c = strtrim(' a '); d = lower('A'); e = ['a'; 'b']; f = strcat('a', 'b'); g = int2str(3); h = mat2str([1 2]);
end

function h19()
x = rand; y = rand(3); z = rand(2, 3); u = randn(1, 4); v = randi(5); w = randi([2 5], 1, 3); a = rand(size(y)); b = randperm(4); rand('seed', 1); randn('state', 0); rng(3); c = randi(9, 2); d = ones(size(y)); e = eye(size(y)); f = zeros(size([1 2])); g = zeros([2 3]); h = cell(1, 3); k = cell(size(y));
end

function y = counted(a, b, varargin)
if nargin < 2, b = 3; end
if nargin == 2, y = 1; elseif nargin ~= 3, y = 2; else, y = nargin; end
if nargin >= 1 && isempty(a), y = 0; end
if ~exist('b', 'var'), b = 1; end
y = y + b + numel(varargin);
end

function varargout = many(x)
varargout{1} = x; if nargout > 1, varargout{2} = [x x]; end
end

function [p, q] = two(x)
persistent k
if isempty(k), k = 0; end
k = k + x; p = k; q = [k; x];
end

function uses()
a = counted(1); b = counted(1, 2); c = counted([], 2, 3, 4); [d, e] = many(2); f = many(3);
[g, h] = two(1); [~, h(2)] = two(2); two(3); [s.p, t{2}] = two(4); [x.a, x.b] = deal(1, 2);
end
