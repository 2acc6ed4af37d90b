"""Reading and writing of files: MATLAB's values, and files written completely or not at all."""
