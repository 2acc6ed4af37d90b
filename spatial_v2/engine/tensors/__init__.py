"""Order of the values of packed tensors, and code that computes and writes them."""
