import { z } from 'zod'

/** Length and position in milliseconds; a stream has the largest length that 64 bits hold. */
interface LavalinkTrackInfo {
  readonly identifier: string
  readonly isSeekable: boolean
  readonly author: string
  readonly length: number
  readonly isStream: boolean
  readonly position: number
  readonly title: string
  readonly uri: string | null
  readonly sourceName: string
  readonly artworkUrl: string | null
  readonly isrc: string | null
}

export type JsonObject = Readonly<Record<string, unknown>>

/** A track as it goes over the wire. */
export interface TrackObject {
  readonly encoded: string
  readonly info: LavalinkTrackInfo
  readonly pluginInfo: JsonObject
  /** Data that the client attached; comes back in every event about the track. */
  readonly userData: JsonObject
}

type Severity = 'common' | 'suspicious' | 'fault'

/** Why a track did not load or play. */
export interface TrackException {
  readonly message: string | null
  readonly severity: Severity
  readonly cause: string
  readonly causeStackTrace: string
}

/** A token is base64; an identifier is a search, a URL or a source's name of a track. */
const MAX_TOKEN_CHARS = 32 * 1024
const MAX_IDENTIFIER_CHARS = 2048
const MAX_USER_DATA_BYTES = 16 * 1024

export const encodedSchema = z.string().min(1).max(MAX_TOKEN_CHARS)
export const identifierSchema = z.string().max(MAX_IDENTIFIER_CHARS)

export const userDataSchema = z
  .record(z.string(), z.unknown())
  .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= MAX_USER_DATA_BYTES, {
    message: `userData may have ${MAX_USER_DATA_BYTES / 1024} KiB at most`,
  })
