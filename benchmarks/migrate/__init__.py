"""How much of other people's MATLAB `spatial-v2 migrate` translates, and whether it is right."""
