import { Command, CommanderError } from 'commander'
import type { AdminContext, Json } from '../context.ts'
import { checkAudioNode, checkUdp } from '../doctor/audio-node.ts'
import { guarded, type Finding } from '../doctor/check.ts'
import { checkDiscord, checkPostgres, checkRedis } from '../doctor/network.ts'
import { checkServices } from '../doctor/services.ts'
import { checkSources, checkWays, checkYtDlp } from '../doctor/sources.ts'
import {
  checkDatabase,
  checkDisk,
  checkFolder,
  checkMemory,
  checkPort,
  checkTokenKey,
  readStoredFacts,
} from '../doctor/folders.ts'
import {
  checkBrowser,
  checkChildSandbox,
  checkFfmpeg,
  checkFonts,
  checkMachine,
  checkNode,
  checkRedisProgram,
} from '../doctor/programs.ts'

/** Answers everybody; whose machines do not matter, since nothing but the answer counts. */
const STUN_SERVER = 'stun.cloudflare.com:3478'

interface DoctorOptions extends Json {
  readonly node?: string
  readonly stun: string
}

const SIGNS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const

/** Looks at the machine and the folder, and says what to do. Changes nothing that is there. */
export function doctorCommand(context: AdminContext): Command {
  return new Command('doctor')
    .description(
      'check programs, music sources, disk, database, Redis, PostgreSQL, other services, clock and Discord, and suggest fixes',
    )
    .option('--node <url>', 'also check this Lavalink node, with LAVALINK_PASSWORD of the environment or .env')
    .option('--stun <host:port>', 'STUN server for the UDP check', STUN_SERVER)
    .action(async (options: DoctorOptions) => {
      const findings = await examine(context, options)
      const width = Math.max(...findings.map(({ name }) => name.length))
      const lines = findings.flatMap(({ name, verdict, found, advice }) => [
        `${SIGNS[verdict]}  ${name.padEnd(width)}  ${found}`,
        ...(advice ? [`${' '.repeat(width + 8)}→ ${advice}`] : []),
      ])
      context.show(options, findings, lines)
      const failed = findings.filter(({ verdict }) => verdict === 'fail').length
      if (failed === 0) return
      context.note(`${failed} of ${findings.length} checks failed.`)
      throw new CommanderError(1, 'doctor', 'checks failed')
    })
}

async function examine(context: AdminContext, { node, stun }: DoctorOptions): Promise<readonly Finding[]> {
  const config = context.config()
  const { audio, dataDir, database, redis, api, tokenKey, discord, sandbox, jobs } = config
  const isSandbox = sandbox.mode === 'on' || (sandbox.mode === 'auto' && discord.token === null)
  const stored = await readStoredFacts(dataDir, database.url !== null)
  const reached = await checkDiscord(discord.apiUrl, isSandbox, Date.now)
  return [
    checkNode(),
    checkMachine(),
    await guarded('ffmpeg', checkFfmpeg),
    await guarded('ffmpeg sandbox', () => checkChildSandbox(audio.childSandbox)),
    await guarded('redis-server', () => checkRedisProgram(redis.url)),
    await guarded('chromium', () => checkBrowser(jobs, context.searchPath())),
    checkFonts(),
    ...checkSources(config, stored),
    ...checkWays(config, stored),
    ...(await checkYtDlp(config)),
    checkMemory(),
    await guarded('data folder', () => checkFolder(dataDir)),
    await guarded('disk', () => checkDisk(dataDir)),
    await guarded('database', () => checkDatabase(dataDir)),
    await guarded('token key', () => checkTokenKey(dataDir, tokenKey)),
    await guarded('service', () => checkPort(dataDir, api.host, api.port)),
    ...(redis.url ? [await checkRedis(redis.url)] : []),
    ...(database.url ? [await checkPostgres(database.url)] : []),
    ...(await checkServices(config)),
    ...reached,
    // The sandbox needs nothing of the internet.
    ...(isSandbox && node === undefined ? [] : [await guarded('udp', () => checkUdp(stun))]),
    ...(node === undefined ? [] : await checkAudioNode(node, passwordFor(config))),
  ]
}

function passwordFor({ lavalink }: ReturnType<AdminContext['config']>): string {
  return lavalink.keys[0]?.secret ?? ''
}
