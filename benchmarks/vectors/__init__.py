"""Test vectors of derivatives in Pinocchio's conventions, and a C++ program that checks them."""
