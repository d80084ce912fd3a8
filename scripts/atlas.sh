#!/usr/bin/env bash
# Makes results/atlas.json, results/atlas.md and results/misere.md anew, to the same bytes on every machine.
# Usage: scripts/atlas.sh path/to/sprague [directory to work in, where an interrupted run is gone on with]
set -euo pipefail
sprague=$(realpath "$1")
work=${2:-}
cd "$(dirname "$0")/.."
if [ -z "$work" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

[ -e "$work/normal/plan.json" ] || "$sprague" census plan -o "$work/normal"
[ -e "$work/misere/plan.json" ] || "$sprague" census plan --misere -o "$work/misere"
"$sprague" census run "$work/normal"
"$sprague" census run "$work/misere"
"$sprague" census merge "$work/normal" -o results/atlas.json --table results/atlas.md --literature tests/data
"$sprague" census merge "$work/misere" -o "$work/misere.json" --table results/misere.md --literature tests/data
