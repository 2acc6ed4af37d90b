classdef Pid < handle
% A controller of a joint
    properties
        kp = 1;       % gain
        kd = 0;
        ki = 0;
        last = 0;
        sum = 0;
        log = [];
        limit = [-10 10];
        names = {};
    end
    methods
        function obj = Pid(kp, ki, kd)
            % Make a controller
            if nargin > 0
                obj.kp = kp;
                obj.ki = ki;
                obj.kd = kd;
            end
        end
        function u = step(obj, e, dt)
            obj.sum = obj.sum + e*dt;
            u = obj.kp*e + obj.ki*obj.sum + obj.kd*(e - obj.last)/dt;
            u = obj.saturate(u);
            obj.last = e;
            obj.log(end+1) = u;
            obj.names{end+1} = 'step';
        end
        function u = saturate(obj, u)
            u = min(max(u, obj.limit(1)), obj.limit(2));
        end
        function reset(obj)
            obj.sum = 0; obj.last = 0;
        end
        function [a, b] = both(obj)
            a = obj.sum;
            b = obj.last;
        end
    end
end
