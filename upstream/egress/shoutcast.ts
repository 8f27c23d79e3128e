import type { Socket } from 'node:net'

const ICY = 'ICY '

/**
 * Lets an HTTP client read the answers of old SHOUTcast servers. They begin with `ICY 200 OK` where HTTP says
 * `HTTP/1.0 200 OK`, which every strict parser refuses; the first bytes read from the socket are put right.
 */
export function acceptIcyStatus(socket: Socket): void {
  const read = socket.read.bind(socket)
  let start: Buffer = Buffer.alloc(0)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (!Buffer.isBuffer(chunk)) return chunk
    start = Buffer.concat([start, chunk])
    if (start.length < ICY.length && ICY.startsWith(start.toString('latin1'))) return null
    socket.read = read
    return start.toString('latin1', 0, ICY.length) === ICY
      ? Buffer.concat([Buffer.from('HTTP/1.0 '), start.subarray(ICY.length)])
      : start
  }
}
