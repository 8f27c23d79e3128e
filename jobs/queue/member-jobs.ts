import { Fault } from '../../lib/errors.ts'
import type { BlockPlayer } from '../../upstream/blockgame/players.ts'
import type { FigureOrder, Jobs } from './job-service.ts'
import type { JobRecord } from './job-record.ts'
import type { FigureRequest } from '../figures/figure-request.ts'
import type { ScreenshotRequest } from '../screenshots/page-requests.ts'

interface Wisher {
  readonly projectId: string
  readonly guildId: string
}
interface FigureOptions extends Wisher {
  readonly player: BlockPlayer
  readonly pose: FigureRequest['render']
}
interface ScreenshotOptions extends Wisher, Pick<ScreenshotRequest, 'url' | 'device' | 'fullpage'> {}

/** Sharp in a chat on any screen. */
const FIGURE_SCALE = 2
/** Discord keeps the place of an answer for a quarter of an hour; no member watches the chat for this long. */
const PATIENCE_MS = 60_000
/** Renders that all members of one guild may wait for at a time. */
const MOST_EACH = 3
/** Discord takes no larger files from a bot in a guild without boosts. */
const MOST_BYTES = 10 * 1024 * 1024

/** Renders as slash commands use them: asked for, waited for, and handed over as bytes. */
export function createRenders(jobs: Jobs) {
  const open = new Map<string, number>()

  const collect = async ({ projectId, guildId }: Wisher, ask: () => Promise<JobRecord>): Promise<Uint8Array> => {
    const running = open.get(guildId) ?? 0
    if (running >= MOST_EACH) {
      throw new Fault('rate_limited', 'This server already has a render running.', { retryAfterMs: 5000 })
    }
    open.set(guildId, running + 1)
    try {
      const { id } = await ask()
      const signal = new AbortController().signal
      return await contentOf(jobs, await jobs.wait(projectId, id, { timeoutMs: PATIENCE_MS, signal }))
    } finally {
      const left = (open.get(guildId) ?? 1) - 1
      if (left > 0) open.set(guildId, left)
      else open.delete(guildId)
    }
  }

  return {
    figure: (input: FigureOptions) => collect(input, () => jobs.figure(input.projectId, figureOf(input))),
    screenshot: (input: ScreenshotOptions) => {
      const { url, device, fullpage } = input
      return collect(input, () => jobs.screenshot(input.projectId, { url, device, fullpage }))
    },
  }
}

function figureOf({ player: { name, skin, cape, defaultSkin }, pose }: FigureOptions): FigureOrder {
  if (!skin && !defaultSkin) throw new Fault('not_found', `${name} has no stored skin.`)
  const worn = skin ? { url: skin.url } : { byDefault: defaultSkin ?? 'steve' }
  const dress = { skin: worn, model: skin?.model ?? null, capeUrl: cape?.url ?? null }
  return { name, request: { ...dress, render: pose, scale: FIGURE_SCALE }, named: {} }
}

async function contentOf(jobs: Jobs, job: JobRecord | null): Promise<Uint8Array> {
  if (job?.error) {
    const { code, message } = job.error
    throw new Fault(code === 'internal_error' ? 'service_unavailable' : code, message)
  }
  if (!job?.result) throw new Fault('timed_out', "The image isn't ready. Try again in a moment.")
  if (job.result.bytes > MOST_BYTES) throw new Fault('conflict', 'The image is too large for a message.')
  const body = await jobs.open(job.result, null)
  if (!body) throw new Fault('service_unavailable', 'The image has expired. Request it again.')
  return Buffer.concat(await body.toArray())
}
