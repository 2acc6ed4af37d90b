classdef Base < handle
  % A base
  properties
    n = 1;
    log = {};
  end
  methods
    function obj = Base(n)
      if nargin > 0
        obj.n = n;
      end
    end
    function add(obj, x)
      obj.log{end+1} = x;
      obj.n = obj.n + 1;
    end
    function out = scaled(obj, k)
      out = obj.n * k;
    end
    function c = count(obj)
      c = numel(obj.log);
    end
  end
end
