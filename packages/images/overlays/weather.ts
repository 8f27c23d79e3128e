import { z } from 'zod'
import { oneOf, seed, whole } from '../params.ts'
import {
  apart,
  circle,
  createDice,
  fill,
  fillBox,
  linear,
  path,
  radial,
  useStroke,
  type Dice,
  type Pen,
  type Size,
} from './canvas.ts'
import { full, roomFor, scene, unitOf, type Scene, type Slot } from './scene.ts'

const strength = (about: string) => whole({ min: 1, max: 100, default: 50, about })

/** A scene with something that falls over the whole picture, in the pattern of a seed. @param slot how the picture looks in it. */
function weather(
  size: Size,
  seedOf: number,
  draw: (pen: Pen, picture: Size, dice: Dice) => void,
  slot: Partial<Slot> = {},
): Scene {
  const picture = roomFor(size)
  return {
    ...picture,
    slots: [{ ...full(picture), ...slot }],
    over: (pen) => draw(pen, picture, createDice(seedOf)),
  }
}

/** The colour of the air, from the top down. */
function tint(pen: Pen, picture: Size, top: string, bottom: string): void {
  fillBox(pen, full(picture), linear(pen, [0, 0], [0, picture.height], { 0: top, 1: bottom }))
}

export const rain = scene('rain', 'Add rain', {
  params: z.object({
    strength: strength('Strength of the rain.'),
    angle: whole({ min: -45, max: 45, default: 12, about: 'Angle of the rain, in degrees.' }),
    seed: seed(),
  }),
  compose: ([size], { strength: strong, angle, seed: from }) =>
    weather(
      size!,
      from,
      (pen, picture, dice) => {
        tint(pen, picture, `rgba(38,52,72,${0.12 + strong / 300})`, `rgba(110,130,150,${strong / 500})`)
        for (const depth of [0.35, 0.65, 1]) streaks(pen, picture, { depth, strength: strong, angle }, dice)
        for (let i = 0; i < strong * 1.2; i++) splash(pen, picture, dice)
      },
      { filter: `saturate(${1 - strong / 250}) brightness(${1 - strong / 500})` },
    ),
})

function streaks(pen: Pen, size: Size, rule: { depth: number; strength: number; angle: number }, dice: Dice): void {
  const u = unitOf(size)
  const lean = Math.tan((rule.angle * Math.PI) / 180)
  const count = Math.round(rule.strength * (rule.depth < 0.5 ? 9 : rule.depth < 0.8 ? 5 : 1.6))
  const sway = Math.abs(lean) * size.height
  for (let i = 0; i < count; i++) {
    const long = u * (6 + 16 * rule.depth) * dice.between(0.6, 1.2)
    const x = dice.between(-sway, size.width + sway)
    const y = dice.between(-long, size.height)
    const [toX, toY] = [x - lean * long, y + long]
    useStroke(
      pen,
      linear(pen, [x, y], [toX, toY], {
        0: 'rgba(220,232,245,0)',
        1: `rgba(226,238,250,${dice.between(0.25, 0.5) * (0.5 + rule.depth * 0.6)})`,
      }),
      u * (0.12 + 0.34 * rule.depth),
    )
    pen.lineCap = 'round'
    path(pen, [x, y], [toX, toY])
    pen.stroke()
  }
}

function splash(pen: Pen, size: Size, dice: Dice): void {
  const u = unitOf(size)
  const [x, y] = [dice.next() * size.width, size.height * (1 - dice.next() ** 2 * 0.16)]
  const radius = u * dice.between(0.5, 1.8)
  useStroke(pen, `rgba(225,236,248,${dice.between(0.15, 0.45)})`, u * 0.16)
  pen.beginPath()
  pen.ellipse(x, y, radius, radius * 0.32, 0, 0, Math.PI * 2)
  pen.stroke()
  path(pen, [x - radius * 0.2, y], [x - radius * 0.7, y - radius * 0.9])
  pen.moveTo(x + radius * 0.2, y)
  pen.lineTo(x + radius * 0.6, y - radius * 1.1)
  pen.stroke()
}

export const snow = scene('snow', 'Add snow, with a drift at the bottom', {
  params: z.object({
    strength: strength('Strength of the snowfall.'),
    drift: whole({ min: 0, max: 40, default: 8, about: 'Height of the drift, in percent of the image.' }),
    seed: seed(),
  }),
  compose: ([size], { strength: strong, drift, seed: from }) =>
    weather(size!, from, (pen, picture, dice) => {
      const u = unitOf(picture)
      tint(pen, picture, `rgba(190,212,240,${strong / 700})`, `rgba(235,243,255,${strong / 300})`)
      const at = () => [dice.next() * picture.width, dice.next() * picture.height] as const
      for (let i = 0; i < strong * 7; i++) flake(pen, at(), u * dice.between(0.25, 0.6), dice.between(0.5, 0.95))
      for (let i = 0; i < strong * 2.2; i++) flake(pen, at(), u * dice.between(0.7, 1.4), dice.between(0.6, 0.95))
      for (let i = 0; i < strong * 0.35; i++) flake(pen, at(), u * dice.between(2.2, 4.5), dice.between(0.25, 0.5))
      for (let i = 0; i < strong * 0.3; i++) crystal(pen, at(), u * dice.between(1.6, 3), dice)
      if (drift > 0) bank(pen, picture, drift, dice)
    }),
})

