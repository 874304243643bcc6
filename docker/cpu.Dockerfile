# For preprocessing, embedding and search on CPUs, and for the nodes of a Ray cluster.
FROM python:3.11.13-slim-bookworm AS build

# The address of PyTorch's own index of CPU builds, as its installation page names it: without
# one, torch brings several gigabytes of CUDA libraries, which this image has no use for.
ARG TORCH_INDEX=""
ENV DS_BUILD_OPS=0 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/oscar
ENV PATH=/opt/oscar/bin:$PATH

WORKDIR /build
COPY constraints.txt ./
# Alone, so that a change of the code does not install it again.
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} -c constraints.txt torch
COPY pyproject.toml README.md LICENSE ./
COPY static_analysis static_analysis
COPY ir_pipeline ir_pipeline
COPY oscar oscar
COPY pretrain pretrain
COPY finetune finetune
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install -c constraints.txt ".[ray,faiss]"

FROM python:3.11.13-slim-bookworm

RUN groupadd --gid 10001 oscar \
    && useradd --uid 10001 --gid 10001 --home-dir /tmp --no-create-home oscar \
    && install -d -o oscar -g oscar /sources /corpora /runs /cache
COPY --from=build /opt/oscar /opt/oscar
ENV PATH=/opt/oscar/bin:$PATH HOME=/tmp XDG_CACHE_HOME=/cache PYTHONUNBUFFERED=1

USER 10001:10001
WORKDIR /corpora
ENTRYPOINT ["oscar"]
CMD ["--help"]
