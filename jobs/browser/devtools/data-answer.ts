/** Of a picture or a document, which the protocol sends as base64 inside JSON. */
export interface DataAnswer {
  readonly id: number
  readonly data: Buffer
}

/** So far into a message its data begins. */
const HEAD_BYTES = 64
const HEAD = /^\{"id":(\d+),"result":\{"data":"/
const QUOTE = '"'.charCodeAt(0)
/** Four characters of base64 are three bytes. */
const [CHARACTERS, BYTES] = [4, 3]
/** Small enough to be young when the collector finds it: larger texts make it walk through all that the process holds. */
const PIECE = 16_384 * CHARACTERS

/**
 * What a message `{"id":1,"result":{"data":"…"}}` holds, without a text of all of it: of a full page that is several
 * megabytes, three times over.
 * @param isExpected whether the command with this ID is answered so
 * @returns null when it is another message, or has other fields besides.
 */
export function readDataAnswer(message: Buffer, isExpected: (id: number) => boolean): DataAnswer | null {
  const [head, id] = HEAD.exec(message.toString('latin1', 0, HEAD_BYTES)) ?? []
  if (head === undefined || !isExpected(Number(id))) return null
  const end = message.indexOf(QUOTE, head.length)
  if (end === -1 || message[end + 1] !== '}'.charCodeAt(0)) return null
  const data = Buffer.allocUnsafeSlow(bytesIn(message, head.length, end))
  for (let from = head.length, at = 0; from < end; from += PIECE) {
    at += data.write(message.toString('latin1', from, Math.min(end, from + PIECE)), at, 'base64')
  }
  return { id: Number(id), data }
}

/** Of base64 between two places. */
function bytesIn(message: Buffer, from: number, end: number): number {
  const padding = message.toString('latin1', end - 2, end).split('=').length - 1
  return Math.floor(((end - from) / CHARACTERS) * BYTES) - padding
}
