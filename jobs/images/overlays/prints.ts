import { z } from 'zod'
import { colour, decimal, oneOf, whole, words } from '../params.ts'
import { apart, circle, createDice, fade, fillBox, inkOn, linear, shaded, type Box, type Pen } from './canvas.ts'
import { edgeOf, full, scene, type Slot } from './scene.ts'
import { drawText } from './text.ts'

export const polaroid = scene({
  name: 'polaroid',
  summary: 'Makes an instant photograph with a handwritten line',
  params: z.object({
    text: words({ max: 60, default: '', about: 'What is written below the picture.' }),
    angle: decimal({ min: -30, max: 30, default: -4, about: 'How far it is turned, in degrees.' }),
    paper: colour({ default: '#fbf9f3', about: 'The colour of the paper.' }),
    tape: colour({ default: '#e9d9a2', about: 'The colour of the adhesive tape.' }),
  }),
  compose([size], { text, angle, paper, tape }) {
    const edge = edgeOf(size!, [360, 720])
    const [rim, foot] = [edge * 0.07, edge * 0.25]
    const card = { width: edge + 2 * rim, height: edge + rim + foot }
    const turn = (Math.abs(angle) * Math.PI) / 180
    const margin = edge * 0.08
    const width = Math.ceil(card.width * Math.cos(turn) + card.height * Math.sin(turn) + 2 * margin)
    const height = Math.ceil(card.height * Math.cos(turn) + card.width * Math.sin(turn) + 2 * margin)
    const turned = (pen: Pen, draw: () => void) =>
      apart(pen, () => {
        pen.translate(width / 2, height / 2)
        pen.rotate((angle * Math.PI) / 180)
        pen.translate(-card.width / 2, -card.height / 2)
        draw()
      })
    // The picture turns about its own middle, which lies above the card's.
    const rise = (foot - rim) / 2
    const signed = (angle * Math.PI) / 180
    const middle = { x: width / 2 + Math.sin(signed) * rise, y: height / 2 - Math.cos(signed) * rise }
    const picture = { x: rim, y: rim, width: edge, height: edge }
    return {
      width,
      height,
      slots: [
        {
          x: middle.x - edge / 2,
          y: middle.y - edge / 2,
          width: edge,
          height: edge,
          angle,
          filter: 'contrast(.96) saturate(.92)',
        },
      ],
      under: (pen) =>
        turned(pen, () => {
          shaded(pen, { colour: 'rgba(0,0,0,.5)', blur: margin * 0.7, y: margin * 0.2 }, () =>
            fillBox(pen, { x: 0, y: 0, ...card }, paper),
          )
          fillBox(
            pen,
            { x: 0, y: 0, ...card },
            linear(
              pen,
              [0, 0],
              [0, card.height],
              [
                [0, 'rgba(255,255,255,.4)'],
                [1, 'rgba(90,70,30,.1)'],
              ],
            ),
          )
        }),
      over: (pen) =>
        turned(pen, () => {
          gloss(pen, picture)
          const line = { x: rim, y: edge + rim * 1.15, width: edge, height: foot * 0.82 }
          drawText(pen, text, line, {
            face: 'hand',
            sizePx: foot * 0.52,
            colour: fade(inkOn(paper), 0.85),
            maxLines: 2,
            lineEm: 1,
          })
          apart(pen, () => {
            pen.translate(card.width / 2, 0)
            pen.rotate(-0.03)
            adhesive(pen, edge * 0.3, edge * 0.085, tape)
          })
        }),
    }
  },
})

function gloss(pen: Pen, picture: Box): void {
  const { x, y, width, height } = picture
  fillBox(
    pen,
    picture,
    linear(
      pen,
      [x, y],
      [x + width, y + height],
      [
        [0, 'rgba(255,255,255,.22)'],
        [0.34, 'rgba(255,255,255,.05)'],
        [0.345, 'rgba(255,255,255,0)'],
        [1, 'rgba(20,10,40,.1)'],
      ],
    ),
  )
  pen.strokeStyle = 'rgba(0,0,0,.3)'
  pen.lineWidth = Math.max(1, width * 0.004)
  pen.strokeRect(x, y, width, height)
}

