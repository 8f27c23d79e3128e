import { z } from 'zod'
import { colour, oneOf, whole } from '../params.ts'
import {
  apart,
  circle,
  fade,
  fill,
  fillBox,
  mix,
  path,
  roundBox,
  shaded,
  useStroke,
  type Pen,
  type Point,
  type Size,
} from './canvas.ts'
import { full, roomFor, scene } from './scene.ts'
import { drawText } from './text.ts'

export const target = scene('target', 'Add a target sight', {
  params: z.object({
    style: oneOf(['scope', 'lock'], {
      default: 'scope',
      about: 'Telescopic sight, or computer tracking.',
    }),
    x: whole({ min: 0, max: 100, default: 50, about: 'Target, in percent from the left.' }),
    y: whole({ min: 0, max: 100, default: 45, about: 'Target, in percent from the top.' }),
    reach: whole({ min: 10, max: 100, default: 76, about: 'Size of the sight, in percent of the image.' }),
    colour: colour({ default: '#ff3b30', about: 'Colour of the sight.' }),
  }),
  compose([size], { style, x, y, reach, colour: paint }) {
    const picture = roomFor(size!)
    const at = [(picture.width * x) / 100, (picture.height * y) / 100] as const
    const radius = (Math.min(picture.width, picture.height) * reach) / 200
    return {
      ...picture,
      slots: [full(picture)],
      over: (pen) => SIGHTS[style](pen, picture, { at, radius, paint }),
    }
  },
})

interface Aim {
  readonly at: Point
  readonly radius: number
  readonly paint: string
}

const SIGHTS = {
  scope(pen: Pen, size: Size, { at: [x, y], radius, paint }: Aim): void {
    const line = Math.max(1, radius * 0.012)
    pen.beginPath()
    pen.rect(0, 0, size.width, size.height)
    pen.arc(x, y, radius, 0, Math.PI * 2, true)
    pen.fillStyle = 'rgba(4,5,7,.93)'
    pen.fill('evenodd')
    apart(pen, () => {
      circle(pen, x, y, radius)
      pen.clip()
      pen.shadowColor = '#000'
      pen.shadowBlur = radius * 0.28
      useStroke(pen, '#000', radius * 0.08)
      circle(pen, x, y, radius * 1.04)
      pen.stroke()
      pen.shadowBlur = 0
      pen.fillStyle = 'rgba(8,9,11,.92)'
      for (let i = 0; i < 4; i++) {
        apart(pen, () => {
          pen.translate(x, y)
          pen.rotate((i * Math.PI) / 2)
          pen.fillRect(radius * 0.5, -line * 2.4, radius, line * 4.8)
          pen.fillRect(radius * 0.06, -line * 0.5, radius, line)
          for (let mil = 1; mil < 6; mil++)
            pen.fillRect(radius * mil * 0.09, -line * (mil % 2 ? 2.5 : 4), line, line * (mil % 2 ? 5 : 8))
        })
      }
    })
    pen.shadowColor = paint
    pen.shadowBlur = line * 6
    circle(pen, x, y, line * 2.2)
    fill(pen, paint)
    pen.shadowBlur = 0
    useStroke(pen, '#24272c', line * 4)
    circle(pen, x, y, radius)
    pen.stroke()
  },
  lock(pen: Pen, size: Size, { at: [x, y], radius, paint }: Aim): void {
    const line = Math.max(1, radius * 0.016)
    fillBox(pen, full(size), fade(mix(paint, '#000000', 0.8), 0.28))
    shaded(pen, { colour: paint, blur: line * 5 }, () => {
      pen.strokeStyle = paint
      pen.fillStyle = paint
      pen.lineWidth = line
      for (let i = 0; i < 4; i++) {
        apart(pen, () => {
          pen.translate(x, y)
          pen.rotate((i * Math.PI) / 2)
          const far = radius * 0.82
          pen.lineWidth = line * 2
          path(pen, [far, far * 0.62], [far, far], [far * 0.62, far])
          pen.stroke()
          pen.fillRect(radius * 0.3, -line / 2, radius * 0.34, line)
          pen.lineWidth = line
          pen.beginPath()
          pen.arc(0, 0, radius * 0.62, 0.18, Math.PI / 2 - 0.18)
          pen.stroke()
          pen.beginPath()
          pen.arc(0, 0, radius * 0.52, 0.5, 0.86)
          pen.stroke()
        })
      }
      circle(pen, x, y, line * 1.8)
      pen.fill()
      fillBox(pen, { x: 0, y: y - line * 0.15, width: size.width, height: line * 0.3 }, fade(paint, 0.35))
      fillBox(pen, { x: x - line * 0.15, y: 0, width: line * 0.3, height: size.height }, fade(paint, 0.35))
    })
    const tag = { x: x - radius * 0.82, y: y + radius * 0.9, width: radius * 1.64, height: radius * 0.17 }
    roundBox(pen, tag, line * 2)
    fill(pen, fade(paint, 0.9))
    drawText(pen, 'TARGET LOCKED', tag, {
      face: 'mono',
      sizePx: tag.height * 0.62,
      colour: '#ffffff',
      maxLines: 1,
      spacingEm: 0.12,
    })
  },
}
