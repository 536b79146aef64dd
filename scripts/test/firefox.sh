#!/usr/bin/env bash
# The tests in Firefox. They install the browser and its driver, build the page where it is not built, and are not part of `npm test`,
# which would take a minute longer.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/set-up/lib.sh
[ -x /usr/bin/firefox-esr ] || apt_install firefox-esr
[ -d tests/firefox/node_modules ] || npm ci --prefix tests/firefox --ignore-scripts --no-audit --no-fund --loglevel=error
[ -f dist/index.html ] || npm run build
exec node --test --test-reporter=spec tests/firefox/firefox.test.mjs
