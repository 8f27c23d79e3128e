import { spawnSync } from 'node:child_process'

/** Redis comes with the set-up on Debian; elsewhere it may be missing, and its tests say so by skipping. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}
