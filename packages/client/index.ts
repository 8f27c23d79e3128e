import type { components } from './schema.d.ts'

export { createClient, type Bandstand, type ClientOptions } from './client.ts'
export { ApiError, ConnectionError, type ErrorCode } from './errors.ts'
export type { BandstandEvent, EventsOptions, EventStream, SocketClass } from './events.ts'
export type { RetryRules } from './retries.ts'
export type { components, paths } from './schema.d.ts'
export type { Answer, CallOptions, Init, PathOf, Verb } from './types.ts'

export type PlayerInfo = components['schemas']['PlayerInfo']
export type Track = components['schemas']['Track']
export type Job = components['schemas']['Job']
