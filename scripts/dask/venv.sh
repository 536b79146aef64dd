#!/usr/bin/env bash
# Makes a private Python environment with Dask and prints the path of its interpreter. A second run takes a moment.
#
#   python=$(bash scripts/dask/venv.sh)      in target/dask, or in the folder given
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/set-up/lib.sh
folder=${1:-${CARGO_TARGET_DIR:-target}/dask}
want=$(cat scripts/dask/requirements.txt)
if [ "$(cat "$folder/.made-of" 2>/dev/null || true)" != "$want" ] || ! "$folder/bin/python" -c 'import distributed' 2>/dev/null; then
  python3 -c 'import ensurepip, venv' 2>/dev/null || apt_install python3 python3-venv
  say "installing $want in $folder"
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r scripts/dask/requirements.txt >&2
  echo "$want" >"$folder/.made-of"
fi
echo "$folder/bin/python"
