#!/usr/bin/env bash
# Makes a bare machine ready; a second run finds everything done and takes a moment.
#
#   scripts/set-up/install.sh            what building needs: Rust, a C linker, the packages of npm, the wasm target
#   scripts/set-up/install.sh packages   only node_modules
#   scripts/set-up/install.sh wasm       only the wasm target
#   scripts/set-up/install.sh browser    only Chromium, for the browser tests
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/set-up/lib.sh

rust() {
  command -v cargo >/dev/null || { say "Rust is missing: install it with rustup, then try again"; exit 1; }
  # rustc links host programs (build scripts, the bindgen tool) with the system's C compiler.
  command -v cc >/dev/null || apt_install gcc libc6-dev
}

packages() {
  [ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" = true ] || {
    say "Node 20 or newer is needed, this is $(node -v)"; exit 1; }
  local want
  want=$(node -p 'require("node:crypto").createHash("sha256").update(require("node:fs").readFileSync("package-lock.json")).digest("hex")')
  [ "$(cat node_modules/.lockfile-hash 2>/dev/null || true)" = "$want" ] && return 0
  say "npm ci"
  npm ci --no-audit --no-fund --loglevel=error </dev/null
  echo "$want" >node_modules/.lockfile-hash
}

browser() { # the headless shell runs the tests in two thirds of the time of the whole browser
  [ -n "${CHROMIUM:-}" ] || [ -x /usr/bin/chromium-headless-shell ] || apt_install chromium-headless-shell ||
    [ -x /usr/bin/chromium ] || apt_install chromium
}

case "${1:-all}" in
  all) rust; packages; bash scripts/set-up/wasm-cargo.sh setup ;;
  packages) packages ;;
  wasm) rust; bash scripts/set-up/wasm-cargo.sh setup ;;
  browser) browser ;;
  *) say "unknown part: $1"; exit 2 ;;
esac
