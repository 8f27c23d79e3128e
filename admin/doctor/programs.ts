import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ADVICE, assertDecoderSandbox } from '../../bot/audio/ffmpeg/decoder-sandbox.ts'
import { findBrowser } from '../../jobs/browser/browser-profile.ts'
import type { JobSettings } from '../../jobs/worker/settings.ts'
import { findServerProgram } from '../../jobs/redis/embedded-redis.ts'
import { childEnv } from '../../lib/workers/child-process.ts'
import { fail, ok, warn, type Finding } from './check.ts'

const BOUNDS = { timeout: 10_000, env: childEnv() }
const NODE_MAJOR = 24
const NOTO = ['/usr/share/fonts/truetype/noto', '/usr/share/fonts/noto']

/** The first line of what a program says of itself, or null where it cannot be started. */
async function firstLine(program: string, args: readonly string[]): Promise<string | null> {
  const run = promisify(execFile)(program, [...args], { ...BOUNDS, maxBuffer: 1024 * 1024 })
  const { stdout } = await run.catch(() => ({ stdout: '' }))
  return stdout.split('\n')[0]?.trim() || null
}

export function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= NODE_MAJOR) return ok('node', process.version)
  return fail('node', process.version, `Start it by npm, which brings Node ${NODE_MAJOR} with it: npm start.`)
}

export async function checkFfmpeg(): Promise<Finding> {
  const version = await firstLine('ffmpeg', ['-hide_banner', '-version'])
  if (!version) return warn('ffmpeg', 'not installed', 'Only 48 kHz Opus plays. Install it: apt-get install ffmpeg.')
  const encoders = promisify(execFile)('ffmpeg', ['-hide_banner', '-encoders'], BOUNDS)
  const { stdout } = await encoders.catch(() => ({ stdout: '' }))
  if (stdout.includes('libopus')) return ok('ffmpeg', version.split(' Copyright')[0] ?? version)
  return fail('ffmpeg', `${version}, without libopus`, 'Install a build with libopus; the one of Debian has it.')
}

/** Tried as an audio thread would use it. */
export async function checkChildSandbox(mode: 'auto' | 'off' | 'required'): Promise<Finding> {
  if (mode === 'off') return ok('sandbox of ffmpeg', 'switched off by CHILD_SANDBOX')
  try {
    await assertDecoderSandbox([])
    return ok('sandbox of ffmpeg', 'no network, and a read-only view of programs and tracks')
  } catch (error) {
    const why = (((error as Error).cause as Error | undefined)?.message ?? String(error)).split('\n')[0] ?? ''
    return (mode === 'required' ? fail : warn)('sandbox of ffmpeg', `not available: ${why}`, ADVICE)
  }
}

export async function checkRedisProgram(redisUrl: string | null): Promise<Finding> {
  if (redisUrl) return ok('redis-server', 'not needed: REDIS_URL is set')
  const program = await findServerProgram()
  if (program) return ok('redis-server', (await firstLine(program, ['--version'])) ?? program)
  const lost = 'Limits are forgotten at every restart, and screenshots and figures answer 503.'
  return warn('redis-server', 'not installed', `${lost} Install it (apt-get install redis-server) or set REDIS_URL.`)
}

/** The browser as a renderer would start it: one that is there may lack a library, or what its sandbox needs. */
export async function checkBrowser(
  { chromiumPath, chromiumSandbox }: Pick<JobSettings, 'chromiumPath' | 'chromiumSandbox'>,
  searchPath: string,
): Promise<Finding> {
  if (chromiumPath === 'none') return ok('chromium', 'switched off by CHROMIUM_PATH: screenshots are refused')
  const program = chromiumPath ?? findBrowser(searchPath)
  if (!program) {
    return warn('chromium', 'not installed', 'No screenshots. Install it: apt-get install chromium-headless-shell.')
  }
  const version = await firstLine(program, ['--version'])
  if (!version) {
    const advice = 'Install it again (apt-get install chromium-headless-shell), or set CHROMIUM_PATH to another.'
    return fail('chromium', `${program} cannot be started`, advice)
  }
  const isBoxed = chromiumSandbox ?? process.getuid?.() !== 0
  if (await showsPage(program, isBoxed)) return ok('chromium', version)
  if (isBoxed && (await showsPage(program, false))) {
    const advice = 'Allow user namespaces on this machine; in a container, set CHROMIUM_SANDBOX=off.'
    return fail('chromium', `${version}, whose sandbox is refused by the system`, advice)
  }
  return fail(
    'chromium',
    `${version}, which shows no page`,
    `Run it to see why: ${program} --headless --dump-dom about:blank`,
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
  const advice = 'Install them: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji.'
  return warn('fonts', 'Noto is missing: pictures lack the letters of many scripts', advice)
}
