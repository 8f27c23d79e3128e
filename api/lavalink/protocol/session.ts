import { z } from 'zod'

/** Seconds; a day is the longest that a session without a socket is kept. */
const MAX_TIMEOUT_S = 24 * 3600

/** The body of `PATCH /v4/sessions/{sessionId}`. */
export const sessionUpdateSchema = z.object({
  resuming: z.boolean().optional(),
  timeout: z.int().min(0).max(MAX_TIMEOUT_S).optional(),
})

export type SessionUpdate = z.infer<typeof sessionUpdateSchema>

export interface SessionObject {
  readonly resuming: boolean
  /** Seconds within which a lost socket may come back. */
  readonly timeout: number
}
