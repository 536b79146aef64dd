#!/usr/bin/env bash
# Serves the page and rebuilds it in target/dev/ on each change of www/. The wasm is built once and not shrunk;
# after a change in src/ run `WASM_OPT=0 bash scripts/build/wasm.sh` beside it.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash scripts/set-up/install.sh
WASM_OPT=0 bash scripts/build/wasm.sh
mkdir -p target/dev
node scripts/build/serve.mjs target/dev &
trap 'kill $!' EXIT
node_modules/.bin/webpack watch --mode development
