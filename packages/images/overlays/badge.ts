import { z } from 'zod'
import { colour, oneOf, whole, words } from '../params.ts'
import {
  circle,
  fill,
  fillBox,
  inkOn,
  linear,
  mix,
  roundBox,
  shaded,
  useStroke,
  type Pen,
  type Size,
} from './canvas.ts'
import { full, roomFor, scene } from './scene.ts'
import { drawText, fitText, type TextStyle } from './text.ts'

const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const

export const badge = scene('badge', 'Add a badge or a ribbon to a corner', {
  params: z.object({
    text: words({ max: 16, default: 'NEW', about: 'Text of the badge: a number, a word or an emoji.' }),
    style: oneOf(['pill', 'ribbon', 'star'], { default: 'ribbon', about: 'Shape of the badge.' }),
    corner: oneOf(CORNERS, { default: 'top-right', about: 'Corner of the badge.' }),
    colour: colour({ default: '#e63946', about: 'Colour of the badge.' }),
    reach: whole({ min: 10, max: 60, default: 32, about: 'Size in percent of the image.' }),
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
      fill(pen, linear(pen, [0, box.y], [0, box.y + high], { 0: mix(paint, '#ffffff', 0.2), 1: paint }))
    })
    useStroke(pen, 'rgba(255,255,255,.9)', high * 0.06)
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
        linear(pen, [0, -high / 2], [0, high / 2], {
          0: mix(paint, '#ffffff', 0.16),
          0.5: paint,
          1: mix(paint, '#000000', 0.2),
        }),
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
      fill(
        pen,
        linear(pen, [-radius, -radius], [radius, radius], {
          0: mix(paint, '#ffffff', 0.28),
          1: mix(paint, '#000000', 0.12),
        }),
      )
    })
    useStroke(pen, 'rgba(255,255,255,.85)', radius * 0.035)
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
