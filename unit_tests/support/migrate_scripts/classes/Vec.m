classdef Vec
  properties
    x
  end
  methods
    function obj = Vec(x)
      if nargin == 1
        obj.x = x;
      else
        obj.x = 0;
      end
    end
    function r = plus(a, b)
      r = Vec(a.x + b.x);
    end
    function obj = moved(obj, d)
      obj.x = obj.x + d;
    end
    function n = norm(obj)
      n = sqrt(sum(obj.x.^2));
    end
  end
end
