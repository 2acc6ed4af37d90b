% Matrices, vectors and cells that grow
A = [];
for i = 1:3, A(end+1, :) = [i, i^2];
end
B = zeros(0, 3);
B(end+1, :) = [1 2 3];
B(end+1, :) = [4 5 6];
C = [];
C(2, 3) = 7;
D = eye(2);
D(:, end+1) = [5; 6];
E = 1:3;
E(7) = 2;
E(end+2) = 9;
F = 'abc';
n = numel(F);
k = 0;
while k < 4, k = k + 1;
L(k) = k^2;
end
M = [];
k = 0;
while k < 3, k = k + 1;
M(:, k) = [k; -k];
end
