import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { treeCpuSeconds } from '../process.ts'
import { pssMiB } from '../growth/service.ts'
import type { Installation } from '../../test/support/installation.ts'
import type { Stage } from './stage.ts'

const OVER_MS = 20_000
const BITS = 8

/** What is counted up, from which rates follow. */
interface Counts {
  readonly serviceCpu: number
  readonly nodeCpu: number
  readonly commands: number
  readonly redisBytes: number
  readonly commits: number
  readonly voiceBytes: number
}

/** What the installation needs while all players play and no one asks for anything. */
export async function printCosts({ installed }: Stage, players: number, guilds: number): Promise<void> {
  const redis = new Redis(installed.redisUrl)
  const postgres = new Client({ connectionString: installed.databaseUrl })
  await postgres.connect()
  try {
    const before = await count(installed, redis, postgres)
    await sleep(OVER_MS)
    const after = await count(installed, redis, postgres)
    const rate = (what: keyof Counts) => ((after[what] - before[what]) * 1000) / OVER_MS
    const { rows } = await postgres.query('SELECT pg_database_size(current_database()) AS bytes')
    const memory = valueOf(await redis.info('memory'), 'used_memory')
    const nodes = installed.nodes.reduce((sum, node) => sum + pssMiB(node.pid()), 0)
    for (const line of [
      `CPU of the services: ${(rate('serviceCpu') * 100).toFixed(1)} % of a core`,
      `CPU of the audio nodes: ${(rate('nodeCpu') * 100).toFixed(1)} % of a core; memory ${nodes.toFixed(0)} MiB`,
      `Redis: ${rate('commands').toFixed(0)} commands/s, ${(rate('redisBytes') / 1024).toFixed(0)} KiB/s, ` +
        `${(memory / 1024 ** 2).toFixed(0)} MiB (${(memory / guilds / 1024).toFixed(2)} KiB a guild)`,
      `PostgreSQL: ${rate('commits').toFixed(1)} transactions/s, ${(Number(rows[0].bytes) / 1024 ** 2).toFixed(0)} MiB`,
      `voice: ${((rate('voiceBytes') * BITS) / 1000 / players).toFixed(0)} kbit/s a player, without headers of IP and UDP`,
    ])
      console.log(`with ${players} players for ${OVER_MS / 1000} s: ${line}`)
  } finally {
    redis.disconnect()
    await postgres.end()
  }
}

async function count(installed: Installation, redis: Redis, postgres: Client): Promise<Counts> {
  const { rows } = await postgres.query('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()')
  const stats = await redis.info('stats')
  const { voice } = installed.sandbox
  const reports = await Promise.all(installed.venues.map(({ guild }) => voice.packets(guild.id, installed.bot.id)))
  return {
    serviceCpu: cpuOf(installed.services),
    nodeCpu: cpuOf(installed.nodes),
    commands: valueOf(stats, 'total_commands_processed'),
    redisBytes: valueOf(stats, 'total_net_input_bytes') + valueOf(stats, 'total_net_output_bytes'),
    commits: Number(rows[0].xact_commit),
    voiceBytes: reports.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function cpuOf(all: readonly { pid(): number }[]): number {
  return all.reduce((sum, one) => sum + treeCpuSeconds(one.pid()), 0)
}

/** Of what INFO answers. */
function valueOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? Number.NaN)
}
