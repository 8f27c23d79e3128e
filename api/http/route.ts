import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { Fault, type FaultCode, type Problem } from '../../lib/errors.ts'
import type { RouteClass } from '../../lib/plans.ts'
import { FileResponse } from './body/download.ts'
import { ValidRequest, type ParsedInputs } from './body/valid-request.ts'
import type { App, Caller } from './app-context.ts'
import type { Envelope } from './envelopes.ts'
import { readPath, readQuery, type RawValues } from './body/inputs.ts'
import type { ApiContext } from './request-state.ts'
import { Page } from '../schemas/pages.ts'
import { BytesResponse } from './response.ts'
import type { Tag } from '../docs/tags.ts'
import { withRequestField } from './fault-fields.ts'
import { inputMessage, problemsOf } from '../../lib/validation/problems.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type CallerOf<C extends RouteClass> = C extends 'open' ? null : Caller

/** The inputs of a request as they arrived; nothing is checked yet. */
interface RawInputs {
  readonly path: RawValues
  readonly query: RawValues
  readonly body: unknown
}

/** The request that a handler receives: every input is validated and has its own type. */
export interface RouteRequest<P, Q, B, C extends RouteClass> {
  readonly path: P
  readonly query: Q
  readonly body: B
  /** The class of the route decides what is known of the caller. */
  readonly caller: CallerOf<C>
  readonly requestId: string
  /** Aborts when the caller goes away or the service stops. */
  readonly signal: AbortSignal
  /** Like `ctx.accepts`: the caller's preferred content type of these; the first without a preference. */
  accepts(...types: string[]): string | false
  /** Returns a header of the request like `ctx.get`, empty if it was not sent. */
  get(name: string): string
  /** Sets a header of the answer like `ctx.set`. */
  set(name: string, value: string): void
  /**
   * Reads what a route with `upload` was sent, once: the body itself, or the files of a form.
   * @throws {Fault} a validation fault on `body`.
   */
  files(limitBytes: number, most: number): Promise<readonly Buffer[]>
}

/** Handlers may return what they hold read-only. */
type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Given<T[Key]> }
    : T

const nothing = z.object({})
const noBody = z.strictObject({})
/** The objects within are strict too: a field that the route does not know is refused at any depth. */
type JsonBody = z.ZodObject<z.core.$ZodLooseShape, z.core.$strict>
type Nothing = typeof nothing

/** A route as it is written in api/routes/. Routing, validation, metering and the OpenAPI document follow from it. */
interface RouteSpec<
  C extends RouteClass,
  D extends z.ZodType,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends JsonBody,
> {
  readonly summary: string
  /** Details beyond the summary, in Markdown's plainest form. */
  readonly description?: string
  readonly tag: Tag
  readonly class: C
  readonly envelope: Envelope
  /** Status of a success. Defaults to 200. */
  readonly status?: 200 | 202
  readonly path?: P
  readonly query?: Q
  /** Left out: a body is neither read nor looked at. */
  readonly body?: B
  /** The body is a file, or a form with files, which the handler reads when it can use them. */
  readonly upload?: boolean
  /** Returns a `Page`: `next` is beside `data`. */
  readonly isPaged?: boolean
  /** Types of what the handler may answer instead of JSON, as `BytesResponse`. */
  readonly produces?: readonly string[]
  /** The answer is a file of one of these types, a `FileResponse`; its `data` is null, in the example too. */
  readonly file?: readonly string[]
  readonly data: D
  /** One good input and its answer, for the reference. They are held against the schemas by a test. */
  readonly example: {
    readonly path?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: Given<z.input<B>>
    readonly data: Given<z.input<D>>
  }
  /**
   * Answers carry an `ETag`, so that an unchanged list costs a 304: a weak one of the answer's text, or a strong one that this
   * makes of what the handler returned.
   */
  readonly etag?: true | ((data: Given<z.input<D>>) => string)
  /** Whether asking twice does what asking once does. Defaults to true for GET, PUT and DELETE. */
  readonly idempotent?: boolean
  /** Faults of this route beyond those that its class and its inputs imply. */
  readonly faults?: readonly FaultCode[]
  /** Error code of a rejected input. Defaults to `validation_error`. */
  readonly invalid?: 'validation_error' | 'bad_request'
  readonly handle: Handler<D, P, Q, B, C>
  /** Answers a repetition, by its `Idempotency-Key`, whose own answer is too long to keep. */
  readonly reread?: Handler<D, P, Q, B, C>
}

type Handler<
  D extends z.ZodType,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends JsonBody,
  C extends RouteClass,
> = (request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>, C>, app: App) => Promise<Answer<D>> | Answer<D>

/** Handlers return what the envelope holds, a page of it, or what has no envelope. */
type Answer<D extends z.ZodType> = Given<z.input<D>> | Page<Given<z.input<D>>> | BytesResponse | FileResponse

/** A route with its types sealed in, so that all routes fit one list. */
export interface Route extends Omit<
  RouteSpec<RouteClass, z.ZodType, z.ZodObject, z.ZodObject, JsonBody>,
  'handle' | 'reread' | 'example' | 'etag'
> {
  /** The operation's name in generated clients; unique. */
  readonly id: string
  readonly method: Method
  /** The path in OpenAPI syntax: `/v1/music/guilds/{guildId}/play`. */
  readonly url: string
  readonly etag?: true | ((data: never) => string)
  readonly example: RouteSpec<RouteClass, z.ZodAny, z.ZodObject, z.ZodObject, JsonBody>['example']
  /** @throws {Fault} with every problem of the inputs at once. */
  parse(inputs: RawInputs): ParsedInputs
  /** Validates, handles, and gives the data that goes into the envelope. */
  run(ctx: ApiContext, app: App): Promise<unknown>
  /** The same for a repetition of what was done; null where only a kept answer can say what that was. */
  readonly runAgain: ((ctx: ApiContext, app: App) => Promise<unknown>) | null
}

