#!/usr/bin/env bash
# Brings llama.cpp into .tools/llama, for tests with real inference: packages of Debian sid with the libraries they were
# built against, unpacked and not installed, so that nothing of the system changes and no root is needed.
#
# It needs apt, dpkg-deb and Debian's keys; apt checks the signatures. A second run finds the folder and does nothing.
# Whatever goes wrong is an error: a machine that cannot have it does not pass for one that has.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$PWD/.tools/llama"
packages=(
  llama.cpp-tools libllama0 libggml0
  libc6 libstdc++6 libgcc-s1 libgomp1 libssl3t64 zlib1g libzstd1
)

[ -x "$target/llama-server" ] && "$target/llama-server" --version && exit 0
if [ "$(dpkg --print-architecture)" != amd64 ]; then
  echo "llama.cpp is only set up for amd64" >&2
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/state/lists/partial "$work"/cache/archives/partial "$work"/root
touch "$work/status"
cat >"$work/sources.list" <<LIST
deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main
LIST
cat >"$work/apt.conf" <<CONF
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "-";
Dir::State "$work/state";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Sandbox::User "";
CONF
export APT_CONFIG="$work/apt.conf"
apt-get -q update
(cd "$work/cache" && apt-get -q download "${packages[@]}")
for package in "$work"/cache/*.deb; do dpkg-deb -x "$package" "$work/root"; done

# The system's own loader and libraries are older than what these programs need. The backend for any x86-64
# processor makes the same tokens on each of them.
cat >"$work/root/llama-server" <<'RUN'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
libraries="$here/usr/lib/x86_64-linux-gnu"
GGML_BACKEND_PATH=$(find "$libraries/ggml" -name libggml-cpu-x64.so)
export GGML_BACKEND_PATH
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries:$libraries/llama" \
  "$here/usr/bin/llama-server" "$@"
RUN
chmod +x "$work/root/llama-server"
"$work/root/llama-server" --version
mkdir -p "$(dirname "$target")"
rm -rf "$target"
mv "$work/root" "$target"
echo "llama.cpp is in .tools/llama"
