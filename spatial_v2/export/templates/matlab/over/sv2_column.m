function x = sv2_column(name, argument, x, n)
% sv2_column  A vector of n numbers as a column, or an error.
  if ~isnumeric(x) || numel(x) ~= n || (n > 0 && ~isvector(x))
    error(['spatial_v2:' name], '%s: %s: want %dx1 numbers, got a %s of %s', name, argument, n, ...
          class(x), strjoin(arrayfun(@num2str, size(x), 'UniformOutput', false), 'x'));
  end
  x = reshape(x, n, 1);
end
