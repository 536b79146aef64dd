#!/usr/bin/env bash
# pkg/, www/ and docs/ -> dist/: the page, its documentation, then what is made of their files.
set -euo pipefail
cd "$(dirname "$0")/../.."
node_modules/.bin/webpack --mode production
node scripts/docs/site.mjs dist
node scripts/build/offline.mjs dist
node scripts/build/pack.mjs dist
