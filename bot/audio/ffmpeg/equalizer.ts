import { EQUALIZER_HZ, type Filters } from '../../player/audio-settings/filters.ts'
import { number } from './expression.ts'
import { CLIP, RATE } from './sample-format.ts'

/** A gain of 0.25 adds a band once more. */
const GAIN_SCALE = 4
/** Bands are 3 dB down a third of an octave below their frequency. */
const LOWER_EDGE = 1 / Math.cbrt(2)

/**
 * Adds each band of the sound to the sound itself by its gain, in parallel, as Lavaplayer does: bands that overlap add up
 * instead of multiplying.
 */
export function equalizer(bands: Filters['equalizer'] = []): string[] {
  // The last word on a band counts.
  const gains = new Map(bands.map(({ band, gain }) => [band, gain]))
  const added = Array.from(gains).filter(([, gain]) => gain !== 0)
  if (added.length === 0) return []
  const count = added.length + 1
  const split = added.map(([band]) => `[split${band}]`).join('')
  const joined = added.map(([band]) => `[band${band}]`).join('')
  const filters = added.map(
    ([band, gain]) => `[split${band}]${bandPass(EQUALIZER_HZ[band]!, GAIN_SCALE * gain)}[band${band}];`,
  )
  const sum = `asplit=${count}[dry]${split};${filters.join('')}[dry]${joined}amix=inputs=${count}:normalize=0`
  return added.some(([, gain]) => gain > 0) ? [sum, CLIP] : [sum]
}

function bandPass(hz: number, gain: number): string {
  const center = (2 * Math.PI * hz) / RATE
  const edge = center * LOWER_EDGE
  const width = (Math.cos(edge) - Math.cos(center)) / Math.sin(edge)
  const b0 = (gain * width) / (1 + width)
  const a1 = (-2 * Math.cos(center)) / (1 + width)
  const a2 = (1 - width) / (1 + width)
  return `biquad=b0=${number(b0)}:b1=0:b2=${number(-b0)}:a0=1:a1=${number(a1)}:a2=${number(a2)}`
}
