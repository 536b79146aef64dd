#!/usr/bin/env bash
# Development server: rebuilds the page on each change. The wasm is built once and not shrunk;
# after a change in src/ run `WASM_OPT=0 bash scripts/build/wasm.sh` beside it.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash scripts/set-up/install.sh
WASM_OPT=0 bash scripts/build/wasm.sh
exec node_modules/.bin/webpack serve --mode development