/**
 * Declares one route.
 * @param id the operation's name in generated clients; unique.
 * @param at its method and URL: `POST /v1/music/guilds/{guildId}/play`.
 * @throws {Error} at import when `url` and `path` name different parameters.
 */
export function route<
  const C extends RouteClass,
  D extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends JsonBody = typeof noBody,
>(id: string, at: `${Method} /${string}`, spec: RouteSpec<C, D, P, Q, B>): Route {
  const { handle, reread, ...rest } = spec
  const [method, url] = at.split(' ') as [Method, string]
  assertSameNames(url, spec.path)
  const parse = inputParser(spec)
  const runWith = async (ctx: ApiContext, app: App, handler: typeof handle): Promise<unknown> => {
    const inputs = parse(rawInputs(ctx, spec))
    const valid: unknown = new ValidRequest(ctx, inputs)
    try {
      // The pipeline admits no caller that the class does not allow, which types cannot say.
      const data = await handler(valid as RouteRequest<z.output<P>, z.output<Q>, z.output<B>, C>, app)
      if (app.checkAnswers && !(data instanceof BytesResponse || data instanceof FileResponse)) {
        assertShape({ id, ...spec }, data instanceof Page ? data.items : data)
      }
      return data
    } catch (thrown) {
      throw withRequestField(thrown, inputs)
    }
  }
  return {
    ...rest,
    id,
    method,
    url,
    parse,
    run: (ctx, app) => runWith(ctx, app, handle),
    runAgain: reread ? (ctx, app) => runWith(ctx, app, reread) : null,
  }
}

/** A refusal names this many unknown fields of an object, and this much of each name. */

type Inputs = Pick<RouteSpec<RouteClass, z.ZodType, z.ZodObject, z.ZodObject, JsonBody>, 'path' | 'query' | 'body'> & {
  readonly invalid?: RouteSpec<RouteClass, z.ZodType, z.ZodObject, z.ZodObject, JsonBody>['invalid']
}

/** The path's values are read from `ctx.captures`, for in `ctx.params` bad encoding passes for a value. */
export function rawInputs(ctx: ApiContext, { path: declared }: Pick<Route, 'path'>): RawInputs {
  const names = Object.keys(declared?.shape ?? {})
  const path = readPath(names, (ctx['captures'] ?? []) as readonly string[])
  const { body = {} } = ctx.request
  return { path, query: readQuery(ctx.querystring), body }
}

function inputParser(spec: Inputs): (inputs: RawInputs) => ParsedInputs {
  // One object for all inputs, so that the path of an issue reads `body.query`, as the error format wants it.
  const inputs = z.object({
    path: spec.path ?? nothing,
    query: spec.query ?? nothing,
    body: spec.body ?? z.unknown(),
  })
  const declared = new Set([
    ...Object.keys(spec.path?.shape ?? {}).map((name) => `path.${name}`),
    ...Object.keys(spec.query?.shape ?? {}).map((name) => `query.${name}`),
  ])
  return ({ path, query, body }) => {
    const parsed = inputs.safeParse({ path: path.values, query: query.values, body }, { error: inputMessage })
    const garbled = path.faulty || query.faulty ? problemsOfReading(path, query, declared) : []
    if (parsed.success && garbled.length === 0) return parsed.data
    const known = new Set(garbled.map(({ field }) => field))
    const issues = (parsed.error?.issues ?? []).flatMap(problemsOf)
    throw invalidInput(spec.invalid ?? 'validation_error', [
      ...garbled,
      ...issues.filter(({ field }) => !known.has(field)),
    ])
  }
}

/** Problems found before any schema looked, for the parameters that the route declares. */
function problemsOfReading(path: RawValues, query: RawValues, declared: ReadonlySet<string>): Problem[] {
  const problems = [
    ...[...(path.faulty ?? [])].map(([name, message]) => ({ field: `path.${name}`, message })),
    ...[...(query.faulty ?? [])].map(([name, message]) => ({ field: `query.${name}`, message })),
  ]
  return problems.filter(({ field }) => declared.has(field))
}

export function invalidInput(code: 'validation_error' | 'bad_request', details: readonly Problem[]): Fault {
  const [first] = details
  const more = details.length > 1 ? ` See details for ${details.length - 1} more.` : ''
  return new Fault(code, first ? `${first.field}: ${first.message}${more}` : "The request isn't valid.", { details })
}

function assertShape(spec: { readonly id: string; readonly data: z.ZodType }, data: unknown): void {
  const parsed = spec.data.safeParse(data)
  if (!parsed.success) throw new Error(`${spec.id} returns fields that it doesn't declare: ${parsed.error.message}`)
  // A schema strips what it does not know, so a field too many shows as a difference.
  if (!isDeepStrictEqual(parsed.data, data)) throw new Error(`${spec.id} returns fields that it doesn't declare.`)
}

function assertSameNames(url: string, path: z.ZodObject | undefined): void {
  const inUrl = parameterNames(url).join()
  const declared = Object.keys(path?.shape ?? {}).join()
  if (inUrl !== declared) throw new Error(`${url} names (${inUrl}) but its path declares (${declared})`)
}

/** The names of a url's parameters in order. */
function parameterNames(url: string): string[] {
  return [...url.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}
