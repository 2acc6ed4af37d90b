"""Accuracy of second derivatives of inverse dynamics versus size (paper 000, Figs. 11 and 12).

Run from the root of the repository: ``python -m benchmarks.paper_000.accuracy_id_so``.
"""

from __future__ import annotations

from benchmarks import study
from benchmarks.paper_000.second_order import draw, measure

LABELS = {
    "analytic": "IDSVA-SO",
    "chain-rule": "RNEA chain rule",
    "finite-diff-1": "Finite-Diff-1",
    "finite-diff-2": "Finite-Diff-2",
}
METRICS = {"mae": "MAE", "mre": "MRE", "rmsae": "RMSAE", "rmsre": "RMSRE"}


def four_metrics(rows: list[study.Row]) -> list[study.Row]:
    """Return the rows of IDSVA-SO, once for each of the four metrics, with the error in this
    metric.
    """
    chosen = [row for row in rows if row["method"] == "IDSVA-SO"]
    return [row | {"metric": METRICS[m], "error": row[m]} for m in METRICS for row in chosen]


def main() -> None:
    args = study.options(__doc__, sizes=[2, 5, 10, 20, 40, 60, 80, 100], states=3)
    rows = study.table("accuracy_id_so", args, lambda args: measure(args, "ID", LABELS))

    fig, (axes,) = study.figure(1, height=3.5)
    study.curves(axes, four_metrics(rows), "error", METRICS.values(), key="metric")
    axes.set(title="IDSVA-SO against the bicomplex step", ylabel="error")
    study.legend(fig, METRICS.values())
    study.save(fig, args, "id_so_metrics")

    draw(args, "ID", LABELS, rows)


if __name__ == "__main__":
    main()
