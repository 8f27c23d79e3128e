import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

// pm2 wants a named export from an ES module. The service owns voice connections, so it runs once, in fork mode:
// two copies would log the same bots in twice.
// A renderer opens strangers' pages: what has one of these in its name stays away from it, though the shell that starts
// pm2 may have it. jobs/main.ts takes no more than it needs out of `.env`.
const SECRETS = ['TOKEN', 'API_KEY', 'SERVICES_KEY', 'CLIENT_SECRET', 'PASSWORD', 'LAVALINK_', 'OTEL_']

const common = {
  // With the settings of Node.js that all ways of starting have.
  interpreter: './tools/node.sh',
  exec_mode: 'fork',
  instances: 1,
  // Each tells pm2 when it is ready, and main.ts ends itself when it is not after minutes.
  wait_ready: true,
  listen_timeout: 600_000,
  // Its Redis, renderer, browser and threads of sound are its own to end, and in that order.
  treekill: false,
  autorestart: true,
  max_restarts: 10,
  min_uptime: 5_000,
  exp_backoff_restart_delay: 200,
  merge_logs: true,
}

const file = join(import.meta.dirname, '.env')
// oxlint-disable-next-line no-restricted-properties -- pm2 reads this file, and hands its own environment on
const settings = { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env }

// Without one of these the node refuses to start, and pm2 would start it again and again.
const NODE_KEYS = ['LAVALINK_PASSWORD', 'LAVALINK_KEYS', 'LAVALINK_SERVICE_KEYS', 'AUDIO_NODE_PASSWORD']
const hasNodeKeys = NODE_KEYS.some((name) => (settings[name] ?? 'off') !== 'off' && settings[name] !== '')

const all = [
  {
    ...common,
    name: 'bandstand',
    script: 'main.ts',
    // Longer than the service needs to finish requests, leave its channels and save its players.
    kill_timeout: 12_000,
  },
  {
    // More screenshots and renders than the service's own renderer does; on other machines with REDIS_URL. As many of
    // them as wanted: `pm2 start ecosystem.config.js --only bandstand-worker`, `pm2 scale bandstand-worker 3`.
    ...common,
    name: 'bandstand-worker',
    script: 'jobs/main.ts',
    filter_env: SECRETS,
    // Longer than the longest job that it finishes before it ends.
    kill_timeout: 32_000,
  },
  {
    // The Lavalink node without a bot, for bots that run elsewhere, where it has a key for its clients:
    // `LAVALINK_PASSWORD=… pm2 start ecosystem.config.js --only bandstand-node`.
    ...common,
    name: 'bandstand-node',
    script: 'service/lavalink-node/main.ts',
    // The bot's token and the keys of the service are not its business.
    filter_env: ['DISCORD_', 'TOKEN_KEY', 'SERVICES_KEY'],
    // Longer than it needs to say goodbye to its clients and leave its channels.
    kill_timeout: 12_000,
  },
]

/** Those that can run with the settings that are there. */
export const apps = all.filter(({ name }) => name !== 'bandstand-node' || hasNodeKeys)
