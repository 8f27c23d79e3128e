/**
 * A little piece: two tones that last from the first bar to the last, a harp over a chord in each bar, and between the
 * first round of chords and the last one a flute above them.
 */
export interface Score {
  /** Whole hertz. The left side's tone is never heard on the right one, nor the right one's on the left. */
  readonly leftHz: number
  readonly rightHz: number
  readonly lengthMs: number
  readonly beatsPerMinute: number
  readonly beatsPerBar: number
  /** MIDI notes of the chord of each bar, the bass first; they begin again when the piece is longer. */
  readonly chords: readonly (readonly number[])[]
}

/** The sound of a note at full level. The same voice sounds often, so each is computed once. */
interface Voice {
  readonly midi: number
  readonly seconds: number
  readonly attackSeconds: number
  /** The time in which a struck note falls to about a third; null for one that is held. */
  readonly fadeSeconds: number | null
  /** Strength of the overtones, the fundamental first. */
  readonly partials: readonly number[]
}

interface Note {
  readonly voice: Voice
  readonly atSeconds: number
  readonly level: number
  /** 0 is left, 1 is right. */
  readonly pan: number
}

type Stereo = readonly [left: Float32Array, right: Float32Array]

export const SAMPLE_RATE = 48_000
const TONE_LEVEL = 0.19
/** About 9 dB below full scale: as loud as a whole as players make tracks on their own, -14 LUFS. */
const PEAK = 0.36
/** Closer to one of the two tones, anything else would blur it. */
const CLEARANCE_HZ = 4
/** The two tones begin and end so fast that no part of them is missed, and so softly that nothing clicks. */
const EDGE_SECONDS = 0.03

/** Renders a score: stereo, interleaved, 32-bit floats. */
export function render(score: Score): Float32Array<ArrayBuffer> {
  const frames = Math.round((score.lengthMs / 1000) * SAMPLE_RATE)
  const sides: Stereo = [tone(score.leftHz, frames), tone(score.rightHz, frames)]
  const voices = new Map<string, Float32Array>()
  for (const { voice, atSeconds, level, pan } of notesOf(score)) {
    const name = JSON.stringify(voice)
    const samples = voices.get(name) ?? sound(voice, [score.leftHz, score.rightHz])
    voices.set(name, samples)
    const start = Math.round(atSeconds * SAMPLE_RATE)
    mix(sides[0], samples, start, level * (1 - pan))
    mix(sides[1], samples, start, level * pan)
  }
  return interleave(sides)
}

function* notesOf(score: Score): Generator<Note> {
  const barSeconds = (60 / score.beatsPerMinute) * score.beatsPerBar
  const bars = Math.round(score.lengthMs / 1000 / barSeconds)
  for (let bar = 0; bar < bars; bar++) {
    const [bass = 48, ...chord] = score.chords[bar % score.chords.length] ?? []
    const atSeconds = bar * barSeconds
    yield { voice: plucked(bass, 2.5, 0.9), atSeconds, level: 0.1, pan: 0.5 }
    for (const midi of chord.slice(0, 3)) yield { voice: held(midi, barSeconds), atSeconds, level: 0.02, pan: 0.5 }
    yield* harp(score, bar, chord)
    const isBetween = bar >= score.chords.length && bar < bars - score.chords.length
    if (isBetween) yield* flute(bar, chord, { atSeconds, barSeconds })
  }
}

/** Two notes of the chord in a bar, other ones in each round. */
function* flute(
  bar: number,
  chord: readonly number[],
  { atSeconds, barSeconds }: { readonly atSeconds: number; readonly barSeconds: number },
): Generator<Note> {
  for (const half of [0, 1]) {
    const midi = (chord[(bar * 3 + (bar >> 2) + half) % chord.length] ?? 60) + 24
    const seconds = barSeconds / 2
    yield { voice: held(midi, seconds), atSeconds: atSeconds + half * seconds, level: 0.04, pan: 0.5 }
  }
}

/** Up the chord and down again in quavers, the weak ones softer, wandering a little from side to side. */
function* harp({ beatsPerMinute, beatsPerBar }: Score, bar: number, chord: readonly number[]): Generator<Note> {
  const steps = beatsPerBar * 2
  const top = chord.length - 1
  for (let step = 0; step < steps; step++) {
    const count = bar * steps + step
    const midi = (chord[top - Math.abs(top - (step % (2 * top)))] ?? 60) + 12
    const level = step === 0 ? 0.09 : step % 2 === 0 ? 0.075 : 0.055
    yield {
      voice: plucked(midi, 1.2, 0.4),
      atSeconds: (count * 30) / beatsPerMinute,
      level,
      pan: 0.5 + 0.3 * Math.sin(count),
    }
  }
}

function plucked(midi: number, seconds: number, fadeSeconds: number): Voice {
  return { midi, seconds, attackSeconds: 0.01, fadeSeconds, partials: [1, 0.35, 0.12, 0.05] }
}

function held(midi: number, seconds: number): Voice {
  return { midi, seconds, attackSeconds: seconds / 3, fadeSeconds: null, partials: [1, 0.3] }
}

function sound(
  { midi, seconds, attackSeconds, fadeSeconds, partials }: Voice,
  avoidHz: readonly number[],
): Float32Array {
  const hz = 440 * 2 ** ((midi - 69) / 12)
  const samples = new Float32Array(Math.round(seconds * SAMPLE_RATE))
  for (const [i, strength] of partials.entries()) {
    const isClear = avoidHz.every((other) => Math.abs(other - hz * (i + 1)) >= CLEARANCE_HZ)
    if (isClear) addSine(samples, hz * (i + 1), strength)
  }
  const perSample = fadeSeconds === null ? 1 : Math.exp(-1 / (fadeSeconds * SAMPLE_RATE))
  let fade = 1
  for (let n = 0; n < samples.length; n++) {
    samples[n]! *= fade
    fade *= perSample
  }
  return softenEdges(samples, attackSeconds)
}

function tone(hz: number, frames: number): Float32Array {
  const samples = new Float32Array(frames)
  addSine(samples, hz, TONE_LEVEL)
  return softenEdges(samples, EDGE_SECONDS)
}

/** Each sample of a sine follows from the two before it, which is much faster than computing sines. */
function addSine(samples: Float32Array, hz: number, level: number): void {
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE
  const factor = 2 * Math.cos(turn)
  let before = -level * Math.sin(turn)
  let now = 0
  for (let n = 0; n < samples.length; n++) {
    samples[n]! += now
    const next = factor * now - before
    before = now
    now = next
  }
}

function softenEdges(samples: Float32Array, seconds: number): Float32Array {
  const count = Math.min(samples.length / 2, Math.round(seconds * SAMPLE_RATE))
  for (let n = 0; n < count; n++) {
    samples[n]! *= n / count
    samples[samples.length - 1 - n]! *= n / count
  }
  return samples
}

/** Adds samples to a side; those beyond its end are left out. */
function mix(side: Float32Array, samples: Float32Array, start: number, level: number): void {
  const count = Math.min(samples.length, side.length - start)
  for (let n = 0; n < count; n++) side[start + n]! += samples[n]! * level
}

function interleave([left, right]: Stereo): Float32Array<ArrayBuffer> {
  let peak = 0
  for (let i = 0; i < left.length; i++) peak = Math.max(peak, Math.abs(left[i]!), Math.abs(right[i]!))
  const samples = new Float32Array(left.length * 2)
  for (let i = 0; i < left.length; i++) {
    samples[2 * i] = (left[i]! * PEAK) / peak
    samples[2 * i + 1] = (right[i]! * PEAK) / peak
  }
  return samples
}
