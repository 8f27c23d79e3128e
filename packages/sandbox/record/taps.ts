import type { Faults } from '../faults/faults.ts'
import type { GatewayTap } from '../gateway/tap.ts'
import type { Exchange } from '../rest/rest.ts'
import type { VoiceChange, World } from '../world/world.ts'
import type { Recorder } from './recorder.ts'

/** Longer parts of a path are secrets: tokens of interactions and webhooks. */
const SEGMENT_CHARS = 40

/** Between the gateway and those who look on: faults decide what passes, the record keeps what arrived. */
export function createGatewayTap({ recorder, faults }: { recorder: Recorder; faults: Faults }): GatewayTap {
  return {
    passage: (frame) => faults.ofFrame(frame),
    refusal: () => faults.refusal(),
    arrived: (frame, content) => recorder.add({ kind: 'gateway', ...frame, code: null }, content),
    closed: (subject, code) =>
      recorder.add({ kind: 'gateway', ...subject, direction: 'closed', op: null, event: null, code }),
  }
}

export function recordExchange(recorder: Recorder, exchange: Exchange): void {
  const { request, response, path, query, status, multipart: _, ...facts } = exchange
  const short = path
    .split('/')
    .map((part) => (part.length > SEGMENT_CHARS ? '…' : part))
    .join('/')
  const entry = {
    kind: 'request',
    ...facts,
    path: short,
    status: status || null,
    query: Object.fromEntries(query),
  } as const
  recorder.add(entry, { body: request, response })
}

/** Records who comes into voice channels, moves and leaves. @returns what ends this. */
export function recordVoice(recorder: Recorder, { notices }: World): () => void {
  const onChange = ({ from, to, closeCode }: VoiceChange) => {
    const { guildId, userId } = to ?? from ?? { guildId: '', userId: '' }
    const channelId = (to ?? from)?.channelId ?? null
    const event = !to ? 'leave' : !from ? 'join' : from.channelId === to.channelId ? 'renew' : 'move'
    const code = event === 'leave' || event === 'move' ? closeCode : null
    recorder.add({ kind: 'voice', event, guildId, userId, channelId, op: null, code })
  }
  notices.on('voice', onChange)
  return () => void notices.off('voice', onChange)
}
