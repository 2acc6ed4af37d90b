% Cells of rows and columns
c = {1, 'two', [3 4 5]; {6}, 7, 'eight'};
a = c{1, 3}(2);
b = c{2, 2} + 1;
n = size(c);
d = c{2,1}{1};
e = cell(1, 3);
e{2} = 'x';
f = cellfun(@isempty, e);
g = cellfun(@numel, {1, [1 2], 'abc'});
h = cell(2, 2);
for i = 1:2, for j = 1:2, h{i, j} = i + j;
end, end
k = h{2, 1};
l = numel(h);
m = iscell(h);
o = {};
o{end+1} = 5;
o{end+1} = 'a';
p = numel(o);
q.list = {};
q.list{3} = [1 2];
r = numel(q.list);
t = cellfun(@(x) x*2, {1, 2, 3});
u = cellfun(@(x) [x 1], {1, 2}, 'UniformOutput', false);
v = u{2}(1);
