classdef Store < handle
  properties
    x = [1; 2; 3];
    m = [1 2; 3 4];
    c = {};
    count
    pair
  end
  methods
    function obj = Store()
      obj.count = 0;
      obj.pair = Pair([4; 5; 6]);
    end
    function bump(obj)
      obj.x(1) = obj.x(1) + 1;
      obj.m(2, 1) = 9;
      obj.count = obj.count + 1;
      for k = 1:2
        obj.x(k) = obj.x(k)*2;
      end
    end
    function v = get_x(obj)
      v = obj.x;
    end
    function put(obj, varargin)
      for k = 1:numel(varargin)
        obj.c{end+1} = varargin{k}*2;
      end
    end
    function y = scaled(obj, k)
      if nargin < 2
        k = 2;
      end
      y = k*obj.x;
      obj.pair = obj.pair.moved(k);
    end
  end
end
