/**
 * The stand-in Discord of `tools/bench/node.ts`, in a process of its own, whose voice server sees every packet arrive. Beside
 * it listens for the reference: packets that carry the time at which they were sent tell how late this process is.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { pino } from 'pino'
import { startSandbox } from 'bandstand-sandbox'

const sandbox = await startSandbox({
  port: 0,
  stateFile: null,
  limits: false,
  demoMember: false,
  log: pino({ level: 'silent' }),
})

let delaysMs: number[] = []
const reference = createSocket('udp4')
reference.on('message', (bytes) => {
  // CLOCK_MONOTONIC, which all processes of a machine share.
  delaysMs.push(Number(process.hrtime.bigint() - bytes.readBigUInt64BE(0)) / 1e6)
})
reference.bind(0, '127.0.0.1')
await once(reference, 'listening')

process.on('message', (message) => {
  if (message !== 'delays') return
  process.send?.({ delaysMs })
  delaysMs = []
})
process.on('disconnect', () => process.exit())

const { url, certificate, demo } = sandbox
const referencePort = reference.address().port
process.send?.({ ready: { url, certificate, applicationId: demo.applicationId, token: demo.botToken, referencePort } })
