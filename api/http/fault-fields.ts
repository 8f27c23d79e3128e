import { Fault, type FaultReason } from '../../lib/errors.ts'

const TRACK = ['body.query', 'body.track.encoded', 'query.encoded'] as const

/** The request field that a reason is about: of several, the one that the request gives, else the first. */
const FIELDS: Partial<Record<FaultReason, readonly [string, ...string[]]>> = {
  channel_not_joinable: ['body.channelId'],
  unplayable: TRACK,
  source_off: TRACK,
  nothing_found: TRACK,
  private: TRACK,
  region: TRACK,
  age: TRACK,
  episode: TRACK,
  address_refused: ['body.query', 'body.track.encoded', 'query.url', 'body.url', 'path.address'],
  no_such_position: ['path.position', 'body.from', 'body.positionMs'],
  no_such_chapter: ['body.chapter'],
  no_such_target: ['body.to'],
  unknown_source: ['query.source'],
  picture_unreachable: ['query.size'],
  picture_unreadable: ['query.size'],
  picture_too_large: ['query.size'],
  picture_too_slow: ['query.size'],
  invalid_player: ['path.player'],
  invalid_address: ['path.address'],
  invalid_user: ['path.user'],
  invalid_id: ['path.id'],
  unknown_action: ['path.action'],
  invalid_reference: ['query.refs'],
  empty_text: ['query.text', 'query.q'],
  text_too_long: ['query.text'],
  unknown_source_language: ['query.from'],
  unknown_target_language: ['query.to'],
  invalid_city: ['query.city'],
  several_players: ['query.channelId'],
}

/** Adds the field of the request that a refused input came in to a fault that knows only its reason. */
export function withRequestField(thrown: unknown, request: unknown): unknown {
  if (!(thrown instanceof Fault) || thrown.details) return thrown
  const { code, message, reason, source, input, retryAfterMs } = thrown
  if (reason === undefined || (code !== 'validation_error' && code !== 'bad_request')) return thrown
  const fields = FIELDS[reason] ?? []
  const field = input ?? fields.find((path) => isGiven(request, path)) ?? fields[0]
  if (field === undefined) return thrown
  const text = code === 'bad_request' ? `${field}: ${message}` : message
  const details = [{ field, message }]
  return new Fault(code, text, {
    details,
    reason,
    source,
    cause: thrown,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

function isGiven(request: unknown, path: string): boolean {
  let value = request
  for (const key of path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  }
  return value !== undefined
}
