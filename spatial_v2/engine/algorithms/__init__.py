"""One algorithm a file, named as the public function that it serves.

A kernel takes a `Tree`, flat batches (B, n), then its results, which are zero before. What several
share is in `parts`.
"""
