#!/bin/bash
# sbatch pretrain/configs/slurm.sh CORPUS RUN: four nodes; put in the queue again when pre-empted.
#SBATCH --job-name=oscar-pretrain
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=64
#SBATCH --time=24:00:00
#SBATCH --requeue
# Time enough before the end for the step at hand and its checkpoint.
#SBATCH --signal=TERM@300
set -euo pipefail

first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun \
    --nnodes "$SLURM_NNODES" --nproc-per-node 8 \
    --rdzv-backend c10d --rdzv-endpoint "$first:29500" --rdzv-id "$SLURM_JOB_ID" \
    -m pretrain "$1" --out "$2" --config pretrain/configs/nodes.json
