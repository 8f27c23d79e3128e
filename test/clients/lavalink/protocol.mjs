import * as protocol from 'lavalink-protocol'

const ANSWERS = [
  ['GET', /^\/v4\/info$/, protocol.RESTGetAPINodeInfoResult],
  ['GET', /^\/v4\/stats$/, protocol.RESTGetAPINodeStatsResult],
  ['GET', /^\/v4\/loadtracks$/, protocol.RESTGetAPILoadTracksResult],
  ['GET', /^\/v4\/decodetrack$/, protocol.RESTGetAPIDecodeTrackResult],
  ['POST', /^\/v4\/decodetracks$/, protocol.RESTPostAPIDecodeTracksResult],
  ['GET', /^\/v4\/sessions\/[^/]+\/players$/, protocol.RESTGetAPIPlayersResult],
  ['GET', /^\/v4\/sessions\/[^/]+\/players\/\d+$/, protocol.RESTGetAPIPlayerResult],
  ['PATCH', /^\/v4\/sessions\/[^/]+\/players\/\d+$/, protocol.RESTPatchAPIPlayerResult],
  ['PATCH', /^\/v4\/sessions\/[^/]+$/, protocol.RESTPatchAPISessionResult],
]

/** Error of lavalink-protocol for an invalid message; null if the message is valid or has no schema. */
export function violationOf(message) {
  const schema = schemaOf(message)
  if (schema === null) return null
  try {
    protocol.parse(schema, message.body)
    return null
  } catch (error) {
    return `${message.from}: ${error.cause?.message ?? error.message}\nin ${JSON.stringify(message.body)}`
  }
}

/** Null for what has no body, and for what it says nothing about. */
function schemaOf({ kind, method, path, status, body }) {
  if (kind === 'socket') return protocol.message
  if (status === 204 || typeof body !== 'object') return null
  if (status >= 400) return protocol.error
  return ANSWERS.find(([of, pattern]) => of === method && pattern.test(path))?.[2] ?? null
}
