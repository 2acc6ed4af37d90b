% Global variables of a script and a function
global G H
G = 3;
H.a = [1 2];
for k = 1:3, bump(k); end
x = G;
y = H.a;
z = H;
function bump(k)
  global G H
  G = G + k;
  H.a(end+1) = k;
  H.count = numel(H.a);
end
