#!/bin/sh
# Starts a program of Bandstand: `tools/node.sh main.ts` runs dist/main.js, built anew where a source is newer. All ways of starting
# use it (npm, pm2, systemd, images), so that the settings of Node.js and of glibc are here alone. It becomes Node.js; no shell stays.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# Images have a Node.js of their own in place of the package.
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=node

is_stale() (
  cd "$root" || exit
  [ -e dist/.built ] || exit 0
  folders='api bot db jobs lib packages service tools upstream web'
  # shellcheck disable=SC2086
  [ -n "$(find $folders main.ts config.ts -newer dist/.built \( -name '*.ts' -o -name build.mjs \) | head -n 1)" ]
)
if is_stale; then "$node" "$root/tools/build.mjs" || exit; fi

# Programs are named by their sources, with or without the folder.
for argument; do
  shift
  built=$root/dist/${argument#"$root/"}
  built=${built%.ts}.js
  [ "${argument%.ts}" != "$argument" ] && [ -f "$built" ] && argument=$built
  set -- "$@" "$argument"
done

# glibc otherwise keeps large buffers instead of giving them back to the system.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
# Node.js holds the compile cache for the life of a process, 20 MiB here, and a start from dist/ is as quick without.
export NODE_DISABLE_COMPILE_CACHE="${NODE_DISABLE_COMPILE_CACHE:-1}"
# The young generation of each thread may take 128 MiB otherwise. V8 keeps memory for each of its own threads, four by default.
# A collection of young objects takes less time alone than its thread waits for such helpers where processors are busy.
# Threads that share WebAssembly (llhttp, Opus) can free one compiled wrapper twice, on which V8 ends the process
# (nodejs/node#64500). Wrappers that are never compiled are never freed; the requests of a service cost the same.
exec "$node" --enable-source-maps --max-semi-space-size=16 --v8-pool-size=2 --no-parallel-scavenge \
  --wasm-wrapper-tiering-budget=1000000000 "$@"
