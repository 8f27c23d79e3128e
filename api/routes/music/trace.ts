import { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PlayerTrace } from '../../../bot/player/player-info.ts'
import { FileResponse } from '../../http/body/download.ts'
import { route } from '../../http/route.ts'
import { guild, guildExample, perform } from './common.ts'

const at = z.int().describe('Milliseconds since 1970.')
const frames = z.int()

const Entry = z
  .object({
    atMs: at,
    kind: z.enum(['gap', 'source', 'track', 'sound', 'voice', 'encryption']),
    text: z.string().describe('The event and its cause.'),
    durationMs: z.int().nullable().describe('Duration, for events that have one.'),
    closeCode: z.int().nullable().describe('Close code of the voice connection from Discord.'),
  })
  .meta({ id: 'TraceEntry' })

const Span = z
  .object({
    fromMs: at,
    sent: frames.describe('Frames sent, 20 ms each.'),
    nulled: frames.describe('Frames of silence, because the source had no audio.'),
    late: frames.describe('Frames sent more than 20 ms late.'),
    mostLateMs: z.int().describe('Maximum delay.'),
  })
  .meta({ id: 'TraceSpan' })

const example: PlayerTrace = {
  node: { id: 'audio-1' },
  fromMs: 1_795_278_000_000,
  toMs: 1_795_278_600_000,
  entries: [
    {
      atMs: 1_795_278_120_420,
      kind: 'gap',
      text: 'gap of 420 ms: the source sent nothing',
      durationMs: 420,
      closeCode: null,
    },
  ],
  spans: [{ fromMs: 1_795_278_120_000, sent: 500, nulled: 21, late: 0, mostLateMs: 3 }],
}

const Trace = z
  .object({
    node: z.object({ id: z.string() }).meta({ id: 'TraceNode' }),
    fromMs: at,
    toMs: at,
    entries: z.array(Entry).describe('Up to 1,200 events, oldest first.'),
    spans: z.array(Span).describe('Spans of ten seconds, without those that sent nothing.'),
  })
  .meta({ id: 'PlayerTrace', examples: [example] })

export const getTrace = route('getPlayerTrace', 'GET /v1/music/guilds/{guildId}/player/trace', {
  ...guild,
  summary: 'Get the audio diagnostics',
  description:
    "Events of the last ten minutes: gaps with their cause, slow sources, lost voice connections with Discord's " +
    'close code, new encryption keys and audio changes. Also frame statistics per ten seconds.',
  data: Trace,
  example: { path: guildExample, data: example },
  handle: perform('trace'),
})

export const downloadTrace = route('downloadPlayerTrace', 'GET /v1/music/guilds/{guildId}/player/trace/file', {
  ...guild,
  summary: 'Download the audio diagnostics',
  description: 'The same data as text, one line per event.',
  file: ['text/plain'],
  data: z.null(),
  example: { path: guildExample, data: null },
  handle: async (request, app) => {
    const { path } = request
    const text = Buffer.from(asText(path.guildId, await perform('trace')(request, app)))
    return new FileResponse({
      contentType: 'text/plain; charset=utf-8',
      sizeBytes: text.length,
      tag: createHash('sha256').update(text).digest('base64url').slice(0, 27),
      maxAgeMs: 0,
      fileName: `player-${path.guildId}.txt`,
      open: async (part) => Readable.from([part ? text.subarray(part.start, part.end + 1) : text]),
    })
  },
})

function asText(guildId: string, { node, fromMs, toMs, entries, spans }: PlayerTrace): string {
  const sum = (pick: (span: PlayerTrace['spans'][number]) => number) => spans.reduce((all, span) => all + pick(span), 0)
  const sent = sum(({ sent }) => sent)
  const lines = [
    `Player of guild ${guildId} on ${node.id}, ${time(fromMs)} to ${time(toMs)}`,
    `${sent} frames of 20 ms sent; ${sum(({ nulled }) => nulled)} of them silence, because the source had no audio, and ${sum(({ late }) => late)} late`,
    '',
    ...entries.map(
      ({ atMs, kind, text, durationMs }) =>
        `${time(atMs)}  ${kind.padEnd(10)}  ${text}${durationMs === null || kind === 'gap' ? '' : ` (${durationMs} ms)`}`,
    ),
    '',
    'From                       Sent  Silence  Late  Latest (ms)',
    ...spans.map(({ fromMs: from, sent: frames, nulled, late, mostLateMs }) =>
      [time(from), pad(frames, 6), pad(nulled, 8), pad(late, 5), pad(mostLateMs, 12)].join(' '),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function time(atMs: number): string {
  return new Date(atMs).toISOString()
}

function pad(value: number, width: number): string {
  return String(value).padStart(width)
}
