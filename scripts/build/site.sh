#!/usr/bin/env bash
# pkg/ and www/ -> dist/: the page, then what is made of its files.
set -euo pipefail
cd "$(dirname "$0")/../.."
node_modules/.bin/webpack --mode production
node scripts/build/offline.mjs dist
node scripts/build/pack.mjs dist
