import { z } from 'zod'
import { colour, flag, oneOf, whole, words } from '../params.ts'
import {
  apart,
  circle,
  createDice,
  fade,
  fillBox,
  inkOn,
  linear,
  mix,
  roundBox,
  shaded,
  type Pen,
  type Size,
} from './canvas.ts'
import { full, roomFor, scene, unitOf } from './scene.ts'
import { drawText, fitText, type TextStyle } from './text.ts'

export const progress = scene({
  name: 'progress',
  summary: 'Cuts the picture round and puts a progress ring about it',
  params: z.object({
    value: whole({ min: 0, max: 100, default: 72, about: 'How far it is, in percent.' }),
    colour: colour({ default: '#38d39f', about: 'The colour of the ring.' }),
    track: colour({ default: '#2b2d33', about: 'The colour of what is still to come.' }),
    label: flag({ default: true, about: 'Whether the value is written on the ring.' }),
  }),
  compose([size], { value, colour: paint, track, label }) {
    const room = roomFor(size!)
    const edge = Math.max(96, Math.min(room.width, room.height))
    const [middle, thick] = [edge / 2, edge * 0.055]
    const radius = middle - thick
    const inner = radius - thick * 1.1
    const box = { x: middle - inner, y: middle - inner, width: inner * 2, height: inner * 2 }
    return {
      width: edge,
      height: edge,
      slots: [{ ...box, clip: (pen) => pen.arc(middle, middle, inner, 0, Math.PI * 2) }],
      over(pen) {
        pen.lineCap = 'round'
        pen.lineWidth = thick
        pen.strokeStyle = track
        circle(pen, middle, middle, radius)
        pen.stroke()
        const from = -Math.PI / 2
        const sweep = (Math.PI * 2 * value) / 100
        if (value > 0) {
          const glow = pen.createConicGradient(from, middle, middle)
          glow.addColorStop(0, mix(paint, '#000000', 0.22))
          glow.addColorStop(Math.max(0.001, value / 100), mix(paint, '#ffffff', 0.22))
          if (value < 100) glow.addColorStop(1, mix(paint, '#000000', 0.22))
          pen.strokeStyle = glow
          pen.beginPath()
          pen.arc(middle, middle, radius, from, from + sweep)
          pen.stroke()
        }
        if (label) pill(pen, edge, `${value} %`, paint)
      },
    }
  },
})

function pill(pen: Pen, edge: number, text: string, paint: string): void {
  const box = { x: edge * 0.36, y: edge * 0.855, width: edge * 0.28, height: edge * 0.12 }
  shaded(pen, { colour: 'rgba(0,0,0,.45)', blur: edge * 0.02, y: edge * 0.006 }, () => {
    roundBox(pen, box, box.height)
    pen.fillStyle = paint
    pen.fill()
  })
  drawText(pen, text, box, { face: 'bold', sizePx: box.height * 0.66, colour: inkOn(paint), maxLines: 1 })
}

const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const

export const badge = scene({
  name: 'badge',
  summary: 'Pins a badge or a ribbon to a corner',
  params: z.object({
    text: words({ max: 16, default: 'NEW', about: 'What the badge says: a number, a word or an emoji.' }),
    style: oneOf(['pill', 'ribbon', 'star'], { default: 'ribbon', about: 'The shape of the badge.' }),
    corner: oneOf(CORNERS, { default: 'top-right', about: 'The corner it sits in.' }),
    colour: colour({ default: '#e63946', about: 'The colour of the badge.' }),
    reach: whole({ min: 10, max: 60, default: 32, about: 'How large it is, in percent of the picture.' }),
  }),
  compose([size], { text, style, corner, colour: paint, reach }) {
    const picture = roomFor(size!)
    const edge = (Math.min(picture.width, picture.height) * reach) / 100
    return {
      ...picture,
      slots: [full(picture)],
      over: (pen) =>
        BADGES[style](pen, {
          picture,
          edge,
          right: corner.endsWith('right'),
          low: corner.startsWith('b'),
          text,
          paint,
        }),
    }
  },
})

interface Badge {
  readonly picture: Size
  readonly edge: number
  readonly right: boolean
  readonly low: boolean
  readonly text: string
  readonly paint: string
}

