classdef Pair
  % Two vectors
  properties
    x
    n = 3
  end
  methods
    function obj = Pair(x)
      obj.x = x;
    end
    function obj = moved(obj, d)
      obj.x = obj.x + d;
      obj.x(2) = 7;
    end
    function n = len(obj)
      n = sqrt(sum(obj.x.^2));
    end
    function [a, b] = parts(obj)
      a = obj.x(1);
      b = obj.x(2:end);
    end
  end
end
