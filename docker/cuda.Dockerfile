# For training on NVIDIA GPUs. The development image, because torch.compile and DeepSpeed build
# kernels while they run; CUDA 13, because the torch of constraints.txt is built for it.
FROM nvidia/cuda:13.0.1-devel-ubuntu24.04

ENV DEBIAN_FRONTEND=noninteractive
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ ninja-build python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*

ENV DS_BUILD_OPS=0 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python3 -m venv /opt/oscar
ENV PATH=/opt/oscar/bin:$PATH

WORKDIR /build
COPY constraints.txt ./
# Alone, so that a change of the code does not install it again.
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install -c constraints.txt torch
COPY pyproject.toml README.md LICENSE ./
COPY static_analysis static_analysis
COPY ir_pipeline ir_pipeline
COPY oscar oscar
COPY pretrain pretrain
COPY finetune finetune
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install -c constraints.txt .

RUN groupadd --gid 10001 oscar \
    && useradd --uid 10001 --gid 10001 --home-dir /tmp --no-create-home oscar \
    && install -d -o oscar -g oscar /sources /corpora /runs /cache
ENV HOME=/tmp XDG_CACHE_HOME=/cache PYTHONUNBUFFERED=1 \
    TORCH_EXTENSIONS_DIR=/cache/torch_extensions \
    TORCHINDUCTOR_CACHE_DIR=/cache/inductor \
    TRITON_CACHE_DIR=/cache/triton

USER 10001:10001
WORKDIR /runs
ENTRYPOINT ["oscar"]
CMD ["--help"]
