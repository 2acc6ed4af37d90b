"""Files and the values that stand in them, before they are a model: MATLAB's, and whole files."""
