/** Sends a packet each 20 ms, with the time at which it goes, to the port that its argument names. */
import { createSocket } from 'node:dgram'

const port = Number(process.argv[2])
const socket = createSocket('udp4')
setInterval(() => {
  const bytes = Buffer.alloc(200)
  bytes.writeBigUInt64BE(process.hrtime.bigint(), 0)
  socket.send(bytes, port, '127.0.0.1')
}, 20)
process.on('disconnect', () => process.exit())
