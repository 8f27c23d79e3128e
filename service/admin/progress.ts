import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'
import { monotonicNow } from '../../lib/clock.ts'
import { Fault } from '../../lib/errors.ts'
import type { Streams } from './secret.ts'

export interface CountedTask {
  /** The activity, such as `Importing`. */
  readonly label: string
  /** The unit of the count, such as `verses`. */
  readonly unit: string
}

/** Reports progress. `total` may grow meanwhile. */
export type Report = (done: number, total: number) => void

/** Between two lines where standard error is not a terminal. */
const LINE_EVERY_MS = 5000

/**
 * Runs long work with a progress bar on standard error: in a terminal a bar with the time left, which is cleared at the
 * end; elsewhere a line each 5 s. Ctrl-C aborts the signal, so that the work can undo what it has begun; pressed again, it
 * ends the process at once.
 * @throws {Fault} `bad_request` after Ctrl-C, and what the work throws.
 */
export async function withProgress<T>(
  { stderr }: Pick<Streams, 'stderr'>,
  task: CountedTask,
  work: (report: Report, signal: AbortSignal) => Promise<T>,
  clock: { readonly now: () => number } = { now: monotonicNow },
): Promise<T> {
  const stopping = new AbortController()
  const cancel = () => stopping.abort(new Fault('bad_request', 'Cancelled.'))
  process.once('SIGINT', cancel)
  const view = isTerminal(stderr) ? bar(stderr, task) : lines(stderr, task, clock)
  try {
    return await work(view.report, stopping.signal)
  } catch (error) {
    // The reason for cancelling says more than the error of a cancelled library.
    throw stopping.signal.aborted ? stopping.signal.reason : error
  } finally {
    await view.stop()
    process.off('SIGINT', cancel)
  }
}

interface View {
  readonly report: Report
  stop(): Promise<void>
}

function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}

function bar(stream: Writable, { label, unit }: CountedTask): View {
  const shown = new SingleBar(
    {
      stream,
      format: `${label} [{bar}] {percentage}% · {value}/{total} ${unit} · {eta_formatted} left`,
      barsize: 24,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
    },
    Presets.rect,
  )
  shown.start(0, 0)
  return {
    report(done, total) {
      if (total !== shown.getTotal()) shown.setTotal(total)
      shown.update(done)
    },
    async stop() {
      shown.stop()
      // The cursor comes back before the process may end.
      if (stream.writableNeedDrain) await once(stream, 'drain')
    },
  }
}

function lines(stream: Writable, { label, unit }: CountedTask, { now }: { readonly now: () => number }): View {
  let lastMs = now()
  return {
    report(done, total) {
      if (now() - lastMs < LINE_EVERY_MS) return
      lastMs = now()
      const percent = total > 0 ? ` (${Math.floor((done / total) * 100)}%)` : ''
      stream.write(`${label}: ${done} of ${total} ${unit}${percent}\n`)
    },
    stop: async () => undefined,
  }
}
