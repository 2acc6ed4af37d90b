% lines that nobody can decide alone
x = 3;
y = unknown_function(x);
z = x + 1;
s(2).a = 5;
f = @(x) x.^2;
w = f(3) + f([1 2]) * [1; 1];