function flake(pen: Pen, at: readonly [number, number], radius: number, strength: number): void {
  pen.fillStyle = radial(pen, at, [0, radius], {
    0: `rgba(255,255,255,${strength})`,
    0.55: `rgba(255,255,255,${strength * 0.75})`,
    1: 'rgba(255,255,255,0)',
  })
  circle(pen, at[0], at[1], radius)
  pen.fill()
}

function crystal(pen: Pen, at: readonly [number, number], radius: number, dice: Dice): void {
  apart(pen, () => {
    pen.translate(...at)
    pen.rotate(dice.next() * Math.PI)
    useStroke(pen, `rgba(255,255,255,${dice.between(0.6, 0.95)})`, radius * 0.11)
    pen.lineCap = 'round'
    for (let arm = 0; arm < 6; arm++) {
      pen.rotate(Math.PI / 3)
      path(pen, [0, 0], [radius, 0])
      for (const part of [0.45, 0.7]) {
        pen.moveTo(radius * part, 0)
        pen.lineTo(radius * (part + 0.22), radius * 0.2)
        pen.moveTo(radius * part, 0)
        pen.lineTo(radius * (part + 0.22), -radius * 0.2)
      }
      pen.stroke()
    }
  })
}

function bank(pen: Pen, size: Size, percent: number, dice: Dice): void {
  const { width, height } = size
  const high = (height * percent) / 100
  for (const [part, top, low] of [
    [1.15, '#dfe9f7', '#b9cbe6'],
    [0.8, '#ffffff', '#dbe6f5'],
  ] as const) {
    const phase = dice.next() * 6
    pen.beginPath()
    pen.moveTo(0, height)
    for (let i = 0; i <= 48; i++) {
      const wave = Math.sin(phase + i * 0.21) * 0.24 + Math.sin(phase * 2 + i * 0.47) * 0.1
      pen.lineTo((width * i) / 48, height - high * (part * 0.8 + wave))
    }
    pen.lineTo(width, height)
    pen.closePath()
    fill(pen, linear(pen, [0, height - high * 1.2], [0, height], { 0: top, 1: low }))
  }
}

export const confetti = scene('confetti', 'Add confetti and streamers', {
  params: z.object({
    strength: strength('Amount of confetti.'),
    palette: oneOf(['party', 'pastel', 'gold', 'neon'], { default: 'party', about: 'Colours of the confetti.' }),
    seed: seed(),
  }),
  compose: ([size], { strength: strong, palette, seed: from }) =>
    weather(size!, from, (pen, picture, dice) => {
      const u = unitOf(picture)
      const colours = PALETTES[palette]
      for (let i = 0; i < strong * 0.12; i++) streamer(pen, picture, dice.pick(colours), dice)
      for (let i = 0; i < strong * 4; i++) {
        // Thicker towards the top, where it comes from.
        const at = [dice.next() * picture.width, dice.next() ** 1.35 * picture.height] as const
        scrap(pen, at, u * dice.between(0.9, 2.1), { paint: dice.pick(colours), dice })
      }
    }),
})

const PALETTES = {
  party: ['#ff4d6d', '#ffb703', '#3ddc97', '#3a86ff', '#b86bff', '#ff7b00'],
  pastel: ['#ffc8dd', '#ffe5a8', '#bde0fe', '#cdeac0', '#e2cfff'],
  gold: ['#f9e29c', '#d4a73a', '#b07d1e', '#fff5d1', '#e8c25d'],
  neon: ['#ff2bd6', '#00f0ff', '#f9ff21', '#39ff88', '#9b5cff'],
} as const

function scrap(
  pen: Pen,
  at: readonly [number, number],
  size: number,
  { paint, dice }: { paint: string; dice: Dice },
): void {
  apart(pen, () => {
    pen.translate(...at)
    pen.rotate(dice.next() * Math.PI * 2)
    pen.scale(1, dice.between(0.3, 1))
    pen.shadowColor = 'rgba(0,0,0,.25)'
    pen.shadowBlur = size * 0.4
    pen.fillStyle = paint
    pen.beginPath()
    const kind = dice.next()
    if (kind < 0.25) pen.arc(0, 0, size * 0.55, 0, Math.PI * 2)
    else pen.rect(-size / 2, -size * (kind < 0.7 ? 0.5 : 0.22), size, size * (kind < 0.7 ? 1 : 0.44))
    pen.fill()
    pen.shadowColor = 'rgba(0,0,0,0)'
    fill(pen, dice.next() < 0.5 ? 'rgba(255,255,255,.22)' : 'rgba(0,0,0,.16)')
  })
}

function streamer(pen: Pen, size: Size, paint: string, dice: Dice): void {
  const u = unitOf(size)
  const [x, y] = [dice.next() * size.width, dice.between(-0.05, 0.45) * size.height]
  const [swing, long, lean] = [u * dice.between(1.2, 2.4), u * dice.between(18, 36), dice.between(-0.5, 0.5)]
  useStroke(pen, paint, u * 0.7)
  pen.lineCap = 'round'
  pen.beginPath()
  for (let i = 0; i <= 60; i++) {
    const part = i / 60
    pen.lineTo(
      x + Math.sin(part * 20) * swing + lean * long * part,
      y + long * part + Math.cos(part * 20) * swing * 0.5,
    )
  }
  pen.stroke()
}
