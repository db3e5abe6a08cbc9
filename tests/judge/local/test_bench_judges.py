import json
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics as sklearn

from bench.agreement import (
    Sample,
    auroc,
    balanced_accuracy,
    best_threshold,
    cross_validated,
    interval,
    measure,
    quadratic_kappa,
)
from bench.judges import main

SHARED = Path(__file__).parents[3].parent / "shared" / "bench"


def test_the_best_threshold_separates_the_classes() -> None:
    scores = np.array([0.1, 0.2, 0.7, 0.9])
    assert best_threshold(scores, np.array([0, 0, 1, 1])) == pytest.approx(0.7)


def test_a_threshold_is_chosen_on_other_rows() -> None:
    scores = np.linspace(0, 1, 50)
    positive = (scores > 0.5).astype(np.int64)
    chosen = cross_validated(scores, positive)
    assert (chosen == positive).mean() > 0.9


def test_metrics_are_those_of_the_reference() -> None:
    random = np.random.default_rng(7)
    positive = random.integers(0, 2, 200)
    scores = np.round(random.random(200) + positive / 3, 1)  # with ties
    chosen = (scores > 0.7).astype(np.float64)
    people, judge = random.integers(0, 3, 200), random.integers(0, 3, 200)
    assert auroc(positive, scores) == pytest.approx(sklearn.roc_auc_score(positive, scores))
    assert balanced_accuracy(positive, chosen) == pytest.approx(
        sklearn.balanced_accuracy_score(positive, chosen)
    )
    assert quadratic_kappa(people, judge.astype(np.float64)) == pytest.approx(
        sklearn.cohen_kappa_score(people, judge, weights="quadratic")
    )


def test_one_class_has_no_metric() -> None:
    ones = np.ones(4, dtype=np.int64)
    assert np.isnan(auroc(ones, np.arange(4.0)))
    assert np.isnan(balanced_accuracy(ones, np.ones(4)))
    assert np.isnan(quadratic_kappa(ones, np.ones(4)))


def test_a_perfect_score_measures_one() -> None:
    sample = Sample(
        scores=np.linspace(0, 1, 40),
        positive=np.repeat([0, 1], 20),
        graded=tuple((grade, grade) for grade in (0, 1, 2) * 5),
    )
    found = measure(sample)
    assert (found["auroc"], found["qwk"]) == (1.0, 1.0)
    assert found["auroc_ci"] == [1.0, 1.0]


def test_an_interval_holds_the_value_and_is_the_same_each_time() -> None:
    values = np.array([0.0, 1.0] * 20)

    def mean(index: np.ndarray) -> float:
        return float(values[index].mean())

    low, high = interval(mean, 40)
    assert low < 0.5 < high
    assert interval(mean, 40) == (low, high)


def test_rows_of_each_shape_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    relevance = tmp_path / "r.jsonl"
    support = tmp_path / "s.jsonl"
    right, wrong = "Shoes may be returned within 30 days.", "Shipping costs five euros."
    relevance.write_text(
        "\n".join(
            json.dumps({"question": "How long may I return shoes?", "chunk": chunk, "relevant": n})
            for chunk, n in ((right, 1), (wrong, 0))
        )
    )
    support.write_text(
        "\n".join(
            json.dumps({"claim": claim, "evidence": [right], "label": label})
            for claim, label in ((right, "supported"), ("Hats are free.", "not_supported"))
        )
    )
    assert main(["--relevance", str(relevance), "--support", str(support), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["r"]["auroc"], found["s"]["auroc"]) == (1.0, 1.0)


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--relevance", str(tmp_path / "none.jsonl"), "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out) == {}
    assert "none.jsonl" in output.err


@pytest.mark.parametrize(
    ("kind", "path", "metric", "floor"),
    [
        pytest.param("relevance", "relevance/clapnq_dev.jsonl", "auroc", 0.82, id="relevance"),
        pytest.param("support", "support/begin_dev.jsonl", "auroc", 0.93, id="one chunk"),
        pytest.param("routing", "routing/bfcl_multiple.jsonl", "accuracy", 0.92, id="right tool"),
    ],
)
def test_floors_on_public_data(
    kind: str, path: str, metric: str, floor: float, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (SHARED / path).is_file():
        pytest.skip(f"{path} is not beside the repository")
    main([f"--{kind}", str(SHARED / path), "--json"])
    (found,) = json.loads(capsys.readouterr().out).values()
    assert found[metric] >= floor
