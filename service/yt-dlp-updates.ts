import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Clock } from '../bot/player/timers.ts'
import { programFile } from '../lib/installation.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../lib/log.ts'
import { setNice } from '../lib/workers/child-process.ts'

interface UpdatesOptions {
  readonly music: Config['music']
  readonly clock: Clock
  readonly log: Logger
}

/** After the start, which it must not slow down. */
const FIRST_MS = 10_000
const PERIOD_MS = 86_400_000
/** A download of up to five minutes, and a test against YouTube. */
const TIMEOUT_MS = 900_000

/**
 * Looks for a new yt-dlp at the start and each day, by the operator's command in a process of its own: that verifies and tests
 * the new one, and leaves the present one in place if either fails.
 */
export function startYtDlpUpdates({ music, clock, log }: UpdatesOptions) {
  const { updates: channel, clients } = music.places.youTube
  const isOn = channel !== 'off' && music.sources.includes('youtube') && clients.includes('yt-dlp')
  const closing = new AbortController()
  let cancel = isOn ? clock.after(FIRST_MS, () => void update()) : () => undefined

  async function update(): Promise<void> {
    const args = [programFile('service/admin/main'), 'source', 'update', 'yt-dlp', '--if-new', '--channel', channel]
    try {
      const run = promisify(execFile)(process.execPath, [...args, '--json'], {
        timeout: TIMEOUT_MS,
        signal: closing.signal,
      })
      setNice(run.child.pid, 10)
      const { version } = JSON.parse((await run).stdout) as { readonly version: string | null }
      log.info({ version, channel }, 'yt-dlp is up to date')
    } catch (err) {
      if (!closing.signal.aborted) log.warn({ err, channel }, 'yt-dlp update failed')
    }
    if (!closing.signal.aborted) cancel = clock.after(PERIOD_MS, () => void update())
  }
  return {
    close(): void {
      closing.abort()
      cancel()
    },
  }
}
