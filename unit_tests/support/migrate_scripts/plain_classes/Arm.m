classdef Arm < Pid
  properties
    m
  end
  methods
    function a = Arm(m, k)
      a@Pid(k, 0.1, 0.2);
      a.m = m;
    end
    function u = saturate(a, u)
      u = saturate@Pid(a, u*2);
      u = u + a.m.g;
    end
    function t = tau(a, q, qd)
      t = a.m.g * sin(q) + a.kd * qd;
      a.reset;
    end
  end
end
