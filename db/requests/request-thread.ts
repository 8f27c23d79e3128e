import { unpackRequests } from './packed-requests.ts'
import {
  removeRequestLog,
  isUnusable,
  openRequestStore,
  type RequestBounds,
  type RequestStore,
} from './request-store.ts'
import type { LoggedRequest, RequestQuery } from '../../lib/request-log/request-log.ts'
import { serveTasks, threadData } from '../../lib/workers/serve-tasks.ts'

/** What the thread of the request log is asked to do. */
export type RequestTask =
  | { readonly task: 'add'; readonly packed: Uint8Array }
  | { readonly task: 'list'; readonly query: RequestQuery }
  | { readonly task: 'prune'; readonly projectIds: readonly string[]; readonly nowMs: number }
  | { readonly task: 'close' }

export interface RequestThreadData {
  readonly file: string
  readonly bounds: RequestBounds
}

/** The requests of `list`, the number removed by `prune`; null of the others. */
export type RequestOutput = readonly LoggedRequest[] | number | null

const { file, bounds } = threadData() as RequestThreadData
let open: RequestStore | null = null

function perform(store: RequestStore, task: RequestTask): RequestOutput {
  switch (task.task) {
    case 'add':
      store.add(unpackRequests(task.packed))
      return null
    case 'list':
      return store.list(task.query)
    case 'prune':
      return store.prune(task.projectIds, task.nowMs)
    case 'close':
      close()
      return null
  }
}

function close(): void {
  open?.close()
  open = null
}

serveTasks<RequestTask, RequestOutput>((task) => {
  try {
    return perform((open ??= openRequestStore(file, bounds)), task)
  } catch (error) {
    // The next task begins a new file.
    if (isUnusable(error)) {
      close()
      removeRequestLog(file)
    }
    throw error
  }
})
