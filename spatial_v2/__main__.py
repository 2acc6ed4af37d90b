"""``python -m spatial_v2``: the command line."""

from spatial_v2.cli import app

if __name__ == "__main__":
    app(prog_name="spatial-v2")
