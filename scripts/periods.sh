#!/usr/bin/env bash
# Proves every published period (tests/data/solved.csv) and compares. Usage: scripts/periods.sh path/to/sprague
set -euo pipefail
sprague=$(realpath "$1")
cd "$(dirname "$0")/.."
wrong=0
while IFS=, read -r game period preperiod last _; do
    found=$("$sprague" period "$game" --json -q)
    if grep -q "\"period\":$period,\"preperiod\":$preperiod,\"last_exception\":$last," <<<"$found"; then
        echo "$game: period $period, preperiod $preperiod"
    else
        echo "$game: WRONG: $found"
        wrong=1
    fi
done < <(tail -n +2 tests/data/solved.csv)
exit $wrong
