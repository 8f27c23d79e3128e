import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ADVICE, assertDecoderSandbox } from '../../../bot/audio/ffmpeg/decoder-sandbox.ts'
import { findBrowser } from '../../../jobs/browser/browser-profile.ts'
import type { JobSettings } from '../../../jobs/worker/settings.ts'
import { findServerProgram } from '../../../jobs/redis/embedded-redis.ts'
import { describeMachine, readMachine } from '../../../lib/process/machine.ts'
import { childEnv } from '../../../lib/workers/child-process.ts'
import { fail, ok, warn, type Finding } from './check.ts'

const BOUNDS = { timeout: 10_000, env: childEnv() }
const NODE_MAJOR = 24
const NOTO = ['/usr/share/fonts/truetype/noto', '/usr/share/fonts/noto']

/** The first line of what a program says of itself, or null if it cannot be started. */
async function firstLine(program: string, args: readonly string[]): Promise<string | null> {
  const run = promisify(execFile)(program, [...args], { ...BOUNDS, maxBuffer: 1024 * 1024 })
  const { stdout } = await run.catch(() => ({ stdout: '' }))
  return stdout.split('\n')[0]?.trim() || null
}

export function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= NODE_MAJOR) return ok('node', process.version)
  return fail('node', process.version, `Start Bandstand with npm start, which includes Node ${NODE_MAJOR}.`)
}

/** Describes the machine, which sets the size of several limits: see docs/operations.md. */
export function checkMachine(machine = readMachine()): Finding {
  return ok('machine', describeMachine(machine))
}

export async function checkFfmpeg(): Promise<Finding> {
  const version = await firstLine('ffmpeg', ['-hide_banner', '-version'])
  if (!version)
    return warn('ffmpeg', 'not installed', 'Without ffmpeg, only 48 kHz Opus plays. Install it: apt-get install ffmpeg')
  const encoders = promisify(execFile)('ffmpeg', ['-hide_banner', '-encoders'], BOUNDS)
  const { stdout } = await encoders.catch(() => ({ stdout: '' }))
  if (stdout.includes('libopus')) return ok('ffmpeg', version.split(' Copyright')[0] ?? version)
  return fail('ffmpeg', `${version}, without libopus`, 'Install a build with libopus, such as the one of Debian.')
}

/** Tried as an audio thread would use it. */
export async function checkChildSandbox(mode: 'auto' | 'off' | 'required'): Promise<Finding> {
  if (mode === 'off') return ok('ffmpeg sandbox', 'off (CHILD_SANDBOX)')
  try {
    await assertDecoderSandbox([])
    return ok('ffmpeg sandbox', 'no network, read-only access to programs and tracks')
  } catch (error) {
    const why = (((error as Error).cause as Error | undefined)?.message ?? String(error)).split('\n')[0] ?? ''
    return (mode === 'required' ? fail : warn)('ffmpeg sandbox', `unavailable: ${why}`, ADVICE)
  }
}

export async function checkRedisProgram(redisUrl: string | null): Promise<Finding> {
  if (redisUrl) return ok('redis-server', 'not needed: REDIS_URL is set')
  const program = await findServerProgram()
  if (program) return ok('redis-server', (await firstLine(program, ['--version'])) ?? program)
  const lost = 'Each restart resets the rate limits, and screenshots and figures fail with 503.'
  return warn('redis-server', 'not installed', `${lost} Install it (apt-get install redis-server) or set REDIS_URL.`)
}

/** The browser as a renderer would start it: one that is there may lack a library, or what its sandbox needs. */
export async function checkBrowser(
  { chromiumPath, chromiumSandbox }: Pick<JobSettings, 'chromiumPath' | 'chromiumSandbox'>,
  searchPath: string,
): Promise<Finding> {
  if (chromiumPath === 'none') return ok('chromium', 'off (CHROMIUM_PATH): no screenshots')
  const program = chromiumPath ?? findBrowser(searchPath)
  if (!program) {
    return warn(
      'chromium',
      'not installed',
      'Screenshots fail without it. Install it: apt-get install chromium-headless-shell',
    )
  }
  const version = await firstLine(program, ['--version'])
  if (!version) {
    const advice = 'Reinstall it (apt-get install chromium-headless-shell), or change CHROMIUM_PATH.'
    return fail('chromium', `${program} doesn't start`, advice)
  }
  const isBoxed = chromiumSandbox ?? process.getuid?.() !== 0
  if (await showsPage(program, isBoxed)) return ok('chromium', version)
  if (isBoxed && (await showsPage(program, false))) {
    const advice = 'Allow user namespaces on this machine. In a container, set CHROMIUM_SANDBOX=off.'
    return fail('chromium', `${version}; the system blocks its sandbox`, advice)
  }
  return fail(
    'chromium',
    `${version}; it doesn't render pages`,
    `To see why, run: ${program} --headless --dump-dom about:blank`,
  )
}

async function showsPage(program: string, isBoxed: boolean): Promise<boolean> {
  const profile = await mkdtemp(join(tmpdir(), 'bandstand-doctor-'))
  const options = ['--headless', '--disable-gpu', `--user-data-dir=${profile}`, ...(isBoxed ? [] : ['--no-sandbox'])]
  try {
    const page = ['--dump-dom', 'data:text/html,<p>it-works']
    const { stdout } = await promisify(execFile)(program, [...options, ...page], BOUNDS)
    return stdout.includes('it-works')
  } catch {
    return false
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

export function checkFonts(): Finding {
  if (NOTO.some((folder) => existsSync(folder))) return ok('fonts', 'Noto is installed')
  const advice = 'Install them: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji'
  return warn('fonts', 'Noto is missing: images lack the characters of many scripts', advice)
}
