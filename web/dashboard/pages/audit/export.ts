import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditEntry } from '../../../../db/people/audit.ts'
import { toCsv } from '../../http/csv.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import type { Outcome } from '../../http/route.ts'
import { detailText } from './details.ts'
import { filterOf, auditQuery } from './filter.ts'

/** A slice takes about a millisecond; other work comes between two. */
const PER_SLICE = 200
/** The newest; a filter reaches older ones. */
const MOST_EXPORTED = 100_000

const HEADS = ['at', 'who', 'action', 'target', 'detail', 'address']

export function exportCsv(request: ProjectRequest): Outcome {
  const body = Readable.from(csvOf(slices(request)))
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', body, name: 'audit.csv' }
}

export function exportJson(request: ProjectRequest): Outcome {
  const body = Readable.from(jsonOf(slices(request)))
  return { kind: 'file', contentType: 'application/json; charset=utf-8', body, name: 'audit.json' }
}

/** All entries that match the filters, on all pages. */
async function* slices(request: ProjectRequest): AsyncGenerator<readonly AuditEntry[]> {
  const query = auditQuery(request, filterOf(request))
  let left = MOST_EXPORTED
  for (let before: number | null | undefined; before !== null && left > 0;) {
    const { entries, next } = await request.context.audit.list({ ...query, before, limit: Math.min(PER_SLICE, left) })
    yield entries
    left -= entries.length
    before = next
    await nextTurn()
  }
}

async function* csvOf(all: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  yield toCsv([HEADS])
  for await (const entries of all) {
    yield toCsv(
      entries.map(({ atMs, who, action, target, detail, address }) => [
        new Date(atMs).toISOString(),
        who,
        action,
        target,
        detailText(detail),
        address,
      ]),
    )
  }
}

async function* jsonOf(all: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  let start = '['
  for await (const entries of all) {
    for (const { atMs, who, action, target, detail, address } of entries) {
      yield `${start}\n${JSON.stringify({ at: new Date(atMs).toISOString(), who, action, target, detail, address })}`
      start = ','
    }
  }
  yield start === '[' ? '[]\n' : '\n]\n'
}
