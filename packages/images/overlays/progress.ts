import { z } from 'zod'
import { colour, flag, whole } from '../params.ts'
import { circle, fill, inkOn, mix, roundBox, shaded, useStroke, type Pen } from './canvas.ts'
import { roomFor, scene } from './scene.ts'
import { drawText } from './text.ts'

export const progress = scene('progress', 'Crop to a circle with a progress ring', {
  params: z.object({
    value: whole({ min: 0, max: 100, default: 72, about: 'Progress in percent.' }),
    colour: colour({ default: '#38d39f', about: 'Colour of the ring.' }),
    track: colour({ default: '#2b2d33', about: 'Colour of the remaining part.' }),
    label: flag({ default: true, about: 'Whether to show the value on the ring.' }),
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
        useStroke(pen, track, thick)
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
        if (label) pill(pen, edge, `${value}%`, paint)
      },
    }
  },
})

function pill(pen: Pen, edge: number, text: string, paint: string): void {
  const box = { x: edge * 0.36, y: edge * 0.855, width: edge * 0.28, height: edge * 0.12 }
  shaded(pen, { colour: 'rgba(0,0,0,.45)', blur: edge * 0.02, y: edge * 0.006 }, () => {
    roundBox(pen, box, box.height)
    fill(pen, paint)
  })
  drawText(pen, text, box, { face: 'bold', sizePx: box.height * 0.66, colour: inkOn(paint), maxLines: 1 })
}
