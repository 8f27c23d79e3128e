import { z } from 'zod'
import { colour, oneOf, whole, words } from '../params.ts'
import { circle, inkOn, shaded, type Box, type Pen, type Point } from './canvas.ts'
import { full, roomFor, scene } from './scene.ts'
import { drawText, fitText, type TextStyle } from './text.ts'

export const bubble = scene('bubble', 'Add a speech bubble', {
  params: z.object({
    text: words({ max: 160, default: 'Hello there!', about: 'Text of the bubble.' }),
    style: oneOf(['speech', 'thought', 'shout'], { default: 'speech', about: 'Shape of the bubble.' }),
    x: whole({ min: 0, max: 100, default: 48, about: 'Target of the bubble, in percent from the left.' }),
    y: whole({ min: 0, max: 100, default: 56, about: 'Target of the bubble, in percent from the top.' }),
    colour: colour({ default: '#ffffff', about: 'Colour of the bubble.' }),
  }),
  compose([size], { text, style, x, y, colour: fill }) {
    const picture = roomFor(size!)
    return {
      ...picture,
      slots: [full(picture)],
      over(pen) {
        const { width, height } = picture
        const letters: TextStyle = {
          face: 'bold',
          sizePx: Math.min(width, height) * 0.085,
          colour: inkOn(fill),
          maxLines: 6,
        }
        const room = { width: width * ROOM[style], height: height * 0.3 }
        const fitted = fitText(pen, text, room, letters)
        const pad = fitted.sizePx * (style === 'thought' ? 1.5 : 0.9)
        const box = { width: fitted.widthPx + 2 * pad, height: fitted.heightPx + pad * 1.5 }
        // Keep the bubble beside the point rather than over it, and always whole on the picture.
        const target: Point = [(width * x) / 100, (height * y) / 100]
        const over = overhang(style, box)
        const [sides, ends] = [Math.max(width * 0.04, over.x), Math.max(height * 0.05, over.y)]
        const left = clamp(target[0] - box.width * (x > 50 ? 0.7 : 0.3), sides, width - sides - box.width)
        // At the edge, unless that is so far off that the tail would become a needle.
        const far = Math.min(width, height) * LONGEST_TAIL
        const top =
          y >= 45 ? Math.max(ends, target[1] - far - box.height) : Math.min(height - ends - box.height, target[1] + far)
        const body = { ...box, x: left, y: top }
        const line = Math.max(1.5, Math.min(width, height) * 0.008)
        SHAPES[style](pen, body, target, { fill, line })
        drawText(
          pen,
          text,
          { ...room, x: left + box.width / 2 - room.width / 2, y: top, height: box.height },
          {
            ...letters,
            sizePx: fitted.sizePx,
          },
        )
      },
    }
  },
})

/** The distance that puffs and spikes go beyond the body, their outline included. */
function overhang(
  style: keyof typeof SHAPES,
  { width, height }: Pick<Box, 'width' | 'height'>,
): { x: number; y: number } {
  const puff = puffRadius({ width, height })
  switch (style) {
    case 'speech':
      return { x: 0, y: 0 }
    case 'thought':
      return { x: puff * 0.6, y: puff * 0.75 }
    case 'shout':
      return { x: width * 0.28, y: height * 0.3 }
  }
}

function puffRadius({ width, height }: Pick<Box, 'width' | 'height'>): number {
  return Math.min(height * 0.3, width * 0.2)
}

/** The distance from the body to the target, as a part of the shorter edge. */
const LONGEST_TAIL = 0.4

/** The width for text, as a part of the picture's: spikes need room. */
const ROOM = { speech: 0.66, thought: 0.62, shout: 0.44 } as const

type Paint = { readonly fill: string; readonly line: number }

/** Outlined first as a whole and filled afterwards, so that parts which overlap melt into one. */
function ink(pen: Pen, { fill, line }: Paint, paths: readonly (() => void)[]): void {
  shaded(pen, { colour: 'rgba(0,0,0,.35)', blur: line * 4, y: line * 1.5 }, () => {
    pen.strokeStyle = inkOn(fill)
    pen.lineJoin = 'round'
    pen.lineWidth = line * 2
    for (const path of paths) {
      path()
      pen.stroke()
    }
  })
  pen.fillStyle = fill
  for (const path of paths) {
    path()
    pen.fill()
  }
}

const SHAPES: Record<'speech' | 'thought' | 'shout', (pen: Pen, body: Box, target: Point, paint: Paint) => void> = {
  speech(pen, body, target, paint) {
    const middle = clamp(target[0], body.x + body.width * 0.25, body.x + body.width * 0.75)
    const root = body.y + body.height / 2
    const half = Math.min(body.width * 0.09, body.height * 0.3)
    ink(pen, paint, [
      () => {
        pen.beginPath()
        pen.roundRect(body.x, body.y, body.width, body.height, Math.min(body.height * 0.45, body.width * 0.2))
      },
      () => {
        pen.beginPath()
        pen.moveTo(middle - half, root)
        pen.quadraticCurveTo(middle - half * 0.6, (root + target[1]) / 2, target[0], target[1])
        pen.quadraticCurveTo(middle + half * 1.1, (root + target[1]) / 2, middle + half, root)
        pen.closePath()
      },
    ])
  },
  thought(pen, body, target, paint) {
    const middle: Point = [body.x + body.width / 2, body.y + body.height / 2]
    const puffs: (() => void)[] = []
    const count = 14
    const radius = puffRadius(body)
    for (let i = 0; i < count; i++) {
      const angle = (i / count) * Math.PI * 2
      const [x, y] = [
        middle[0] + Math.cos(angle) * (body.width / 2 - radius * 0.75),
        middle[1] + Math.sin(angle) * (body.height / 2 - radius * 0.6),
      ]
      puffs.push(() => circle(pen, x, y, radius * (0.85 + 0.3 * ((i * 5) % 3) * 0.5)))
    }
    puffs.push(() => {
      pen.beginPath()
      pen.ellipse(
        middle[0],
        middle[1],
        body.width / 2 - radius * 0.4,
        body.height / 2 - radius * 0.3,
        0,
        0,
        Math.PI * 2,
      )
    })
    const edge = target[1] > middle[1] ? body.y + body.height : body.y
    for (const [part, size] of [
      [0.28, 0.34],
      [0.6, 0.22],
      [0.88, 0.13],
    ] as const) {
      const x = middle[0] + (target[0] - middle[0]) * part
      puffs.push(() => circle(pen, x, edge + (target[1] - edge) * part, radius * size))
    }
    ink(pen, paint, puffs)
  },
  shout(pen, body, target, paint) {
    const middle: Point = [body.x + body.width / 2, body.y + body.height / 2]
    const towards = Math.atan2((target[1] - middle[1]) / body.height, (target[0] - middle[0]) / body.width)
    const spikes = 18
    ink(pen, paint, [
      () => {
        pen.beginPath()
        for (let i = 0; i < spikes * 2; i++) {
          const angle = towards + (i / (spikes * 2)) * Math.PI * 2
          const reach = i % 2 === 1 ? 0.56 : 0.66 + 0.1 * ((i * 7) % 4) * 0.33
          if (i === 0) pen.lineTo(target[0], target[1])
          else
            pen.lineTo(
              middle[0] + Math.cos(angle) * body.width * reach,
              middle[1] + Math.sin(angle) * body.height * reach,
            )
        }
        pen.closePath()
      },
    ])
  },
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(Math.max(low, high), value))
}
