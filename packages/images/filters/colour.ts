import { z } from 'zod'
import { filter } from '../declaration.ts'
import { channelsOf, colour, decimal, oneOf, whole } from '../params.ts'
import {
  blank,
  brightness,
  GREY,
  LUMA,
  mapChannels,
  mixChannels,
  pointsOf,
  table,
  towards,
  type Matrix,
} from '../codec/pixels.ts'

const SEPIA: Matrix = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
]

function percent(about: string) {
  return whole({ min: 0, max: 100, default: 100, about })
}

export const greyscale = filter('greyscale', 'Convert to greyscale', {
  params: z.object({ amount: percent('Percent of the colour to remove.') }),
  run: (frame, { amount }) => mixChannels(frame, towards(GREY, amount / 100)),
})

export const sepia = filter('sepia', 'Apply a sepia tone', {
  params: z.object({ amount: percent('Strength in percent.') }),
  run: (frame, { amount }) => mixChannels(frame, towards(SEPIA, amount / 100)),
})

export const invert = filter('invert', 'Invert the colours', {
  params: z.object({}),
  run: (frame) => {
    const lut = table((value) => 255 - value)
    return mapChannels(frame, [lut, lut, lut])
  },
})

export const brightnessFilter = filter('brightness', 'Change the brightness', {
  params: z.object({ amount: whole({ min: -100, max: 100, default: 25, about: 'Brightness, from black to white.' }) }),
  run: (frame, { amount }) => {
    const lut = table((value) => value + amount * 2.55)
    return mapChannels(frame, [lut, lut, lut])
  },
})

export const contrast = filter('contrast', 'Change the contrast', {
  params: z.object({ amount: whole({ min: -100, max: 100, default: 35, about: 'Contrast, from grey to maximum.' }) }),
  run: (frame, { amount }) => {
    const scaled = amount * 2.55
    const factor = (259 * (scaled + 255)) / (255 * (259 - scaled))
    const lut = table((value) => factor * (value - 128) + 128)
    return mapChannels(frame, [lut, lut, lut])
  },
})

export const gamma = filter('gamma', 'Change the gamma', {
  params: z.object({
    gamma: decimal({ min: 0.2, max: 5, default: 1.6, about: 'Above 1 lightens midtones, below 1 darkens them.' }),
  }),
  run: (frame, { gamma }) => {
    const lut = table((value) => 255 * (value / 255) ** (1 / gamma))
    return mapChannels(frame, [lut, lut, lut])
  },
})

export const saturate = filter('saturate', 'Change the saturation', {
  params: z.object({
    amount: whole({ min: 0, max: 400, default: 180, about: 'Percent. 100 changes nothing, 0 is greyscale.' }),
  }),
  run: (frame, { amount }) => mixChannels(frame, towards(GREY, 1 - amount / 100)),
})

export const hue = filter('hue', 'Rotate the hue', {
  params: z.object({ degrees: whole({ min: -180, max: 180, default: 90, about: 'Degrees.' }) }),
  run: (frame, { degrees }) => mixChannels(frame, rotation((degrees * Math.PI) / 180)),
})

/** Turns hues and leaves brightness as it looks. */
function rotation(angle: number): Matrix {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [r, g, b] = LUMA
  return [
    [r + cos * (1 - r) - sin * r, g - cos * g - sin * g, b - cos * b + sin * (1 - b)],
    [r - cos * r + sin * 0.143, g + cos * (1 - g) + sin * 0.14, b - cos * b - sin * 0.283],
    [r - cos * r - sin * (1 - r), g - cos * g + sin * g, b + cos * (1 - b) + sin * b],
  ]
}

export const tint = filter('tint', 'Tint with a colour', {
  params: z.object({
    colour: colour({ default: '#5865f2', about: 'The colour.' }),
    amount: whole({ min: 0, max: 100, default: 80, about: 'Strength in percent.' }),
  }),
  run: (frame, { colour: hex, amount }) => {
    const matrix = channelsOf(hex).map((channel) =>
      LUMA.map((weight) => weight * (0.25 + (channel / 255) * 1.1)),
    ) as unknown as Matrix
    return mixChannels(frame, towards(matrix, amount / 100))
  },
})

export const channel = filter('channel', 'Keep one colour channel', {
  params: z.object({
    channel: oneOf(['red', 'green', 'blue'], { default: 'red', about: 'Channel to keep.' }),
  }),
  run: (frame, { channel: kept }) => {
    const [none, all] = [table(() => 0), table((value) => value)]
    return mapChannels(frame, [
      kept === 'red' ? all : none,
      kept === 'green' ? all : none,
      kept === 'blue' ? all : none,
    ])
  },
})

export const posterize = filter('posterize', 'Reduce each colour to a few shades (posterize)', {
  params: z.object({ levels: whole({ min: 2, max: 32, default: 4, about: 'Number of shades.' }) }),
  run: (frame, { levels }) => {
    const lut = table((value) => (Math.min(levels - 1, Math.floor((value * levels) / 256)) * 255) / (levels - 1))
    return mapChannels(frame, [lut, lut, lut])
  },
})

export const solarize = filter('solarize', 'Invert bright parts (solarize)', {
  params: z.object({ level: whole({ min: 0, max: 255, default: 128, about: 'Minimum brightness to invert.' }) }),
  run: (frame, { level }) => {
    const lut = table((value) => (value >= level ? 255 - value : value))
    return mapChannels(frame, [lut, lut, lut])
  },
})

export const threshold = filter('threshold', 'Convert to black and white', {
  params: z.object({
    level: whole({ min: 0, max: 255, default: 128, about: 'Minimum brightness for white.' }),
  }),
  run: (frame, { level }) => {
    const out = blank(frame)
    const [source, target] = [pointsOf(frame), pointsOf(out)]
    for (let point = 0; point < source.length; point++) {
      const alpha = (source[point] as number) & 0xff000000
      target[point] = brightness(frame.data, point * 4) >= level ? alpha | 0xffffff : alpha
    }
    return out
  },
})

export const duotone = filter('duotone', 'Map to two colours (duotone)', {
  params: z.object({
    dark: colour({ default: '#1b1464', about: 'Colour of dark parts.' }),
    light: colour({ default: '#ff9f68', about: 'Colour of light parts.' }),
  }),
  run: (frame, { dark, light }) => {
    const to = channelsOf(light)
    const [red, green, blue] = channelsOf(dark).map((from, at) =>
      table((value) => from + (((to[at] ?? 0) - from) * value) / 255),
    ) as [Uint8Array, Uint8Array, Uint8Array]
    const out = blank(frame)
    const { data } = frame
    for (let at = 0; at < data.length; at += 4) {
      const value = brightness(data, at)
      out.data[at] = red[value] as number
      out.data[at + 1] = green[value] as number
      out.data[at + 2] = blue[value] as number
      out.data[at + 3] = data[at + 3] as number
    }
    return out
  },
})
