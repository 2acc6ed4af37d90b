function answer = sv2_is_complex(varargin)
% sv2_is_complex  True if one of some values has complex numbers.
  answer = any(cellfun(@isnumeric, varargin) & ~cellfun(@isreal, varargin));
end
