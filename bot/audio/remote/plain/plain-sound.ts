import { Fault } from '../../../../lib/errors.ts'
import type { Sound } from '../../node/protocol.ts'

/** Lavalink's own filters, whose fields have the names and bounds of ours. */
export const LAVALINK_FILTERS = [
  'volume',
  'equalizer',
  'karaoke',
  'timescale',
  'tremolo',
  'vibrato',
  'distortion',
  'rotation',
  'channelMix',
  'lowPass',
] as const
const FILTERS: ReadonlySet<string> = new Set(LAVALINK_FILTERS)
/** Up to here the loudness follows a curve, and from there on a line. */
const CURVE = { factor: 2.4621, volume: 150, steepness: 0.0079 }
const MAX_VOLUME = 1000
const MAX_FILTER_VOLUME = 5

/** What a plain node cannot do is refused by its name. */
export function cannot(nodeId: string, what: string): Fault {
  return new Fault('conflict', `The player is on ${nodeId}, a plain Lavalink node, which has no ${what}.`)
}

/** A sound as `PATCH` of a player takes it. @throws {Fault} `conflict` for filters that Lavalink has not. */
export function toPatch(nodeId: string, { volume, muted, paused, filters = {} }: Sound) {
  const unknown = Object.keys(filters).find((name) => name !== 'preset' && !FILTERS.has(name))
  if (unknown !== undefined) throw cannot(nodeId, `filter ${unknown}`)
  const known = Object.fromEntries(Object.entries(filters).filter(([name]) => FILTERS.has(name)))
  const factor = filters.volume
  const asOfLavalink = factor === undefined ? {} : { volume: Math.min(MAX_FILTER_VOLUME, onCurve(factor) / 100) }
  return { volume: muted ? 0 : toVolume(volume), paused, filters: { ...known, ...asOfLavalink } }
}

/** The volume at which Lavaplayer has this percentage of the amplitude. */
function toVolume(percent: number): number {
  return percent === 100 ? 100 : Math.min(MAX_VOLUME, Math.round(onCurve(percent / 100)))
}

function onCurve(factor: number): number {
  const { factor: bend, volume, steepness } = CURVE
  return factor <= bend ? Math.atan(factor) / steepness : (factor * volume) / bend
}
