import { connect } from 'node:net'
import { z } from 'zod'
import { createPacketReader, packet, ProtocolError, readString, string, varInt } from './packets.ts'
import { motdOf, readMotd } from './motd.ts'
import type { Dialled, Answered } from './ping.ts'
import { abortable } from '../../../lib/deadline.ts'

const Sample = z.object({ name: z.string(), id: z.string() })
const Status = z.object({
  version: z.object({ name: z.string(), protocol: z.number() }).partial().optional(),
  players: z
    .object({ online: z.number(), max: z.number(), sample: z.array(z.unknown()).nullish() })
    .optional()
    .catch(undefined),
  description: z.unknown(),
  favicon: z.string().optional().catch(undefined),
})

const STATUS = 0x00
const PONG = 0x01
const MAX_SAMPLE = 100
const MAX_FAVICON_CHARS = 96 * 1024
/** Time limit for the measured answer once the status is here. */
const PONG_MS = 1000
const MAX_LEGACY_BYTES = 1024

/** The status of a Java server of 1.7 or later. @throws when it is not reached or does not speak the protocol. */
export async function pingJava(dialled: Dialled): Promise<Answered> {
  const { port, host } = dialled
  const hello = packet(STATUS, varInt(-1), string(host), Buffer.from([port >> 8, port & 0xff]), varInt(1))
  let status: unknown
  let sentAt = performance.now()
  let latencyMs: number | null = null
  const reader = createPacketReader()
  await converse(dialled, Buffer.concat([hello, packet(STATUS)]), (chunk, send, finishAfter) => {
    for (const { id, body } of reader.push(chunk)) {
      if (id === STATUS && status === undefined) {
        status = JSON.parse(readString(body))
        latencyMs = Math.round(performance.now() - sentAt)
        sentAt = performance.now()
        send(packet(PONG, Buffer.alloc(8)))
        finishAfter(PONG_MS)
      } else if (id === PONG && status !== undefined) {
        latencyMs = Math.round(performance.now() - sentAt)
        finishAfter(0)
      }
    }
  }).catch((error: unknown) => {
    // A failure after the status costs nothing but the better measure of latency.
    if (status === undefined) throw error
  })
  if (status === undefined) throw new ProtocolError('The server sent nothing.')
  return toAnswer(Status.parse(status), latencyMs)
}

/** The status of a server before 1.7, which answers one packet and hangs up. */
export async function pingLegacy(dialled: Dialled): Promise<Answered> {
  const sentAt = performance.now()
  let latencyMs: number | null = null
  let bytes = Buffer.alloc(0)
  await converse(dialled, Buffer.from([0xfe, 0x01]), (chunk, _send, finishAfter) => {
    latencyMs ??= Math.round(performance.now() - sentAt)
    if (bytes.length > MAX_LEGACY_BYTES) return
    bytes = Buffer.concat([bytes, chunk])
    const complete = bytes.length >= 3 && bytes.length >= 3 + 2 * bytes.readUInt16BE(1)
    if (complete || bytes.length > MAX_LEGACY_BYTES) finishAfter(0)
  })
  if (bytes[0] !== 0xff || bytes.length < 3) throw new ProtocolError("This isn't a game server.")
  const text = Buffer.from(bytes.subarray(3, 3 + 2 * bytes.readUInt16BE(1)))
  if (text.length % 2 !== 0) throw new ProtocolError('A text is truncated.')
  const fields = text.swap16().toString('utf16le')
  return fromLegacy(fields, latencyMs)
}

function fromLegacy(text: string, latencyMs: number | null): Answered {
  // Very old servers say less: `motd§online§max`.
  const [, protocol, version, motd = '', online, max] = text.startsWith('§1\0')
    ? text.split('\0')
    : [null, null, null, ...(/^([\s\S]*)§(\d+)§(\d+)$/.exec(text)?.slice(1) ?? [])]
  if (online === undefined || max === undefined) throw new ProtocolError('The legacy response has too few fields.')
  return {
    version: version ?? null,
    protocol: protocol ? Number(protocol) : null,
    players: { online: Number(online), max: Number(max), sample: [] },
    motd: motdOf(motd ?? ''),
    favicon: null,
    latencyMs,
  }
}

function toAnswer(
  { version, players, description, favicon }: z.output<typeof Status>,
  latencyMs: number | null,
): Answered {
  const sample = (players?.sample ?? []).slice(0, MAX_SAMPLE).flatMap((each) => Sample.safeParse(each).data ?? [])
  return {
    version: version?.name ?? null,
    protocol: version?.protocol ?? null,
    players: players ? { online: players.online, max: players.max, sample } : null,
    motd: readMotd(description),
    favicon: pictureOf(favicon),
    latencyMs,
  }
}

/** Some servers break the base64 into lines. Anything but a picture is none. */
function pictureOf(favicon: string | undefined): string | null {
  const joined = favicon?.replaceAll(/\s+/g, '')
  const isPicture = joined !== undefined && /^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/.test(joined)
  return isPicture && joined.length <= MAX_FAVICON_CHARS ? joined : null
}

type OnData = (chunk: Buffer, send: (bytes: Buffer) => void, finishAfter: (ms: number) => void) => void

/** Dials, says `opening`, and hands over what comes until the listener finishes or the server hangs up. */
async function converse({ address, port, signal }: Dialled, opening: Buffer, onData: OnData): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: address, port, noDelay: true })
  let timer: NodeJS.Timeout | undefined
  const finishAfter = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(resolve, ms)
  }
  socket.once('connect', () => socket.write(opening))
  socket.on('data', (chunk: Buffer) => {
    try {
      onData(chunk, (bytes) => socket.write(bytes), finishAfter)
    } catch (error) {
      reject(error instanceof Error ? error : new ProtocolError(String(error)))
    }
  })
  socket.once('error', reject)
  socket.once('close', () => resolve())
  try {
    await abortable(promise, signal)
  } finally {
    clearTimeout(timer)
    // A reset that comes later must not end the process.
    socket.on('error', () => {})
    socket.destroy()
  }
}
