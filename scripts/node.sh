#!/bin/sh
# Starts a program of Bandstand: `scripts/node.sh main.ts`. All ways of starting use it (npm, pm2, systemd, images), so that the
# settings of Node.js and of glibc are here alone. It becomes Node.js; no shell stays behind.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# Images have a Node.js of their own in place of the package.
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=node

# glibc otherwise keeps large buffers instead of giving them back to the system.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
# Node.js holds the compile cache for the life of a process, 20 MiB here. strip-types.mjs does for a start what the cache did.
export NODE_DISABLE_COMPILE_CACHE="${NODE_DISABLE_COMPILE_CACHE:-1}"
# The young generation of each thread may take 128 MiB otherwise. V8 keeps memory for each of its own threads, four by default.
# A collection of young objects takes less time alone than its thread waits for such helpers where processors are busy.
exec "$node" --max-semi-space-size=16 --v8-pool-size=2 --no-parallel-scavenge \
  --import "$root/scripts/setup/strip-types.mjs" --import "$root/scripts/setup/one-http-client.mjs" "$@"