const BADGES = {
  pill(pen: Pen, { picture, edge, right, low, text, paint }: Badge): void {
    const high = edge * 0.42
    const style: TextStyle = { face: 'bold', sizePx: high * 0.62, colour: inkOn(paint), maxLines: 1 }
    const fitted = fitText(pen, text, { width: picture.width * 0.7, height: high }, style)
    const width = Math.max(high, fitted.widthPx + high * 0.8)
    const gap = edge * 0.14
    const box = {
      x: right ? picture.width - width - gap : gap,
      y: low ? picture.height - high - gap : gap,
      width,
      height: high,
    }
    shaded(pen, { colour: 'rgba(0,0,0,.5)', blur: high * 0.25, y: high * 0.06 }, () => {
      roundBox(pen, box, high)
      pen.fillStyle = linear(
        pen,
        [0, box.y],
        [0, box.y + high],
        [
          [0, mix(paint, '#ffffff', 0.2)],
          [1, paint],
        ],
      )
      pen.fill()
    })
    pen.strokeStyle = 'rgba(255,255,255,.9)'
    pen.lineWidth = high * 0.06
    pen.stroke()
    drawText(pen, text, box, { ...style, sizePx: fitted.sizePx })
  },
  ribbon(pen: Pen, { picture, edge, right, low, text, paint }: Badge): void {
    const [long, high] = [edge * 1.9, edge * 0.34]
    const centre = edge * 0.55
    pen.translate(right ? picture.width - centre : centre, low ? picture.height - centre : centre)
    pen.rotate((right === low ? -1 : 1) * (Math.PI / 4))
    const box = { x: -long / 2, y: -high / 2, width: long, height: high }
    shaded(pen, { colour: 'rgba(0,0,0,.55)', blur: high * 0.35, y: high * 0.1 }, () =>
      fillBox(
        pen,
        box,
        linear(
          pen,
          [0, -high / 2],
          [0, high / 2],
          [
            [0, mix(paint, '#ffffff', 0.16)],
            [0.5, paint],
            [1, mix(paint, '#000000', 0.2)],
          ],
        ),
      ),
    )
    for (const y of [-0.4, 0.36])
      fillBox(pen, { x: -long / 2, y: y * high, width: long, height: high * 0.035 }, 'rgba(255,255,255,.65)')
    const room = { x: -edge * 0.56, y: -high / 2, width: edge * 1.12, height: high }
    drawText(pen, text, room, {
      face: 'poster',
      sizePx: high * 0.56,
      colour: inkOn(paint),
      maxLines: 1,
      spacingEm: 0.06,
    })
  },
  star(pen: Pen, { picture, edge, right, low, text, paint }: Badge): void {
    const radius = edge * 0.5
    const gap = radius * 1.16
    pen.translate(right ? picture.width - gap : gap, low ? picture.height - gap : gap)
    pen.rotate(-0.14)
    const points = 18
    const outline = (scale: number) => {
      pen.beginPath()
      for (let i = 0; i < points * 2; i++) {
        const reach = radius * scale * (i % 2 ? 0.86 : 1)
        pen.lineTo(Math.cos((i * Math.PI) / points) * reach, Math.sin((i * Math.PI) / points) * reach)
      }
      pen.closePath()
    }
    shaded(pen, { colour: 'rgba(0,0,0,.5)', blur: radius * 0.2, y: radius * 0.06 }, () => {
      outline(1)
      pen.fillStyle = linear(
        pen,
        [-radius, -radius],
        [radius, radius],
        [
          [0, mix(paint, '#ffffff', 0.28)],
          [1, mix(paint, '#000000', 0.12)],
        ],
      )
      pen.fill()
    })
    pen.strokeStyle = 'rgba(255,255,255,.85)'
    pen.lineWidth = radius * 0.035
    circle(pen, 0, 0, radius * 0.74)
    pen.stroke()
    const side = radius * 1.2
    drawText(
      pen,
      text,
      { x: -side / 2, y: -side / 2, width: side, height: side },
      { face: 'poster', sizePx: radius * 0.6, colour: inkOn(paint), maxLines: 3, lineEm: 1.1 },
    )
  },
}

