/**
 * The thread of the UDP relays. Nothing else runs in it: what the gateways, the handshakes and the members' encryption
 * cost delays no packet and none of the meters' times.
 */
import { once } from 'node:events'
import { createSocket, type Socket } from 'node:dgram'
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { createMeters, type Meters } from './meters.ts'
import { createNetwork } from './network.ts'
import { createPeers } from './peers.ts'
import { onDatagram } from './relay-packets.ts'
import type { RelayMessage, RelayOpening, RelayOrder, RelayQuestion } from './relay-protocol.ts'

/** Room for a burst of all players at once. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024
const LOOPBACK = '127.0.0.1'

parentPort?.on('message', (opening: RelayOpening) => void openRelay(opening))

async function openRelay({ port, sent, fixedChance }: RelayOpening): Promise<void> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES })
  const network = createNetwork(fixedChance === null ? Math.random : () => fixedChance)
  const meters = createMeters()
  const peers = createPeers(meters)
  const tell = (message: RelayMessage) => port.postMessage(message)
  let done = 0

  function obey(order: RelayOrder): void {
    done += 1
    if (order.type === 'ask') tell({ type: 'answer', id: order.id, answer: answerTo(meters, order.question) })
    else if (order.type === 'key') setImmediate(useKey, order)
    else if (order.type === 'faults') network.set(order.guildId, order.faults)
    else if (order.type === 'close') void close().then(() => port.close())
    else peers.obey(order)
  }

  /** After what waits to be read now: no one hears what was sent before they could hear. */
  function useKey({ id, key }: Extract<RelayOrder, { type: 'key' }>): void {
    peers.setKey(key)
    tell({ type: 'answer', id, answer: null })
  }

  /** A client sends because of what an order led to, so the order comes first, also where both wait to be read. */
  function catchUp(): void {
    while (done !== Atomics.load(sent, 0)) {
      const waiting = receiveMessageOnPort(port)
      if (!waiting) return
      obey(waiting.message as RelayOrder)
    }
  }

  async function close(): Promise<void> {
    network.close()
    peers.close()
    await closeSocket(socket)
    tell({ type: 'closed' })
  }

  port.on('message', obey)
  socket.on('message', (bytes, from) => {
    catchUp()
    onDatagram({ socket, network, peers }, bytes, from)
  })
  // A listener that went away answers with an ICMP error; its session ends on its own.
  socket.on('error', () => undefined)
  socket.bind(0, LOOPBACK)
  await once(socket, 'listening')
  tell({ type: 'listening', port: socket.address().port })
}

function answerTo(meters: Meters, question: RelayQuestion) {
  const { guildId } = question
  if (question.about === 'counts') return meters.counts(guildId)
  const meter = meters.of(guildId, question.userId)
  const report = meter.report()
  if (question.reset) meter.reset()
  return report
}

async function closeSocket(socket: Socket): Promise<void> {
  const closed = once(socket, 'close')
  socket.close()
  await closed
}
