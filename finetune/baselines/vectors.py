"""From counts of words to vectors, and linear projections of vectors, learned or not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

from oscar.embedding import unit_length

COMPONENTS = 500
"""Singular vectors kept before the discriminant analysis."""
VARIANCE = 0.95
"""Share of the variance that whitening keeps."""


def tfidf() -> TfidfTransformer:
    """TF-IDF with logarithmic term frequency; learned from no label."""
    return TfidfTransformer(sublinear_tf=True)


def discriminants(words: int, documents: int, labels: int, seed: int = 0) -> Pipeline:
    """TF-IDF, its main singular vectors, and the directions that tell the labels apart.

    A linear projection learned from the labels of the training problems; the directions carry
    over to problems that were not among them.
    """
    components = min(COMPONENTS, words - 1, documents - 1)
    return make_pipeline(
        tfidf(),
        TruncatedSVD(components, random_state=seed),
        Normalizer(),
        _analysis(min(labels - 1, components)),
    )


def _analysis(directions: int) -> LinearDiscriminantAnalysis:
    """Linear discriminant analysis, the covariance shrunk as Ledoit and Wolf do."""
    return LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto", n_components=directions)


def whitened(vectors: np.ndarray) -> np.ndarray:
    """The main principal components of unit-length vectors (n, dim), scaled to the same variance.

    What all vectors share, such as the one direction that most of an untrained model's output
    lies in, goes; what tells them apart counts alike. No label is seen.
    """
    components: np.ndarray = PCA(VARIANCE, whiten=True, svd_solver="full").fit_transform(
        unit_length(vectors)
    )
    return components


def discriminated(train: np.ndarray, labels: Sequence[str], test: np.ndarray) -> np.ndarray:
    """Unit-length vectors (test, dim) along the directions that tell the labels of others apart.

    Args:
        train: labelled vectors (train, dim).
        labels: of these.
        test: vectors of other items, of other labels.
    """
    directions = min(len(set(labels)) - 1, train.shape[1])
    model = make_pipeline(StandardScaler(with_std=False), _analysis(directions))
    model.fit(unit_length(train), labels)
    vectors: np.ndarray = model.transform(unit_length(test))
    return vectors


def project(
    train: csr_matrix, labels: Sequence[str], test: csr_matrix, seed: int = 0
) -> np.ndarray:
    """Vectors (test, dim) of counts of words under the projection learned from labelled ones.

    Args:
        train: counts (train, words).
        labels: of these.
        test: counts of the same words (test, words).
        seed: of the singular vectors.
    """
    documents, words = train.shape
    model = discriminants(words, documents, len(set(labels)), seed)
    model.fit(train, labels)
    vectors: np.ndarray = model.transform(test)
    return vectors
