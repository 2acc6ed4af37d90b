% Ten thousand states in one call, a column each: only with the compiled functions.
model = autoTree(7, 1.5, pi/3, 0.95);
times = linspace(0, 2, 10000);
q = sin(times + (1:7)');
qd = cos(times + (1:7)');
tau = ID(model, q, qd, -q);
[H, C] = HandC(model, q, qd);
assert(isequal(size(tau), [7 10000]) && isequal(size(H), [7 7 10000]));
result = tau(:, end);
