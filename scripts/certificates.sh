#!/usr/bin/env bash
# Proves every period of tests/data/solved.csv, and of each class of octal and hexadecimal codes in results/atlas.json that
# has a proven period and no game in that table, and writes the certificates into a directory that exists.
# With one kernel and one thread, the bytes are the same on every machine. (Which witnesses are found first, and so which
# windows a proof needs, may depend on both.)
# 0.106 is not among them: its certificate is written from a run of hours (sprague export DIR --certificate FILE).
# Usage: scripts/certificates.sh path/to/sprague DIR
set -euo pipefail
sprague=$(realpath "$1")
dir=$(realpath "$2")
cd "$(dirname "$0")/.."
games=$(
    python3 - <<'PYTHON'
import csv, json

with open("tests/data/solved.csv") as table:
    games = [row["code"].replace(".", "0.", 1) if row["code"].startswith(".") else row["code"]
             for row in csv.DictReader(table)]
published = set(games)
with open("results/atlas.json") as atlas:
    classes = json.load(atlas)["results"]
for found in classes:
    names = {found["game"], *(member["game"] for member in found["members"])}
    # A subtraction set has its period from a moment's computation: nothing is gained by writing it down.
    if found["period"] and not found["game"].startswith("sub") and names.isdisjoint(published):
        games.append(found["game"])
print("\n".join(games))
PYTHON
)
for game in $games; do
    "$sprague" period "$game" -q --kernel portable --threads 1 --certificate "$dir/$game.cert.json" >/dev/null
done
