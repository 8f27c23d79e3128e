import type { components, paths } from './schema.d.ts'

/** The verbs of the API; the name of each is that of a method of the client. */
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The paths that know a verb. */
export type PathOf<V extends Verb> = {
  [P in keyof paths]: paths[P] extends { readonly [Name in Lowercase<V>]: object } ? P : never
}[keyof paths]

type Operation<V extends Verb, P extends PathOf<V>> = paths[P][Lowercase<V> & keyof paths[P]]

type Parameters<O> = O extends { readonly parameters: infer All } ? All : never

/** `{ path: … }`, `{ query?: … }`: as the operation declares it, nothing where it has none. */
type Inputs<Name extends 'path' | 'query', All> = All extends { readonly [N in Name]: infer Fields }
  ? { readonly [N in Name]: Fields }
  : All extends { readonly [N in Name]?: infer Fields }
    ? { readonly [N in Name]?: Exclude<Fields, undefined> }
    : unknown

export type File = Blob | ArrayBuffer | Uint8Array | FormData

type Body<Content> = 'multipart/form-data' extends keyof Content
  ? File
  : Content extends { readonly 'application/json': infer Json }
    ? Json
    : unknown

type WithBody<O> = O extends { readonly requestBody: { readonly content: infer Content } }
  ? { readonly body: Body<Content> }
  : O extends { readonly requestBody?: { readonly content: infer Content } }
    ? { readonly body?: Body<Content> }
    : unknown

/** The ways to read the body of an answer. */
export interface ReadAs {
  readonly json: unknown
  readonly text: string
  readonly blob: Blob
  readonly arrayBuffer: ArrayBuffer
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its waits included. */
  readonly signal?: AbortSignal
  /** The time limit of one attempt in milliseconds, its answer included. Defaults to that of the client. */
  readonly timeoutMs?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The idempotency key of a change, 1 to 255 characters; left out: one is made. The same call made again needs the same one. */
  readonly idempotencyKey?: string
}

export type Init<V extends Verb, P extends PathOf<V>, As extends keyof ReadAs = keyof ReadAs> = CallOptions & {
  /** Defaults to `json`. A picture comes as `arrayBuffer` or `blob`. */
  readonly as?: As
} & Inputs<'path', Parameters<Operation<V, P>>> &
  Inputs<'query', Parameters<Operation<V, P>>> &
  WithBody<Operation<V, P>>

/** The last argument of a call, which can be omitted if nothing in it is required. */
export type Last<I> = object extends I ? [init?: I] : [init: I]

type Success<Responses> = Responses[keyof Responses & (200 | 202)]

type JsonOf<O> = O extends { readonly responses: infer Responses }
  ? Success<Responses> extends { readonly content: { readonly 'application/json': infer Json } }
    ? Json
    : never
  : never

/** The body of an answer. */
export type Answer<V extends Verb, P extends PathOf<V>, As extends keyof ReadAs = 'json'> = As extends 'json'
  ? JsonOf<Operation<V, P>>
  : ReadAs[As]

/** Answers of lists that come in pages: `next` is the `cursor` of the page that follows. */
type InPages = { readonly next: string | null }

export type ListPath = { [P in PathOf<'GET'>]: Answer<'GET', P> extends InPages ? P : never }[PathOf<'GET'>]

type ItemOf<Data> = Data extends readonly (infer One)[]
  ? One
  : { [Name in keyof Data]: Data[Name] extends readonly (infer One)[] ? One : never }[keyof Data]

export type Item<P extends ListPath> = Answer<'GET', P> extends { readonly data: infer Data } ? ItemOf<Data> : never

export type ErrorBody = components['schemas']['Error']
