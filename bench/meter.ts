/**
 * Whether the packet meter reports the sender's gaps while members join at once: a source that knows its own gaps sends
 * in one channel of the sandbox, and members with clients of the sandbox's own join another one, with end-to-end
 * encryption. What the meter reports beyond the source's own gaps is the meter's delay.
 *
 *     npm run bench:meter -- [--members 20] [--rounds 5]
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { pino } from 'pino'
import { forkSandbox } from 'bandstand-sandbox'
import { connectMemberGateway, createTransportCipher, writeRtpHeader } from 'bandstand-sandbox/voice'
import type { SourceData } from '../test/sandbox/voice/source-worker.ts'
import { eventually, fetchJson } from '../test/support/service.ts'
import { median, report } from './report.ts'

const { values } = parseArgs({
  options: { members: { type: 'string', default: '20' }, rounds: { type: 'string', default: '5' } },
})
const PACKETS = 250
const MODE = 'aead_aes256_gcm_rtpsize'

const stateFile = join(tmpdir(), `bandstand-bench-meter-${process.pid}.json`)
const sandbox = await forkSandbox({ port: 0, stateFile, logLevel: 'warn', onExit: () => process.exit(1) })
const control = async (method: string, path: string, body?: object) => {
  const answer = await fetchJson(`${sandbox.url}/sandbox${path}`, method, body, {})
  if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
const { guildId, voiceChannelId, secondVoiceChannelId } = sandbox.demo

/** Resolves when the source sends; `ended` with its own longest gap. */
async function startSource(userId: string): Promise<{ readonly ended: Promise<number> }> {
  const path = `/guilds/${guildId}/channels/${secondVoiceChannelId}/connect`
  const seat = await control('POST', path, { userId })
  const described = Promise.withResolvers<number[]>()
  const ready = Promise.withResolvers<{ ssrc: number; port: number }>()
  const gateway = connectMemberGateway({
    ...seat,
    certificate: sandbox.certificate,
    maxDaveVersion: 0,
    log: pino({ level: 'silent' }),
    onBinary: () => undefined,
    onEnd: (code) => ready.reject(new Error(`The voice server closed with ${code}.`)),
    onMessage(op, d: any) {
      if (op === VoiceOpcodes.Ready) ready.resolve(d)
      if (op === VoiceOpcodes.SessionDescription) described.resolve(d.secret_key)
    },
  })
  const { ssrc, port } = await ready.promise
  const data = { address: '127.0.0.1', port, mode: MODE }
  gateway.send(VoiceOpcodes.SelectProtocol, { protocol: 'udp', data })
  const cipher = createTransportCipher(MODE, Buffer.from(await described.promise))
  gateway.send(VoiceOpcodes.Speaking, { speaking: 1, delay: 0, ssrc })
  const packets = Array.from({ length: PACKETS }, (_, sequence) =>
    cipher.seal(writeRtpHeader({ sequence, timestamp: 960 * sequence, ssrc }), Buffer.alloc(160)),
  )
  const discovery = Buffer.alloc(74)
  discovery.writeUInt16BE(1, 0)
  discovery.writeUInt16BE(70, 2)
  discovery.writeUInt32BE(ssrc, 4)
  const workerData: SourceData = { packets, discovery, port }
  const source = new Worker(new URL('../test/sandbox/voice/source-worker.ts', import.meta.url), { workerData })
  await once(source, 'message')
  const ended = once(source, 'message').then(([{ longestGapMs }]) => {
    gateway.close()
    return longestGapMs
  })
  return { ended }
}

const delays: number[] = []
const own: number[] = []
try {
  const members: string[] = []
  for (let i = 0; i < Number(values.members); i++)
    members.push((await control('POST', `/guilds/${guildId}/members`, { name: `Member ${i}` })).id)
  for (let round = 0; round < Number(values.rounds); round++) {
    const { id } = await control('POST', `/guilds/${guildId}/members`, { name: `Source ${round}` })
    const packets = () => control('GET', `/guilds/${guildId}/members/${id}/packets`)
    const { ended } = await startSource(id)
    await eventually(packets, (now) => now.packets > 25)
    const startedMs = performance.now()
    const join = (member: string) =>
      control('POST', `/guilds/${guildId}/members/${member}/join`, { channelId: voiceChannelId })
    await Promise.all(members.map(join))
    const joinedMs = performance.now() - startedMs
    const longestGapMs = await ended
    const { gapMs } = await eventually(packets, (now) => now.packets === PACKETS)
    own.push(longestGapMs)
    delays.push(Math.max(0, gapMs.longest - longestGapMs))
    console.log(
      `${members.length} joined in ${joinedMs.toFixed(0)} ms; longest gap: source ${longestGapMs.toFixed(1)} ms, meter ${gapMs.longest} ms`,
    )
    for (const member of members) await control('POST', `/guilds/${guildId}/members/${member}/leave`)
  }
} finally {
  await sandbox.close()
  rmSync(stateFile, { force: true })
}
report({
  what: `delay of the meter while ${values.members} members join`,
  own: median(delays),
  unit: ' ms',
  beside: { whom: "the source's own longest gap", value: median(own) },
  goal: { of: 'own', atMost: 20 },
})
process.exit()
