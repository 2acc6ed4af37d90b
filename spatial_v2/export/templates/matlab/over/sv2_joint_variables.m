function [nq, nv] = sv2_joint_variables(jtype)
% sv2_joint_variables  The numbers of position and velocity variables of joints.
  nq = numel(jtype);
  nv = nq;
  for k = 1:numel(jtype)
    code = jtype{k};
    if isstruct(code), code = code.code; end
    switch code
      case 'S'
        more = [3, 2];
      case 'SO3'
        more = [8, 2];
      case 'Fb'
        more = [6, 5];
      case 'SE3'
        more = [15, 5];
      otherwise
        more = [0, 0];
    end
    nq = nq + more(1);
    nv = nv + more(2);
  end
end
