import type { GatewayEntry, RecordEntry, RequestEntry, VoiceEntry } from '../record/entries.ts'
import type { RecordFilter, RecordFound, RecordSearch } from '../record/search.ts'
import { pathOf, type Transport } from './transport.ts'

const WITHIN_MS = 5000
const SHOWN_MAX = 15

type Of<K extends RecordEntry['kind']> = Extract<RecordEntry, { kind: K }>
type RequestFilter = Omit<
  RecordFilter,
  'kind' | 'direction' | 'op' | 'event' | 'code' | 'guildId' | 'channelId' | 'userId'
>
type GatewayFilter = Omit<
  RecordFilter,
  'kind' | 'method' | 'path' | 'status' | 'reason' | 'response' | 'guildId' | 'channelId' | 'userId'
>
type VoiceFilter = Omit<
  RecordFilter,
  'kind' | 'method' | 'path' | 'status' | 'reason' | 'response' | 'direction' | 'applicationId'
>

/** Further conditions of an expectation besides its filter. */
export interface Expecting<E> {
  /** Timeout; 5 s by default. */
  readonly withinMs?: number
  /** At least so many; 1 by default. */
  readonly times?: number
  /** Condition that the filter cannot express. */
  readonly where?: (entry: E) => boolean
}

/** An expectation of a bot that was not met. The message lists what the bot did instead. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError'
}

/** The record of what bots sent and got, to search and to make assertions on. */
export type RecordClient = ReturnType<typeof createRecordClient>

/** @param patienceMs how long expectations wait where they do not say it themselves. */
export function createRecordClient(transport: Transport, patienceMs = WITHIN_MS) {
  const search = (body: RecordSearch = {}) =>
    transport.call<RecordFound>('POST', '/record/search', { body, waitMs: body.waitMs })

  async function expectAll<K extends RecordEntry['kind']>(
    filter: RecordFilter & { readonly kind: K },
    { withinMs = patienceMs, times = 1, where = () => true }: Expecting<Of<K>> = {},
  ): Promise<readonly Of<K>[]> {
    const deadlineMs = performance.now() + withinMs
    for (let seen = 0; ;) {
      const waitMs = Math.max(0, Math.ceil(deadlineMs - performance.now()))
      const { entries } = await search({
        ...filter,
        limit: 1000,
        count: Math.min(1000, Math.max(times, seen + 1)),
        waitMs,
      })
      const found = (entries as readonly Of<K>[]).filter(where)
      if (found.length >= times) return found
      if (waitMs === 0 || entries.length >= 1000)
        throw new ExpectationError(await explain(filter, { times, found, withinMs }))
      seen = entries.length
    }
  }

  async function explain(
    filter: RecordFilter,
    { times, found, withinMs }: { times: number; found: readonly RecordEntry[]; withinMs: number },
  ): Promise<string> {
    const { entries } = await search({ kind: filter.kind, limit: SHOWN_MAX })
    const { kind, ...rest } = filter
    const wanted = `Expected ${times === 1 ? '' : `${times} times `}${kind} ${JSON.stringify(rest)} within ${withinMs} ms`
    const instead =
      entries.length === 0 ? 'nothing of this kind is recorded' : `the last of this kind:\n${list(entries)}`
    return `${wanted}, found ${found.length}; ${instead}`
  }

  return {
    search,
    requests: async (filter: RequestFilter = {}) =>
      (await search({ ...filter, kind: 'request', limit: 1000 })).entries as RequestEntry[],
    /** Waits for a request, as it may still come. @throws {ExpectationError} @returns the first, or all with `times`. */
    expectRequest: (filter: RequestFilter, options?: Expecting<RequestEntry>) =>
      first(expectAll({ ...filter, kind: 'request' }, options)),
    expectRequests: (filter: RequestFilter, options?: Expecting<RequestEntry>) =>
      expectAll({ ...filter, kind: 'request' }, options),
    /** Watches for a while that no such request comes, and that none is there already. */
    async expectNoRequest(filter: RequestFilter, { withinMs = 200 }: { readonly withinMs?: number } = {}) {
      const { entries } = await search({ ...filter, kind: 'request', waitMs: withinMs })
      if (entries.length > 0)
        throw new ExpectationError(`Expected no request ${JSON.stringify(filter)}:\n${list(entries)}`)
    },
    expectGateway: (filter: GatewayFilter, options?: Expecting<GatewayEntry>) =>
      first(expectAll({ ...filter, kind: 'gateway' }, options)),
    expectVoice: (filter: VoiceFilter, options?: Expecting<VoiceEntry>) =>
      first(expectAll({ ...filter, kind: 'voice' }, options)),
    clear: () => transport.call('DELETE', pathOf`/record`),
  }
}

const first = async <E>(entries: Promise<readonly E[]>): Promise<E> => (await entries)[0] as E

const list = (entries: readonly RecordEntry[]) => entries.map((entry) => `  ${describe(entry)}`).join('\n')

function describe(entry: RecordEntry): string {
  if (entry.kind === 'request') return `${entry.method} ${entry.path} → ${entry.status ?? 'no response'}`
  if (entry.kind === 'voice') return `${entry.event} ${entry.userId} in ${entry.channelId}`
  if (entry.direction === 'closed') return `closed with ${entry.code}`
  return `${entry.direction} op ${entry.op}${entry.event === null ? '' : ` ${entry.event}`}`
}
