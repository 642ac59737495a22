"""Spark in local mode counts what the other engines count; `make test-spark` runs this."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import assay

pytestmark = [
    pytest.mark.spark,
    # Spark and its Python half warn about their own internals; what they count is what is tested.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "3")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_spark_gives_the_same_rows_as_arrays(spark: Any) -> None:
    rng = random.Random(5)
    labels = ["spam", "ham", "01", "NA", "true", "ü", 'say "x"']
    gold = [rng.choice(labels) for _ in range(2_000)]
    pred = [g if rng.random() < 0.7 else rng.choice(labels) for g in gold]
    user = [f"u{rng.randrange(50)}" for _ in gold]
    frame = spark.createDataFrame(list(zip(gold, pred, user, strict=True)), ["gold", "pred", "user"])
    data = {"gold": gold, "pred": pred, "user": user}
    for cluster in (None, "user"):
        ours = assay.evaluate(data, gold="gold", pred="pred", cluster=cluster)
        theirs = assay.evaluate(frame.repartition(7), gold="gold", pred="pred", cluster=cluster)
        assert theirs.rows == ours.rows
