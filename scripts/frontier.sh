#!/usr/bin/env bash
# Takes open games further: each has a run directory in DIR, which is made or gone on with, in bounded memory; then
# prints a table of how far all of them have come. Ctrl-C stops; the same command goes on.
# Usage: scripts/frontier.sh path/to/sprague DIR N [GAME ...]
set -euo pipefail
sprague=$(realpath "$1")
dir=$2
to=$3
shift 3
games=("$@")
[ ${#games[@]} -gt 0 ] || games=(0.167 0.174 0.205 0.245 0.324 0.166 0.374 0.015 0.207 4.045 4.044 4.324 4.367 4.404 0.774)
mkdir -p "$dir"
for game in "${games[@]}"; do
    how=(run "$game" --to "$to" --values none -o "$dir/$game")
    [ ! -e "$dir/$game/manifest.json" ] || how=(resume "$dir/$game" --to "$to")
    # A run that needs a value beyond its memory stops, and saves what it has: the table says how far it came.
    "$sprague" "${how[@]}" --threads 1 -q >&2 || echo "frontier: $game stopped early" >&2
done
python3 - "$dir" "$sprague" <<'PYTHON'
import json, os, subprocess, sys

directory, sprague = sys.argv[1:]
print("| game | heaps | largest | at | rares | last rare | mask | excluded: period up to | preperiod up to | M values/s |")
print("|---|---|---|---|---|---|---|---|---|---|")
for game in sorted(os.listdir(directory)):
    info = json.loads(subprocess.check_output([sprague, "info", os.path.join(directory, game), "--json"]))
    if info["period"]:
        sys.exit(f"{game} has a period: {info['period']}")
    excluded = info["excluded"] or {"max_period": 0, "max_preperiod": 0}
    speed = info["done"] / info["seconds"] / 1e6
    mask = f"{info['mask']} {info['mask_type']}" if info["mask"] else ""
    last = info["rare"][-1] if info["rare"] else ""
    print(f"| {game} | {info['done']} | {info['max_value']} | {info['max_at']} | {len(info['rare'])} | {last} | {mask} "
          f"| {excluded['max_period']} | {excluded['max_preperiod']} | {speed:.1f} |")
PYTHON
