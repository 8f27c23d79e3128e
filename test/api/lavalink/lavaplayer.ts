/** Samples of a side, and what becomes of both sides. */
export type Stereo = readonly [left: Float64Array, right: Float64Array]
type Process = (sound: Stereo) => Stereo

const RATE = 48_000

/** Lavaplayer's figures of each band at 48 kHz: share of the sound, and of the last two results. */
const BANDS = [
  [7.6226668143e-4, 1.9984647656, 0.99847546664],
  [1.2190767289e-3, 1.9975344645, 0.99756184654],
  [1.9186931041e-3, 1.9960947369, 0.99616261379],
  [3.0421072865e-3, 1.9937449618, 0.99391578543],
  [4.8584639242e-3, 1.9898465702, 0.99028307215],
  [7.5705136795e-3, 1.9837962543, 0.98485897264],
  [1.2057436715e-2, 1.9731772447, 0.97588512657],
  [1.8857390928e-2, 1.9556164694, 0.96228521814],
  [2.9595334338e-2, 1.9242054384, 0.94080933132],
  [4.6489704022e-2, 1.8653476166, 0.90702059196],
  [7.0659978553e-2, 1.7600401337, 0.85868004289],
  [0.10795194606, 1.5450725522, 0.78409610788],
  [0.15833569499, 1.1426447155, 0.68332861002],
  [0.22366240886, 0.40186190803, 0.55267518228],
  [0.29094055777, -0.70905944223, 0.41811888447],
] as const

/** The bands are added to the sound, four times their gain each. */
export function equalizer(gains: readonly number[]): Process {
  return sides((samples) => {
    const sum = samples.slice()
    for (const [band, gain] of gains.entries()) {
      const [share, last, beforeLast] = BANDS[band]!
      let [y1, y2] = [0, 0]
      for (let n = 0; n < samples.length; n++) {
        const y = share * (samples[n]! - (samples[n - 2] ?? 0)) + last * y1 - beforeLast * y2
        sum[n]! += 4 * gain * y
        ;[y1, y2] = [y, y1]
      }
    }
    return sum.map(clip)
  })
}

/** A resonance at the band of what is in the middle replaces what both sides share. */
export function karaoke(level: number, mono: number, hz: number, width: number): Process {
  return ([left, right]) => {
    const c = Math.exp((-2 * Math.PI * width) / RATE)
    const b = ((-4 * c) / (1 + c)) * Math.cos((2 * Math.PI * hz) / RATE)
    const a = Math.sqrt(1 - (b * b) / (4 * c)) * (1 - c)
    let [y1, y2] = [0, 0]
    const middle = left.map((l, n) => {
      const y = (a * (l + right[n]!)) / 2 - b * y1 - c * y2
      ;[y1, y2] = [y, y1]
      return y * mono * level
    })
    return [
      left.map((l, n) => l - right[n]! * level + middle[n]!),
      right.map((r, n) => r - left[n]! * level + middle[n]!),
    ]
  }
}

export function lowPass(smoothing: number): Process {
  return sides((samples) => {
    let value = 0
    return samples.map((sample) => (value += (sample - value) / smoothing))
  })
}

export function tremolo(hz: number, depth: number): Process {
  return sides((samples) =>
    samples.map((sample, n) => sample * (1 - depth / 2 + (depth / 2) * Math.sin((2 * Math.PI * hz * n) / RATE))),
  )
}

/** Up to 2 ms late, read between two samples by a line here and by a curve there. */
export function vibrato(hz: number, depth: number): Process {
  return sides((samples) =>
    samples.map((_, n) => {
      const at = n - 48 * depth * (1 + Math.sin((2 * Math.PI * hz * n) / RATE))
      const from = Math.floor(at)
      const [y0 = 0, y1 = 0, y2 = 0, y3 = 0] = [-1, 0, 1, 2].map((step) => samples[from + step])
      const x = at - from
      const c2 = y0 - 2.5 * y1 + 2 * y2 - 0.5 * y3
      const c3 = 0.5 * (y3 - y0) + 1.5 * (y1 - y2)
      return y1 + x * (0.5 * (y2 - y0) + x * (c2 + x * c3))
    }),
  )
}

export function rotation(hz: number): Process {
  const turn = (n: number) => Math.sin((2 * Math.PI * hz * n) / RATE)
  return ([left, right]) => [
    left.map((sample, n) => (sample * (1 + turn(n))) / 2),
    right.map((sample, n) => (sample * (1 - turn(n))) / 2),
  ]
}

export function channelMix(ll: number, lr: number, rl: number, rr: number): Process {
  return ([left, right]) => [
    left.map((l, n) => clip(ll * l + rl * right[n]!)),
    right.map((r, n) => clip(lr * left[n]! + rr * r)),
  ]
}

export function distortion(of: (sample: number) => number): Process {
  return sides((samples) => samples.map((sample) => clip(of(sample))))
}

export function volume(factor: number): Process {
  const gain = factor <= 1.5 ? Math.tan(0.79 * factor) : (2.4612 * factor) / 1.5
  return sides((samples) => samples.map((sample) => clip(gain * sample)))
}

/** One after the other. */
export function chain(...all: readonly Process[]): Process {
  return (sound) => all.reduce((result, process) => process(result), sound)
}

function sides(process: (samples: Float64Array) => Float64Array): Process {
  return ([left, right]) => [process(left), process(right)]
}

function clip(sample: number): number {
  return Math.min(1, Math.max(-1, sample))
}
