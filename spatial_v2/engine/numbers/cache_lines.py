"""Size of cache lines, and of results that are written with non-temporal stores."""

LINE = 8
"""Number of float64 numbers in a cache line."""
MANY = 1 << 18
"""Size of results, in numbers, above which non-temporal stores write them: two megabytes."""
