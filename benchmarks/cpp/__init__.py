"""Pinocchio's algorithms in C++, compiled for this processor, timed in a process of their own."""
