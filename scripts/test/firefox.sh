#!/usr/bin/env bash
# Browser tests and the stored links, in Firefox ESR. This installs the browser and its driver, and builds the page where it is not built.
# `npm test` leaves it out for its time.
#
#   npm run test:firefox               all of them
#   npm run test:firefox -- why gpu    only these files of tests/e2e
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/set-up/lib.sh

# Files of tests/e2e that pass in both browsers.
tests=(
  compare sweep history charts why glance gpu kernel reuse placement placement-changes topology gallery learn lost share changed
  formats start page language measured papers robust
)

# The driver needs commands of WebDriver BiDi that Firefox 140 does not have. `apt_install` also brings a newer one.
oldest=153
installed=$(/usr/bin/firefox-esr --version 2>/dev/null | sed -nE 's/^[^0-9]*([0-9]+).*/\1/p' || true)
[ "${installed:-0}" -ge "$oldest" ] || apt_install firefox-esr
[ -d tests/firefox/node_modules ] || npm ci --prefix tests/firefox --ignore-scripts --no-audit --no-fund --loglevel=error
[ -f dist/index.html ] || npm run build
export BROWSER=firefox
[ $# = 0 ] || tests=("$@")
files=("${tests[@]/#/tests/e2e/}")
node --test --test-concurrency=1 --test-reporter=spec "${files[@]/%/.test.mjs}"
[ $# != 0 ] || node scripts/measure/links.mjs
