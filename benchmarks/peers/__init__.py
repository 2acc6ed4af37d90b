"""Other libraries, each optional and imported only where it is measured."""
