"""Importing this module raises an error if a user's file hides `derivatives` or `tensor_sva`.

Modules that need these packages import it first.
"""

from spatial_v2.public_names import require_beside

require_beside()
