import { z } from 'zod'
import { whole, words } from '../params.ts'
import {
  apart,
  circle,
  createDice,
  fade,
  fill,
  fillBox,
  radial,
  shaded,
  useStroke,
  type Box,
  type Dice,
  type Pen,
} from './canvas.ts'
import { edgeOf, full, scene } from './scene.ts'
import { drawText } from './text.ts'

const INK = '#3a2412'

export const wanted = scene('wanted', 'Show on a wanted poster', {
  params: z.object({
    name: words({ max: 40, default: 'The Stranger', about: 'Name on the poster.' }),
    reward: whole({ min: 0, max: 999_999_999, default: 5000, about: 'Reward. 0 shows none.' }),
    currency: words({ max: 4, default: '$', about: 'Currency symbol before the reward.' }),
    heading: words({ max: 16, default: 'Wanted', about: 'Heading.' }),
    line: words({ max: 40, default: 'Dead or alive', about: 'Line under the heading.' }),
  }),
  compose([size], { name, reward, currency, heading, line }) {
    const width = edgeOf(size!, [480, 820])
    const height = Math.round(width * 1.36)
    const u = width / 100
    const slot = { x: u * 19, y: u * 45, width: u * 62, height: u * 56 }
    return {
      width,
      height,
      slots: [{ ...slot, filter: 'sepia(.8) brightness(.86) contrast(1.06)' }],
      under: (pen) => paper(pen, { width, height }, u),
      over(pen) {
        plate(pen, slot, u)
        const box = { x: u * 9, width: u * 82 }
        const say = (text: string, y: number, high: number, spacingEm = 0.02) =>
          drawText(
            pen,
            text.toUpperCase(),
            { ...box, y: u * y, height: u * high },
            {
              face: 'western',
              sizePx: u * high * 0.86,
              colour: INK,
              maxLines: 1,
              lineEm: 1.16,
              spacingEm,
            },
          )
        say(heading, 8, 25, 0.04)
        rule(pen, u, u * 35)
        say(line, 36.2, 7)
        say(name, 103, 11)
        rule(pen, u, u * 116)
        if (reward > 0) say(`${currency}${reward.toLocaleString('en-US')} reward`, 117.5, 11)
        nail(pen, width / 2, u * 4.6, u)
      },
    }
  },
})

function paper(pen: Pen, size: { width: number; height: number }, u: number): void {
  const dice = createDice(1880)
  shaded(pen, { colour: 'rgba(0,0,0,.45)', blur: u * 2 }, () => {
    pen.fillStyle = '#dcc193'
    torn(pen, size, u, dice)
    pen.fill()
  })
  apart(pen, () => {
    torn(pen, size, u, createDice(1880))
    pen.clip()
    const [x, y] = [size.width / 2, size.height / 2]
    fillBox(
      pen,
      full(size),
      radial(pen, [x, y], [u * 20, u * 88], { 0: '#f0deb4', 0.6: '#dfc494', 0.88: '#b98f57', 1: '#7c5227' }),
    )
    for (let i = 0; i < 900; i++) {
      circle(pen, dice.next() * size.width, dice.next() * size.height, u * dice.between(0.06, 0.28))
      fill(pen, fade(dice.pick(['#6b4a22', '#fff4d4', '#8a6534']), dice.between(0.06, 0.25)))
    }
    for (let i = 0; i < 7; i++) stain(pen, size, u, dice)
    for (let i = 1; i < 4; i++) fold(pen, size, (size.height * i) / 4, u)
  })
}

function torn(pen: Pen, { width, height }: { width: number; height: number }, u: number, dice: Dice): void {
  const edge = () => u * dice.between(1.2, 2.6)
  pen.beginPath()
  const steps = 42
  for (let i = 0; i < steps; i++) pen.lineTo((width * i) / steps, edge())
  for (let i = 0; i < steps; i++) pen.lineTo(width - edge(), (height * i) / steps)
  for (let i = steps; i > 0; i--) pen.lineTo((width * i) / steps, height - edge())
  for (let i = steps; i > 0; i--) pen.lineTo(edge(), (height * i) / steps)
  pen.closePath()
}

function stain(pen: Pen, size: { width: number; height: number }, u: number, dice: Dice): void {
  const [x, y, radius] = [dice.next() * size.width, dice.next() * size.height, u * dice.between(6, 22)]
  fillBox(
    pen,
    full(size),
    radial(pen, [x, y], [0, radius], {
      0: 'rgba(120,78,30,.12)',
      0.85: 'rgba(110,70,26,.14)',
      0.93: 'rgba(90,54,16,.2)',
      1: 'rgba(90,54,16,0)',
    }),
  )
}

function fold(pen: Pen, size: { width: number }, y: number, u: number): void {
  fillBox(pen, { x: 0, y: y - u * 0.9, width: size.width, height: u * 0.9 }, 'rgba(80,48,14,.1)')
  fillBox(pen, { x: 0, y, width: size.width, height: u * 0.35 }, 'rgba(255,246,220,.3)')
}

function plate(pen: Pen, slot: Box, u: number): void {
  fillBox(
    pen,
    slot,
    radial(pen, [slot.x + slot.width / 2, slot.y + slot.height / 2], [u * 20, u * 46], {
      0: 'rgba(90,52,16,0)',
      1: 'rgba(70,38,10,.5)',
    }),
  )
  useStroke(pen, INK, u * 1.1)
  pen.strokeRect(slot.x, slot.y, slot.width, slot.height)
  pen.lineWidth = u * 0.35
  pen.strokeRect(slot.x - u * 1.4, slot.y - u * 1.4, slot.width + u * 2.8, slot.height + u * 2.8)
}

function rule(pen: Pen, u: number, y: number): void {
  pen.fillStyle = INK
  for (const [x, width] of [
    [12, 33],
    [55, 33],
  ] as const) {
    pen.fillRect(x * u, y - u * 0.25, width * u, u * 0.5)
    pen.fillRect(x * u, y + u * 0.6, width * u, u * 0.18)
  }
  for (const [x, size] of [
    [-3, 0.9],
    [0, 1.6],
    [3, 0.9],
  ] as const) {
    apart(pen, () => {
      pen.translate(u * (50 + x), y + u * 0.2)
      pen.rotate(Math.PI / 4)
      pen.fillRect((-size * u) / 2, (-size * u) / 2, size * u, size * u)
    })
  }
}

function nail(pen: Pen, x: number, y: number, u: number): void {
  apart(pen, () => {
    pen.shadowColor = 'rgba(0,0,0,.6)'
    pen.shadowBlur = u
    pen.shadowOffsetX = u * 0.4
    pen.shadowOffsetY = u * 0.8
    circle(pen, x, y, u * 1.3)
    fill(pen, radial(pen, [x - u * 0.4, y - u * 0.4], [0, u * 1.6], { 0: '#d8d4cc', 0.4: '#8a847a', 1: '#37332d' }))
  })
}
