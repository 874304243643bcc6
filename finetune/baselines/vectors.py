"""From bags of words to vectors: square roots of counts, TF-IDF, learned projections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.decomposition import TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, Normalizer

COMPONENTS = 500
"""Singular vectors kept before the discriminant analysis."""


def counter() -> CountVectorizer:
    """Counts words; a document is a list of them."""
    return CountVectorizer(analyzer=list, dtype=np.float32)


def square_roots() -> FunctionTransformer:
    """Square roots of counts, which keep the frequent words from drowning the others."""
    return FunctionTransformer(csr_matrix.sqrt)


def tfidf() -> TfidfTransformer:
    """TF-IDF with logarithmic term frequency; learned from no label."""
    return TfidfTransformer(sublinear_tf=True)


def discriminants(words: int, documents: int, labels: int, seed: int = 0) -> Pipeline:
    """TF-IDF, its main singular vectors, and the directions that tell the labels apart.

    A linear projection learned from the labels of the training problems; the directions carry
    over to problems that were not among them. The covariance is shrunk as Ledoit and Wolf do.
    """
    components = min(COMPONENTS, words - 1, documents - 1)
    return make_pipeline(
        tfidf(),
        TruncatedSVD(components, random_state=seed),
        Normalizer(),
        LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto", n_components=labels - 1),
    )


def project(
    train: Sequence[list[str]], labels: Sequence[str], test: Sequence[list[str]], seed: int = 0
) -> np.ndarray:
    """Vectors (test, dim) of documents under the projection learned from labelled ones."""
    counts = counter().fit(train)
    known = counts.transform(train)
    model = discriminants(known.shape[1], known.shape[0], len(set(labels)), seed)
    model.fit(known, labels)
    vectors: np.ndarray = model.transform(counts.transform(test))
    return vectors
