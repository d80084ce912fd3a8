#!/usr/bin/env bash
# Proves every period of tests/data/solved.csv and writes the certificates into a directory that exists.
# 0.106 is not among them: its certificate is written from a run of hours (sprague export DIR --certificate FILE).
# Usage: scripts/certificates.sh path/to/sprague DIR
set -euo pipefail
sprague=$(realpath "$1")
dir=$(realpath "$2")
cd "$(dirname "$0")/.."
while IFS=, read -r game _; do
    "$sprague" period "$game" -q --certificate "$dir/${game/#./0.}.cert.json" >/dev/null
done < <(tail -n +2 tests/data/solved.csv)
