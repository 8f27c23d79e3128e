import type { LoggedRequest } from '../../lib/request-log/request-log.ts'
import { NAMES } from './columns.ts'

const FIRST_BYTES = 16 * 1024
/** In UTF-8, of a unit of UTF-16. */
const MOST_BYTES_PER_CHAR = 3

/**
 * Requests that wait to be written, as lines of JSON in a block of memory outside the JavaScript heap. As objects, thousands of
 * them would each outlive the collections of short-lived ones, and bring on a full one every few seconds. A copy for a thread
 * is a copy of bytes.
 */
export class PackedRequests {
  readonly #projectIds: string[] = []
  #block = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  /** Of each request, in order. */
  get projectIds(): readonly string[] {
    return this.#projectIds
  }

  get count(): number {
    return this.#projectIds.length
  }

  add(request: LoggedRequest): void {
    const line = `${JSON.stringify(NAMES.map((name) => request[name]))}\n`
    const needed = this.#length + line.length * MOST_BYTES_PER_CHAR
    if (needed > this.#block.length) this.#grow(needed)
    this.#length += this.#block.write(line, this.#length)
    this.#projectIds.push(request.projectId)
  }

  /** A copy, for `unpackRequests`. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#block.subarray(0, this.#length))
  }

  #grow(needed: number): void {
    const block = Buffer.allocUnsafeSlow(Math.max(needed, this.#block.length * 2))
    this.#block.copy(block, 0, 0, this.#length)
    this.#block = block
  }
}

export function unpackRequests(bytes: Uint8Array): LoggedRequest[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n').slice(0, -1)
  return lines.map((line) => {
    const values = JSON.parse(line) as readonly unknown[]
    return Object.fromEntries(NAMES.map((name, i) => [name, values[i]])) as unknown as LoggedRequest
  })
}
