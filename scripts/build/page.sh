#!/usr/bin/env bash
# Sources -> dist/, ready for any sub-path of a static host.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash scripts/set-up/install.sh
bash scripts/build/wasm.sh
bash scripts/build/site.sh
