classdef Robot < Base
  properties
    model
    q = [0.1; 0.2; 0.3];
  end
  properties (Constant)
    G = 9.81;
  end
  properties (Dependent)
    half
  end
  methods
    function obj = Robot(n, k)
      obj@Base(n);
      obj.model = struct('k', k);
    end
    function v = get.half(obj)
      v = obj.q / 2;
    end
    function out = scaled(obj, k)
      out = scaled@Base(obj, k) + Robot.G;
    end
    function tau = torque(obj, qd)
      tau = obj.model.k * obj.q .* qd + local_(obj, 1);
    end
    function [a, b] = two(obj, x)
      a = x + obj.n;
      if nargout > 1, b = obj.q(2); end
    end
    function set.q(obj, v)
      obj.q = v(:);
    end
    function r = apply(obj, f)
      r = f(obj.q);
    end
  end
  methods (Static)
    function r = make(k)
      r = Robot(2, k);
    end
  end
end
function y = local_(obj, x)
  y = x * obj.n;
end
