function sv2_check_struct(name, model)
% sv2_check_struct  An error if a model is not one struct of a tree.
  if isa(model, 'uint64')
    error(['spatial_v2:' name], '%s: want the model''s struct, not a prepared model', name);
  elseif ~isstruct(model) || numel(model) ~= 1
    error(['spatial_v2:' name], '%s: model: want a struct, got a %s', name, class(model));
  elseif isfield(model, 'coupling') && ~isempty(model.coupling)
    error(['spatial_v2:' name], '%s: models with a field coupling are not supported', name);
  end
  for field = {'parent', 'jtype', 'Xtree', 'I'}
    if ~isfield(model, field{1})
      error(['spatial_v2:' name], '%s: model.%s is missing', name, field{1});
    elseif numel(model.(field{1})) ~= numel(model.parent)
      error(['spatial_v2:' name], '%s: model.%s: want %d entries, one for each body, got %d', ...
            name, field{1}, numel(model.parent), numel(model.(field{1})));
    end
  end
end
