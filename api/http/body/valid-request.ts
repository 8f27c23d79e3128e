import type { Caller } from '../app-context.ts'
import type { ApiContext } from '../request-state.ts'
import { readFiles } from './upload.ts'

export interface ParsedInputs {
  readonly path: unknown
  readonly query: unknown
  readonly body: unknown
}

/** The part of a request that its handler sees. */
export class ValidRequest {
  readonly path: unknown
  readonly query: unknown
  readonly body: unknown
  readonly caller: Caller | null
  readonly requestId: string
  readonly #ctx: ApiContext

  constructor(ctx: ApiContext, { path, query, body }: ParsedInputs) {
    this.path = path
    this.query = query
    this.body = body
    this.caller = ctx.state.caller
    this.requestId = ctx.state.requestId
    this.#ctx = ctx
  }

  get signal(): AbortSignal {
    return this.#ctx.state.signal
  }

  accepts(...types: string[]): string | false {
    return this.#ctx.accepts(...types)
  }

  get(name: string): string {
    return this.#ctx.get(name)
  }

  set(name: string, value: string): void {
    this.#ctx.set(name, value)
  }

  async files(limitBytes: number, most: number): Promise<readonly Buffer[]> {
    const files = await readFiles(this.#ctx, limitBytes, most)
    await this.#ctx.state.onFiles?.(files)
    return files
  }
}
