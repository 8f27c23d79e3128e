/** The levels of the frequencies of a signal, Hann-windowed: as many samples from its end as a power of two allows. */
export function spectrum(samples: Float32Array, rate: number): { levels: Float64Array; binHz: number } {
  const size = 2 ** Math.floor(Math.log2(samples.length))
  const re = new Float64Array(size)
  const im = new Float64Array(size)
  const from = samples.length - size
  for (let i = 0; i < size; i++) {
    re[i] = (samples[from + i] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
  }
  transform(re, im)
  return {
    levels: Float64Array.from({ length: size / 2 }, (_, i) => Math.hypot(re[i] ?? 0, im[i] ?? 0)),
    binHz: rate / size,
  }
}

/** The fast Fourier transform in place (Cooley and Tukey, radix 2). */
function transform(re: Float64Array, im: Float64Array): void {
  const size = re.length
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) for (const part of [re, im]) [part[i], part[j]] = [part[j] ?? 0, part[i] ?? 0]
  }
  for (let length = 2; length <= size; length <<= 1) {
    const angle = (-2 * Math.PI) / length
    for (let k = 0; k < length / 2; k++) {
      const [cos, sin] = [Math.cos(angle * k), Math.sin(angle * k)]
      for (let at = k; at < size; at += length) butterfly(re, im, { at, other: at + length / 2, cos, sin })
    }
  }
}

interface Pair {
  readonly at: number
  readonly other: number
  readonly cos: number
  readonly sin: number
}

function butterfly(re: Float64Array, im: Float64Array, { at, other, cos, sin }: Pair): void {
  const [x, y] = [re[other] ?? 0, im[other] ?? 0]
  const [dx, dy] = [x * cos - y * sin, x * sin + y * cos]
  const [ax, ay] = [re[at] ?? 0, im[at] ?? 0]
  re[other] = ax - dx
  im[other] = ay - dy
  re[at] = ax + dx
  im[at] = ay + dy
}
