#!/usr/bin/env bash
# From a fresh clone to a page: set-up, build, serve.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash scripts/build/page.sh
exec node scripts/build/serve.mjs dist