/** A strip about the origin, its short ends torn by the dispenser's teeth. */
function adhesive(pen: Pen, width: number, height: number, paint: string): void {
  const teeth = 8
  pen.beginPath()
  for (let i = 0; i <= teeth; i++) pen.lineTo(-width / 2 + (i % 2) * height * 0.09, -height / 2 + (height * i) / teeth)
  for (let i = teeth; i >= 0; i--) pen.lineTo(width / 2 - (i % 2) * height * 0.09, -height / 2 + (height * i) / teeth)
  pen.closePath()
  shaded(pen, { colour: 'rgba(0,0,0,.25)', blur: height * 0.15 }, () => {
    pen.fillStyle = fade(paint, 0.82)
    pen.fill()
  })
  fillBox(
    pen,
    { x: -width / 2 + height * 0.1, y: -height * 0.32, width: width - height * 0.2, height: height * 0.1 },
    'rgba(255,255,255,.25)',
  )
}

export const filmstrip = scene({
  name: 'filmstrip',
  summary: 'Puts the picture on a strip of film',
  params: z.object({
    frames: whole({ min: 1, max: 4, default: 3, about: 'How many frames the strip shows.' }),
    direction: oneOf(['across', 'down'], { default: 'across', about: 'Which way the strip runs.' }),
    text: words({ max: 24, default: 'SAFETY FILM', about: 'What is printed on the edge.' }),
    colour: colour({ default: '#f0a03c', about: 'The colour of the print on the edge.' }),
  }),
  compose([size], { frames, direction, text, colour: print }) {
    const tall = edgeOf(size!, [280, 480])
    const wide = Math.round(tall * Math.min(1.5, Math.max(0.75, size!.width / size!.height)))
    const across = direction === 'across'
    const [along, high] = across ? [wide, tall] : [tall, wide]
    const [edge, gap] = [Math.round(high * 0.19), Math.round(high * 0.06)]
    const length = frames * along + (frames + 1) * gap
    const breadth = high + 2 * edge
    const [width, height] = across ? [length, breadth] : [breadth, length]
    const slots = Array.from({ length: frames }, (_, i): Slot => {
      const at = gap + i * (along + gap)
      const box = across
        ? { x: at, y: edge, width: along, height: high }
        : { x: edge, y: at, width: high, height: along }
      return { ...box, clip: (pen) => pen.roundRect(box.x, box.y, box.width, box.height, high * 0.03) }
    })
    const laid = (pen: Pen, draw: () => void) =>
      apart(pen, () => {
        if (!across) {
          pen.translate(width, 0)
          pen.rotate(Math.PI / 2)
        }
        draw()
      })
    return {
      width,
      height,
      slots,
      under: (pen) => laid(pen, () => film(pen, { length, breadth, edge, high })),
      over: (pen) =>
        laid(pen, () => {
          for (let i = 0; i < frames; i++) {
            const x = gap + i * (along + gap)
            edgePrint(
              pen,
              i % 2 === 0 ? text : `▸ ${22 + i}A`,
              { x, y: edge * 0.03, width: along, height: edge * 0.2 },
              print,
            )
            edgePrint(pen, `${22 + i}`, { x, y: breadth - edge * 0.23, width: along, height: edge * 0.2 }, print)
          }
        }),
    }
  },
})

interface Film {
  readonly length: number
  readonly breadth: number
  readonly edge: number
  readonly high: number
}

function film(pen: Pen, { length, breadth, edge, high }: Film): void {
  fillBox(
    pen,
    { x: 0, y: 0, width: length, height: breadth },
    linear(
      pen,
      [0, 0],
      [0, breadth],
      [
        [0, '#1a1310'],
        [0.5, '#241a15'],
        [1, '#15100d'],
      ],
    ),
  )
  const hole = { width: edge * 0.32, height: edge * 0.44 }
  const count = Math.max(1, Math.round(length / (edge * 0.66)))
  apart(pen, () => {
    pen.globalCompositeOperation = 'destination-out'
    for (let i = 0; i < count; i++) {
      const x = ((i + 0.5) * length) / count - hole.width / 2
      for (const y of [edge * 0.32, breadth - edge * 0.76]) {
        pen.beginPath()
        pen.roundRect(x, y, hole.width, hole.height, edge * 0.09)
        pen.fill()
      }
    }
  })
  fillBox(pen, { x: 0, y: edge - high * 0.012, width: length, height: high * 0.006 }, 'rgba(255,200,140,.12)')
}

function edgePrint(pen: Pen, text: string, box: Box, paint: string): void {
  drawText(pen, text, box, {
    face: 'mono',
    sizePx: box.height * 0.95,
    colour: paint,
    maxLines: 1,
    spacingEm: 0.08,
    align: 'start',
  })
}

