"""Share of published MATLAB files that `spatial-v2 migrate` translates correctly."""
