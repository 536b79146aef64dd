#!/usr/bin/env bash
# Sources -> release/: the site, the command for this machine, and their checksums. Equal sources and tools give equal bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(node -p 'require("./package.json").version')
host=$(rustc -vV | sed -n 's/^host: //p')
out=release
rm -rf "$out"
mkdir -p "$out"

# Neither times nor owners nor the order of a folder.
pack() { # $1: name without ending, $2: folder, others: what of it
  local name=$1 folder=$2
  shift 2
  tar --sort=name --mtime='UTC 2000-01-01' --owner=0 --group=0 --numeric-owner --mode='u+rw,go+r,go-w' \
    --format=ustar -C "$folder" -cf - "$@" | gzip -9n >"$out/$name.tar.gz"
}

npm run build
pack "warpscope-$version-site" . dist

# Paths of this machine would stand in the messages of a panic. RUSTFLAGS would replace those of .cargo/config.toml; these are added.
home=${CARGO_HOME:-$HOME/.cargo}
paths="target.'cfg(all())'.rustflags=['--remap-path-prefix=$home=cargo', '--remap-path-prefix=$PWD=.']"
CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/release-package" \
  cargo build --release --locked --package warpscope-cli --config "$paths"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
inside=warpscope-$version
mkdir "$folder/$inside"
cp "${CARGO_TARGET_DIR:-target}/release-package/release/warpscope" LICENSE-MIT LICENSE-APACHE CITATION.cff "$folder/$inside"
cp dist/docs/licences.html docs/terminal.md docs/cli.md "$folder/$inside"
pack "warpscope-$version-$host" "$folder" "$inside"

(cd "$out" && sha256sum -- *.tar.gz >SHA256SUMS && cat SHA256SUMS)
