import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createYtDlp } from '../../bot/sources/youtube/yt-dlp.ts'
import { withUnpacking } from '../../bot/sources/youtube/unpacking.ts'
import type { MusicSettings } from '../../bot/sources/settings.ts'
import type { Config } from '../../config.ts'
import { readBounded } from '../../lib/buffers.ts'
import { monotonicNow } from '../../lib/clock.ts'
import { Fault } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import { noopHooks } from '../../lib/telemetry-hooks.ts'
import { childEnv } from '../../lib/workers/child-process.ts'
import { createEgress, type Egress } from '../../upstream/egress/egress-guard.ts'
import { openUpstreamContext } from '../../upstream/http/context.ts'

const SUMS_BYTES = 256 * 1024
const PROGRAM_BYTES = 256 * 1024 * 1024
const DOWNLOAD_MS = 300_000
const TRIAL_WORDS = 'love song'

/** The program for a machine, by its name in a release; null if there is none that needs nothing else. */
export function assetFor(platform: string, arch: string, isMusl: boolean): string | null {
  if (platform === 'darwin') return 'yt-dlp_macos'
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) return null
  return `yt-dlp_${isMusl ? 'musllinux' : 'linux'}${arch === 'arm64' ? '_aarch64' : ''}`
}

interface Update {
  readonly path: string
  readonly version: string | null
  /** Hexadecimal digest, as the release lists it. */
  readonly sha256: string
  /** Path of the replaced version; null if there was none. */
  readonly former: string | null
}

interface UpdateOptions {
  readonly isTried: boolean
  /** `nightly` has repairs some days or weeks before `stable`. */
  readonly channel: 'stable' | 'nightly'
  /** Whether the present one stays if it is the newest, without a download. */
  readonly ifNew: boolean
}

/** Nightly builds have a repository of their own, beside that of the releases. */
const NIGHTLY = ['/yt-dlp/releases', '/yt-dlp-nightly-builds/releases'] as const

/**
 * Fetches the newest release, verifies it against the release's SHA2-256SUMS, and tries it with one search and one video
 * before it takes the place of the present one, which is kept beside it.
 * @throws {Fault} when any of that fails; then the present one stays.
 */
export async function updateYtDlp(config: Config, { isTried, channel, ifNew }: UpdateOptions): Promise<Update> {
  const { youTube } = config.music.places
  const asset = assetFor(process.platform, process.arch, isMusl())
  if (!asset) throw failed('yt-dlp has no build for this machine. Install it yourself and set YTDLP_PATH.')
  const { path, fresh } = filesIn(youTube.programFolder)
  const present = ifNew && existsSync(path) ? digestOf(readFileSync(path)) : null
  const releasesUrl = channel === 'nightly' ? youTube.releasesUrl.replace(...NIGHTLY) : youTube.releasesUrl
  const { bytes, sha256 } = await fetchVerified(config, { asset, present, base: `${releasesUrl}/latest/download` })
  if (!bytes) return { path, former: null, version: await versionOf(path, youTube.programFolder), sha256 }
  mkdirSync(youTube.programFolder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(fresh, bytes, { mode: 0o755 })
    if (isTried) await tryOut(config, { ...youTube, command: fresh })
    const version = await versionOf(fresh, youTube.programFolder)
    return { ...install(youTube.programFolder), version, sha256 }
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Puts the former one back, and keeps the present one as the former. @throws {Fault} if there is none. */
export async function rollBackYtDlp({ music }: Config): Promise<Pick<Update, 'path' | 'version'>> {
  const { programFolder } = music.places.youTube
  const { former, fresh } = filesIn(programFolder)
  if (!existsSync(former)) throw failed('There is no previous yt-dlp to go back to.')
  renameSync(former, fresh)
  const { path } = install(programFolder)
  return { path, version: await versionOf(path, programFolder) }
}

function filesIn(folder: string) {
  const path = join(folder, 'yt-dlp')
  return { path, former: `${path}.former`, fresh: `${path}.new` }
}

/** Each step leaves a program in place that works: the one that runs keeps its file. */
function install(folder: string): Pick<Update, 'path' | 'former'> {
  const { path, former, fresh } = filesIn(folder)
  const isFirst = !existsSync(path)
  if (!isFirst) renameSync(path, former)
  renameSync(fresh, path)
  return { path, former: isFirst ? null : former }
}

interface Wanted {
  readonly asset: string
  /** Digest of the one that need not be fetched again. */
  readonly present: string | null
  readonly base: string
}

/** @returns no bytes where the present one is the newest */
async function fetchVerified(
  { egress: { allowHosts } }: Config,
  { asset, present, base }: Wanted,
): Promise<{ readonly bytes: Buffer | null; readonly sha256: string }> {
  const egress = createEgress({ allowHosts })
  try {
    const sums = (await download(egress, `${base}/SHA2-256SUMS`, SUMS_BYTES)).toString('utf8')
    const lines = sums.split('\n').map((line) => line.trim().split(/\s+/))
    const listed = lines.find(([, name]) => name === asset || name === `*${asset}`)?.[0]?.toLowerCase()
    if (!listed || !/^[0-9a-f]{64}$/.test(listed))
      throw failed(`The latest release lists no checksum for ${asset}. Nothing changed.`)
    if (listed === present) return { bytes: null, sha256: listed }
    const bytes = await download(egress, `${base}/${asset}`, PROGRAM_BYTES)
    const sha256 = digestOf(bytes)
    if (sha256 === listed) return { bytes, sha256 }
    throw failed(
      `The download doesn't match the release: ${asset} has the SHA-256 ${sha256}, not ${listed}. Nothing changed.`,
    )
  } finally {
    await egress.close()
  }
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function download(egress: Egress, url: string, maxBytes: number): Promise<Buffer> {
  const { status, body } = await egress.open(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) })
  try {
    if (status !== 200) throw failed(`${url} returned the status ${status}.`)
    return await readBounded(body, maxBytes, () => failed(`${url} is larger than ${maxBytes} bytes.`))
  } catch (error) {
    throw error instanceof Fault ? error : failed(`The download of ${url} was cut off. Try again.`, error)
  } finally {
    body.destroy()
  }
}

/** The canary: a search, and what it found opened. */
async function tryOut({ utilities }: Config, youTube: MusicSettings['youTube']): Promise<void> {
  const calls = openUpstreamContext({
    settings: utilities,
    log: createLog('silent'),
    metrics: noopHooks,
    now: monotonicNow,
    date: Date.now,
  })
  try {
    const program = createYtDlp(calls.context, youTube)
    const [found] = await program.search(TRIAL_WORDS, 1, AbortSignal.timeout(DOWNLOAD_MS))
    if (!found) throw failed(`It found no results for "${TRIAL_WORDS}".`)
    await program.video?.(found.id, 'yt-dlp')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw failed(`The new yt-dlp failed its test against YouTube, so nothing changed. ${why}`)
  } finally {
    await calls.close()
  }
}

/** Null if it does not start. */
export async function versionOf(program: string, programFolder: string): Promise<string | null> {
  const { stdout } = await withUnpacking(programFolder, (env) =>
    promisify(execFile)(program, ['--version'], { timeout: 30_000, env: childEnv(env) }).catch(() => ({ stdout: '' })),
  )
  return stdout.trim().split('\n')[0] || null
}

function isMusl(): boolean {
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }
  return process.platform === 'linux' && header.glibcVersionRuntime === undefined
}

function failed(message: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause })
}
