#!/usr/bin/env bash
# Sets sprague beside ogsolve 0.0.7 at equal N: user CPU seconds of whole processes, one thread, no search for periods.
# Usage: scripts/compare.sh [--quick] [--ogsolve-n N] [path/to/sprague] [GAME:N ...]
#   --quick        smaller N: all is done within a minute or so
#   --ogsolve-n N  ogsolve goes no further than N, where its full run would take hours: then times a heap are compared
# ogsolve is built once, outside the tree, for this CPU. Both must find the same nim-value of the last heap.
set -euo pipefail
export LC_ALL=C

version=0.0.7
full=(0.6:1e7 0.106:1e9 0.104:1e8 0.054:1e8 0.454:1e8 0.354:1e7 0.16:1e7 0.007:1e6)
short=(0.6:1e6 0.106:2e7 0.104:2e7 0.054:1e7 0.454:1e7 0.354:3e6 0.16:1e7 0.007:3e4)

fail() {
    echo "compare: $*" >&2
    exit 1
}

games=()
cap=
sprague=
while [ $# -gt 0 ]; do
    case $1 in
    --quick) full=("${short[@]}") ;;
    --ogsolve-n)
        [ $# -gt 1 ] || fail "--ogsolve-n needs a number"
        cap=$(printf %.0f "$2")
        shift
        ;;
    -*) fail "unknown option $1" ;;
    *:*) games+=("$1") ;;
    *) sprague=$1 ;;
    esac
    shift
done
[ ${#games[@]} -gt 0 ] || games=("${full[@]}")
sprague=${sprague:-$(dirname "$0")/../target/release/sprague}
[ -x "$sprague" ] || fail "no program $sprague: run cargo build --release, or say where sprague is"
sprague=$(realpath "$sprague")

home=${XDG_CACHE_HOME:-$HOME/.cache}/sprague-compare
ogsolve=$home/bin/ogsolve
if [ ! -x "$ogsolve" ]; then
    # Away from the tree, whose settings for cargo are not meant for it.
    (cd / && RUSTFLAGS="-C target-cpu=native" cargo install --root "$home" ogsolve --version "$version")
fi
"$ogsolve" --version | grep -qF " $version" || fail "$ogsolve is not version $version: remove it"

# Runs a command; its output is left in $output, its user CPU seconds in $seconds.
measure() {
    local TIMEFORMAT=%U
    seconds=$({ time "$@" >"$output" 2>"$output.err"; } 2>&1)
}
output=$(mktemp)
trap 'rm -f "$output" "$output.err"' EXIT

# Computes all heaps to N with sprague, and prints the value of the last.
last_value() {
    "$sprague" values "$1" --from "$2" --to "$2" --no-detect --threads 1 -q
}

# The faster of ogsolve's methods for a game, on a short run; one of them is hopeless for some games.
method_for() {
    local game=$1 n=$2 best= least= method
    for method in rc rc2; do
        if measure timeout 10 "$ogsolve" "$game" -n "$n" -m "$method" &&
            { [ -z "$least" ] || awk "BEGIN { exit !($seconds < $least) }"; }; then
            best=$method least=$seconds
        fi
    done
    [ -n "$best" ] || fail "ogsolve takes more than 10 s for $n heaps of $game: leave that game out"
    echo "$best"
}

grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs || true
echo "$("$sprague" --version), $("$ogsolve" --version), load $(cut -d' ' -f1-3 /proc/loadavg)"
echo
printf '%-8s %12s %11s %12s %7s %11s %8s\n' game N "sprague s" "ogsolve N" method "ogsolve s" ratio
capped=
for game_n in "${games[@]}"; do
    game=${game_n%%:*}
    n=$(printf %.0f "${game_n#*:}")
    their_n=$n
    if [ -n "$cap" ] && [ "$cap" -lt "$n" ]; then
        their_n=$cap capped=yes
    fi
    measure last_value "$game" "$n" || fail "$(cat "$output.err")"
    ours=$seconds
    value=$(last_value "$game" "$their_n")

    method=$(method_for "${game#0}" $((their_n < 4000000 ? their_n / 20 : 200000)))
    measure "$ogsolve" "${game#0}" -n "$their_n" -m "$method" || fail "$(cat "$output.err")"
    grep -q "nimber of $their_n: $value " "$output" || fail "$game: g($their_n) = $value, but $(head -1 "$output")"
    ratio=$(awk "BEGIN { printf \"%.1f\", ($seconds / $their_n) / ($ours / $n + 1e-15) }")
    printf '%-8s %12s %11s %12s %7s %11s %8s\n' "$game" "$n" "$ours" "$their_n" "$method" "$seconds" "$ratio"
done
if [ -n "$capped" ]; then
    echo
    echo "Where the two N differ, the ratio is that of the times a heap. The work of a heap may grow with N."
fi
