import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import { TaskThread } from '../../../lib/workers/task-thread.ts'
import type { Subject } from '../../../lib/workers/quarantine.ts'
import type { Logger } from '../../../lib/log.ts'
import { currentProjectId, SERVICE } from '../../../lib/request-context.ts'
import { createFolderWatch } from './folder.ts'
import type { ReaderData, ReaderOutput, ReaderTask, ReaderTasks, TaskName } from './reader-protocol.ts'
import { programFile } from '../../../lib/installation.ts'

/** A thread that reads files and probes URLs. Starts with the first task, ends when idle, and is replaced after a hang or crash. */
export type Reader = ReturnType<typeof createReader>

interface ReaderOptions extends ReaderData {
  readonly log: Logger
  /** A thread without work ends after so long. Defaults to two minutes. */
  readonly idleMs?: number
}

/** A host that does not answer holds a place for up to ten seconds. */
const SHARE = { what: 'audio reads', total: 200, share: 50, maxWaiting: 100, maxWaitMs: 5000 }
/** A file that makes the parser take more than this is not music; the thread dies and the next task gets a new one. */
const HEAP_MB = 256
/** A thread takes 20 MiB; starting it again delays a search or a play by 0.3 s. */
const IDLE_MS = 120_000

export function createReader({ log, idleMs = IDLE_MS, ...data }: ReaderOptions) {
  const share = createFairShare(SHARE)
  let changed: (() => void) | null = null
  // Here, since it goes on while there is no thread.
  const watching = createFolderWatch(() => changed?.())
  const thread = new TaskThread<ReaderTask, ReaderOutput, ReaderData>({
    file: programFile('bot/sources/library/reader-worker'),
    name: 'reader',
    log,
    data,
    heapMb: HEAP_MB,
    idleMs,
    subjectOf,
    acquire: async ({ task }, signal) =>
      task === 'probe' || task === 'chapters' || task === 'feed'
        ? share.acquire(currentProjectId(), signal)
        : () => undefined,
    onReplaced: () => changed?.(),
  })
  return {
    /** @throws {Fault} as the task does and as `TaskThread.run` and `FairShare.acquire` do. */
    run: <T extends TaskName>(
      task: T,
      input: ReaderTasks[T]['input'],
      signal?: AbortSignal,
    ): Promise<ReaderTasks[T]['output']> => thread.run({ task, input } as ReaderTask, signal),
    /** Has changes in these folders told, not those in folders below them. Safe to repeat. */
    watch: (folders: readonly string[]): void => folders.forEach((path) => watching.add(path)),
    /** Something changed in a watched folder. Also fires when the thread is replaced. */
    onChanged: (listener: () => void) => {
      changed = listener
    },
    health: () => thread.health(),
    async close() {
      watching.close()
      await thread.close()
    },
  }
}

function subjectOf(task: ReaderTask): Subject | null {
  switch (task.task) {
    case 'readFile':
      return { identity: `${task.input.path} ${task.input.modifiedAtMs}` }
    case 'readPicture':
      return { identity: `picture ${task.input.path}` }
    case 'feed':
    case 'probe':
      return subjectAt(task.input.url)
    case 'chapters':
      return 'path' in task.input ? { identity: `chapters ${task.input.path}` } : subjectAt(task.input.url)
    case 'hlsWindow':
      return subjectAt(task.input.url)
    case 'walk':
      return null
  }
}

const MOST_OF_HOST = 3
/** Hosts are as free as addresses. */
const MOST_OF_PROJECT = 6

/** Limits a host for each project: files that one project names block it for no other. */
function subjectAt(url: string): Subject {
  const host = URL.parse(url)?.host
  const project = currentProjectId()
  return {
    identity: url,
    groups: [
      ...(host ? [{ id: `${project} ${host}`, what: `Files of ${host} have`, most: MOST_OF_HOST }] : []),
      ...(project !== SERVICE
        ? [{ id: project, what: 'Several files of this project have', most: MOST_OF_PROJECT }]
        : []),
    ],
  }
}