export const stamp = scene({
  name: 'stamp',
  summary: 'Presses a rubber stamp on the picture',
  params: z.object({
    text: words({ max: 20, default: 'Approved', about: 'What the stamp says.' }),
    colour: colour({ default: '#d62828', about: 'The colour of the ink.' }),
    angle: whole({ min: -60, max: 60, default: -16, about: 'How far it is turned, in degrees.' }),
    wear: whole({ min: 0, max: 100, default: 45, about: 'How worn the stamp is.' }),
    seed: whole({ min: 0, max: 999_999, default: 1, about: 'Another number, other wear.' }),
  }),
  compose([size], { text, colour: paint, angle, wear, seed }) {
    const picture = roomFor(size!)
    return {
      ...picture,
      slots: [full(picture)],
      opacity: 0.94,
      over(pen) {
        const dice = createDice(seed)
        const wide = Math.min(picture.width * 0.82, picture.height * 1.5)
        const room = { width: wide * 0.86, height: wide * 0.26 }
        const style: TextStyle = { face: 'poster', sizePx: wide * 0.2, colour: paint, maxLines: 1, spacingEm: 0.05 }
        const fitted = fitText(pen, text.toUpperCase(), room, style)
        const high = fitted.sizePx * 1.75
        const box = {
          x: -fitted.widthPx / 2 - high * 0.28,
          y: -high / 2,
          width: fitted.widthPx + high * 0.56,
          height: high,
        }
        pen.translate(picture.width / 2, picture.height / 2)
        pen.rotate((angle * Math.PI) / 180)
        pen.strokeStyle = paint
        pen.lineWidth = high * 0.075
        roundBox(pen, box, high * 0.14)
        pen.stroke()
        pen.lineWidth = high * 0.022
        roundBox(
          pen,
          { x: box.x + high * 0.085, y: box.y + high * 0.085, width: box.width - high * 0.17, height: high * 0.83 },
          high * 0.08,
        )
        pen.stroke()
        drawText(
          pen,
          text.toUpperCase(),
          { x: -wide, y: -high / 2, width: wide * 2, height: high },
          { ...style, sizePx: fitted.sizePx },
        )
        pen.globalCompositeOperation = 'destination-out'
        for (let i = 0; i < wear * 34; i++) {
          const patch = dice.next() < 0.06 ? 3.2 : 1
          circle(
            pen,
            dice.between(-0.6, 0.6) * box.width,
            dice.between(-0.7, 0.7) * high,
            high * dice.between(0.003, 0.014) * patch,
          )
          pen.fillStyle = `rgba(0,0,0,${dice.between(0.35, 1)})`
          pen.fill()
        }
      },
    }
  },
})

export const jail = scene({
  name: 'jail',
  summary: 'Puts the picture behind bars',
  params: z.object({
    bars: whole({ min: 2, max: 12, default: 6, about: 'How many bars there are.' }),
    colour: colour({ default: '#6b7078', about: 'The colour of the iron.' }),
  }),
  compose([size], { bars, colour: iron }) {
    const picture = roomFor(size!)
    const { width, height } = picture
    return {
      ...picture,
      slots: [{ ...full(picture), filter: 'brightness(.8) saturate(.75)' }],
      over(pen) {
        const thick = Math.min((width / bars) * 0.26, unitOf(picture) * 5)
        for (let i = 0; i < bars; i++) {
          const x = ((i + 0.5) * width) / bars
          fillBox(pen, { x: x - thick * 0.2, y: 0, width: thick * 1.5, height }, 'rgba(0,0,0,.35)')
          bar(pen, { x: x - thick / 2, y: 0, width: thick, height }, iron, false)
        }
        for (const part of [0.12, 0.88]) {
          const y = height * part - thick * 0.6
          fillBox(pen, { x: 0, y: y + thick * 0.4, width, height: thick * 1.3 }, 'rgba(0,0,0,.35)')
          bar(pen, { x: 0, y, width, height: thick * 1.2 }, iron, true)
          for (let i = 0; i < bars; i++) rivet(pen, ((i + 0.5) * width) / bars, y + thick * 0.6, thick * 0.26, iron)
        }
      },
    }
  },
})

function bar(
  pen: Pen,
  box: { x: number; y: number; width: number; height: number },
  iron: string,
  lies: boolean,
): void {
  const end = lies ? ([box.x, box.y + box.height] as const) : ([box.x + box.width, box.y] as const)
  fillBox(
    pen,
    box,
    linear(pen, [box.x, box.y], end, [
      [0, mix(iron, '#000000', 0.55)],
      [0.28, mix(iron, '#ffffff', 0.45)],
      [0.5, iron],
      [1, mix(iron, '#000000', 0.75)],
    ]),
  )
}

function rivet(pen: Pen, x: number, y: number, radius: number, iron: string): void {
  apart(pen, () => {
    pen.shadowColor = 'rgba(0,0,0,.7)'
    pen.shadowBlur = radius * 0.5
    pen.shadowOffsetY = radius * 0.2
    circle(pen, x, y, radius)
    pen.fillStyle = mix(iron, '#000000', 0.25)
    pen.fill()
  })
  circle(pen, x - radius * 0.25, y - radius * 0.3, radius * 0.4)
  pen.fillStyle = fade('#ffffff', 0.45)
  pen.fill()
}
