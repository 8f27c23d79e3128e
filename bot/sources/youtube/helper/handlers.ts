import type { YoutubeRequest } from './protocol.ts'

/** A library that answers; what it cannot it throws. */
export type Answering = (ask: YoutubeRequest) => Promise<unknown>

/** YouTube's own words about what was asked for. */
export class Refused extends Error {}