export const postage = scene({
  name: 'postage',
  summary: 'Prints a postage stamp and cancels it',
  params: z.object({
    country: words({ max: 24, default: 'Bandstand', about: 'Who issues the stamp.' }),
    value: words({ max: 6, default: '80', about: 'The value printed on it.' }),
    postmark: words({
      max: 20,
      default: 'First day of issue',
      about: 'What the postmark says; empty for a mint stamp.',
    }),
    colour: colour({ default: '#1f4e79', about: 'The colour of the print.' }),
  }),
  compose([size], { country, value, postmark, colour: ink }) {
    const edge = edgeOf(size!, [360, 720])
    const ratio = Math.min(1.4, Math.max(0.7, size!.width / size!.height))
    const [wide, tall] = [Math.round(edge * Math.min(1, ratio)), Math.round(edge / Math.max(1, ratio))]
    const u = edge / 100
    const rim = u * 9
    const picture = { x: rim, y: rim, width: wide, height: tall }
    const outer = { width: Math.round(wide + 2 * rim), height: Math.round(tall + 2 * rim + u * 12) }
    return {
      ...outer,
      slots: [picture],
      under: (pen) => perforated(pen, outer, u),
      over(pen) {
        pen.strokeStyle = ink
        pen.lineWidth = u * 0.7
        pen.strokeRect(picture.x, picture.y, picture.width, picture.height)
        const row = { x: rim, y: tall + rim + u * 1.6, width: wide, height: u * 11 }
        drawText(
          pen,
          country.toUpperCase(),
          { ...row, width: wide * 0.68 },
          {
            face: 'serifBold',
            sizePx: u * 7,
            colour: ink,
            align: 'start',
            maxLines: 1,
            spacingEm: 0.08,
          },
        )
        drawText(
          pen,
          value,
          { ...row, x: rim + wide * 0.7, width: wide * 0.3 },
          {
            face: 'serifBold',
            sizePx: u * 11,
            colour: ink,
            align: 'end',
            maxLines: 1,
          },
        )
        if (postmark.trim()) cancel(pen, { x: rim + wide * 0.76, y: rim + tall * 0.2 }, u, postmark)
      },
    }
  },
})

function perforated(pen: Pen, { width, height }: { width: number; height: number }, u: number): void {
  fillBox(
    pen,
    full({ width, height }),
    linear(
      pen,
      [0, 0],
      [width, height],
      [
        [0, '#fdfbf4'],
        [1, '#f0eadb'],
      ],
    ),
  )
  apart(pen, () => {
    pen.globalCompositeOperation = 'destination-out'
    const [columns, rows] = [Math.round(width / (u * 5)), Math.round(height / (u * 5))]
    const hole = (x: number, y: number) => {
      circle(pen, x, y, u * 1.5)
      pen.fill()
    }
    for (let i = 0; i <= columns; i++) for (const y of [0, height]) hole((i * width) / columns, y)
    for (let i = 0; i <= rows; i++) for (const x of [0, width]) hole(x, (i * height) / rows)
  })
}

function cancel(pen: Pen, at: { x: number; y: number }, u: number, text: string): void {
  const dice = createDice(7)
  apart(pen, () => {
    pen.translate(at.x, at.y)
    pen.rotate(-0.16)
    pen.strokeStyle = 'rgba(20,18,24,.72)'
    pen.lineWidth = u * 0.7
    circle(pen, 0, 0, u * 17)
    pen.stroke()
    circle(pen, 0, 0, u * 11.4)
    pen.stroke()
    for (let i = 0; i < 5; i++) {
      const y = (i - 2) * u * 5
      pen.beginPath()
      for (let x = -u * 18; x > -u * 62; x -= u)
        pen.lineTo(x, y + Math.sin(x / (u * 2.6)) * u * 1.1 + dice.between(-0.1, 0.1) * u)
      pen.stroke()
    }
    const letters = Array.from(text.toUpperCase())
    const spread = Math.min(Math.PI * 1.8, letters.length * 0.3)
    for (const [i, letter] of letters.entries()) {
      apart(pen, () => {
        pen.rotate((i - (letters.length - 1) / 2) * (spread / letters.length))
        drawText(
          pen,
          letter,
          { x: -u * 3, y: -u * 16.6, width: u * 6, height: u * 4.8 },
          {
            face: 'bold',
            sizePx: u * 4.1,
            colour: 'rgba(20,18,24,.8)',
            maxLines: 1,
          },
        )
      })
    }
    drawText(
      pen,
      '12 · VI',
      { x: -u * 9, y: -u * 4, width: u * 18, height: u * 8 },
      { face: 'bold', sizePx: u * 4.4, colour: 'rgba(20,18,24,.8)', maxLines: 1 },
    )
  })
}
