"""The exported library and Pinocchio in one C++ program."""
