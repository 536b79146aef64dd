# Shared by the scripts beside it: `. scripts/set-up/lib.sh` after `cd` to the repository root.

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }

# rustup's installer edits login profiles only; npm may run under a shell that read none of them.
if ! command -v cargo >/dev/null && [ -r "$HOME/.cargo/env" ]; then . "$HOME/.cargo/env"; fi

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo -n "$@"
  else say "this needs root or a sudo without password: $*"; return 1; fi
}

# $@: Debian packages. Waits for another apt to finish rather than fail.
apt_install() {
  command -v apt-get >/dev/null || { say "no apt-get here; please install by hand: $*"; return 1; }
  say "installing $*"
  as_root apt-get -o DPkg::Lock::Timeout=300 update -qq >/dev/null
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}
