#!/usr/bin/env bash
# A short run of the built program, as its users run it. Usage: scripts/smoke.sh path/to/sprague
set -euo pipefail
sprague=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "smoke: $*" >&2
    exit 1
}

"$sprague" selftest
"$sprague" period kayles --json | grep -q '"period":12,"preperiod":71,"last_exception":70' || fail "Kayles' period"
"$sprague" period 0.16 | grep -Eq 'period +149459' || fail "the period of 0.16"

code=0
"$sprague" claim 0.156 --period 349 --preperiod 3478 >claim.txt || code=$?
[ "$code" = 1 ] && grep -q 'refuted at heap 3478' claim.txt || fail "the false claim"
"$sprague" claim 0.156 --period 349 --preperiod 3479 >claim.txt || fail "the true claim"

# A run that is stopped, gone on with and verified equals one that was not.
"$sprague" run 0.6 --to 200000 -o whole -q
"$sprague" run 0.6 --to 200000 -o stopped -q &
sleep 0.3
kill -TERM $! 2>/dev/null || true
wait $! || true
"$sprague" resume stopped -q
cmp whole/values.npy stopped/values.npy || fail "the resumed run differs"
"$sprague" verify stopped --recompute 0.01 || fail "the resumed run does not verify"

# A closed pipe is not an error.
"$sprague" values 0.77 --to 1e6 | head -1 >/dev/null || fail "a closed pipe"
code=0
"$sprague" period 0.7x7 2>/dev/null || code=$?
[ "$code" = 2 ] || fail "a bad game exits with $code"
echo "smoke: ok"
