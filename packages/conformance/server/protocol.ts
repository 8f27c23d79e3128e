import { basicMessage, message } from 'lavalink-protocol'
import { Schema } from 'effect'
import { z } from 'zod'
import { EVENT_TYPES, Message, Named } from './schemas.ts'

const OPS: ReadonlySet<string> = new Set(['ready', 'playerUpdate', 'stats'])
const isBasic = Schema.is(basicMessage)
const validateByLibrary = Schema.validateEither(message)

/** Faults of a message: by this suite's reading of the documentation, and by lavaclient's library. */
export interface Verdict {
  /** The op, or the type of an event. */
  readonly kind: string
  readonly documented: string | null
  readonly library: string | null
}

/** Events of plug-ins are theirs to define. */
export function judge(value: unknown): Verdict {
  const { data: named } = Named.safeParse(value)
  const own = named?.op === 'event' ? named.type : named?.op
  const kind = own !== undefined && (named?.op === 'event' || OPS.has(own)) ? own : 'unknown'
  if (named?.op === 'event' && !EVENT_TYPES.has(kind)) return { kind, documented: null, library: null }
  const parsed = Message.safeParse(value)
  return { kind, documented: parsed.success ? null : z.prettifyError(parsed.error), library: askLibrary(value) }
}

function askLibrary(value: unknown): string | null {
  if (!isBasic(value)) return 'The message has no op.'
  const result = validateByLibrary(value)
  return result._tag === 'Left' ? result.left.message : null
}
