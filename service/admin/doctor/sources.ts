import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  listSourceStates,
  SOURCE_STATE_WORDS,
  type SourceState,
  type SourceStatus,
} from '../../../bot/sources/source-state.ts'
import { OWN_SOURCES } from '../../../bot/sources/settings.ts'
import type { Config } from '../../../config.ts'
import type { SourceFailureRecord } from '../../../db/music/source-failures.ts'
import { waysOf } from '../../../bot/sources/youtube/schemas.ts'
import { withUnpacking } from '../../../bot/sources/youtube/unpacking.ts'
import { findProgram } from '../../../lib/workers/find-program.ts'
import { table } from '../words.ts'
import { versionOf } from '../yt-dlp-release.ts'
import { fail, ok, warn, type Finding } from './check.ts'

/** What the database says about the sources. */
export interface StoredFacts {
  /** Failures that the running service has met. */
  readonly failures: readonly SourceFailureRecord[]
  readonly hasRealBot: boolean
  /** Sources that operators turned off on the dashboard. */
  readonly off: readonly string[]
}

/** Whether only the sandbox's bot plays, which asks no site of music unless `MUSIC_SOURCES` names it. */
export function isSandboxAlone({ music, sandbox, discord }: Config, hasRealBot: boolean): boolean {
  const hasSandbox = sandbox.mode === 'on' || (sandbox.mode === 'auto' && discord.token === null && !hasRealBot)
  return music.areSourcesDefault && hasSandbox && !hasRealBot
}

/** Lists the sources as the running service has them. */
export function readSources(config: Config, { failures, hasRealBot, off }: StoredFacts): readonly SourceStatus[] {
  const { sources, places } = config.music
  const failureOf = (name: string) => failures.find((it) => it.name === name)?.failure ?? null
  const isAlone = isSandboxAlone(config, hasRealBot)
  const names = sources.filter((name) => !off.includes(name) && (!isAlone || OWN_SOURCES.has(name)))
  return listSourceStates({ names, youTube: places.youTube, unset: places.unset, failureOf })
}

/** Returns a table with one source a line, for a person. */
export function sourceLines(sources: readonly SourceStatus[]): readonly string[] {
  return table(
    ['plays from', 'state'],
    sources.map(({ title, state }) => [title, SOURCE_STATE_WORDS[state]]),
  )
}

export function checkSources(config: Config, stored: StoredFacts): readonly Finding[] {
  return readSources(config, stored).map(({ name, state }) => {
    const [called, found] = [`source ${name}`, SOURCE_STATE_WORDS[state]]
    const advice = ADVICE[state]
    if (advice === null) return ok(called, found)
    const since = stored.failures.find((it) => it.name === name)?.sinceMs
    return warn(called, since === undefined ? found : `${found} since ${new Date(since).toISOString()}`, advice)
  })
}

/** The ways to YouTube's audio, of which the first that did not fail at its last attempt is tried first. */
export function checkWays({ music }: Config, { failures }: StoredFacts): readonly Finding[] {
  const { clients, tokenProviderUrl, command, searchPath } = music.places.youTube
  if (!music.sources.includes('youtube')) return []
  const isMissing = { sabr: tokenProviderUrl === null, 'yt-dlp': findProgram(command, searchPath) === null }
  const ways = waysOf(clients).filter((way) => !(way in isMissing && isMissing[way as keyof typeof isMissing]))
  const failureOf = (way: string) => failures.find(({ name }) => name === `youtube ${way}`)?.failure ?? null
  const playing = ways.find((way) => failureOf(way) === null)
  const failed = ways.flatMap((way) => {
    const failure = failureOf(way)
    return failure === null ? [] : [`${way} ${SOURCE_STATE_WORDS[failure]}`]
  })
  const found = [playing ? `plays by ${playing}` : 'plays by none', ...failed].join('; ')
  if (playing) return [ok('youtube audio', found)]
  return [
    warn(
      'youtube audio',
      found,
      'Update yt-dlp: npm run admin -- source update yt-dlp. Or set YOUTUBE_TOKEN_PROVIDER_URL.',
    ),
  ]
}

/** Started as the service starts it. None where it is not wanted, or missing: the state of the source says that. */
export async function checkYtDlp({ dataDir, music }: Config): Promise<readonly Finding[]> {
  const { clients, command, searchPath, programFolder } = music.places.youTube
  if (!music.sources.includes('youtube') || !clients.includes('yt-dlp') || !existsSync(dataDir)) return []
  const program = findProgram(command, searchPath)
  const version = program && (await versionOf(program, programFolder))
  if (version) return [ok('yt-dlp', version)]
  if (!(await mayStart(programFolder))) {
    const found = `the file system of ${programFolder} forbids programs, so yt-dlp can't unpack itself there`
    return [fail('yt-dlp', found, 'Mount DATA_DIR without noexec.')]
  }
  if (!program) return []
  return [fail('yt-dlp', `${program} doesn't start`, 'Update it: npm run admin -- source update yt-dlp')]
}

/** Whether the system starts a program from where yt-dlp unpacks its own. */
function mayStart(programFolder: string): Promise<boolean> {
  return withUnpacking(programFolder, async ({ TMPDIR }) => {
    if (TMPDIR === undefined) return true
    const probe = join(TMPDIR, 'probe')
    await writeFile(probe, '#!/bin/sh\n', { mode: 0o700 })
    return promisify(execFile)(probe, { timeout: 10_000 }).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code !== 'EACCES',
    )
  })
}

const LEFT_OUT = 'Searches skip it until it recovers; the service retests it.'

const ADVICE: Readonly<Record<SourceState, string | null>> = {
  ready: null,
  off: null,
  needs_setting: null,
  needs_yt_dlp: 'Without yt-dlp, few videos play. Install it: npm run admin -- source update yt-dlp',
  refused: `${LEFT_OUT} If this continues, the site may block this machine as a bot. For YouTube, set YTDLP_COOKIES_FILE.`,
  unreachable: `${LEFT_OUT} If this continues, check whether this machine reaches the site.`,
  changed: `${LEFT_OUT} If this continues, update Bandstand. For YouTube, run: npm run admin -- source update yt-dlp`,
}
