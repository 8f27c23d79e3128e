/**
 * A source of known regularity: sends ready-made packets each 20 ms from a thread that does nothing else, and says how
 * long its own longest gap was. It waits by sleeping until shortly before, then by looking at the clock.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SourceData {
  readonly packets: readonly Uint8Array[]
  readonly discovery: Uint8Array
  readonly port: number
}

const EVERY_MS = 20
const SPIN_MS = 3

const { packets, discovery, port } = workerData as SourceData
const socket = createSocket('udp4')
socket.bind(0, '127.0.0.1')
await once(socket, 'listening')
socket.send(discovery, port, '127.0.0.1')
await once(socket, 'message')
parentPort?.postMessage({ port: socket.address().port })

let longestGapMs = 0
let lastMs = 0
for (let [at, dueMs] = [0, performance.now()]; at < packets.length; at++, dueMs += EVERY_MS) {
  await sleep(Math.max(0, dueMs - performance.now() - SPIN_MS))
  while (performance.now() < dueMs);
  const nowMs = performance.now()
  socket.send(packets[at] ?? '', port, '127.0.0.1')
  if (at > 0) longestGapMs = Math.max(longestGapMs, nowMs - lastMs)
  lastMs = nowMs
}
parentPort?.postMessage({ longestGapMs })
// The last packet may still be unsent.
await sleep(EVERY_MS)
socket.close()
