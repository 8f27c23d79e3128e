import { z } from 'zod'
import { colour, oneOf, whole, words } from '../params.ts'
import { apart, fillBox, linear, type Box, type Pen } from './canvas.ts'
import { edgeOf, scene, type Slot } from './scene.ts'
import { drawText } from './text.ts'

export const filmstrip = scene('filmstrip', 'Show on a film strip', {
  params: z.object({
    frames: whole({ min: 1, max: 4, default: 3, about: 'Number of frames.' }),
    direction: oneOf(['across', 'down'], { default: 'across', about: 'Direction of the strip.' }),
    text: words({ max: 24, default: 'SAFETY FILM', about: 'Text on the edge.' }),
    colour: colour({ default: '#f0a03c', about: 'Colour of the text on the edge.' }),
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
              { x, y: edge * 0.07, width: along, height: edge * 0.2 },
              print,
            )
            edgePrint(pen, `${22 + i}`, { x, y: breadth - edge * 0.27, width: along, height: edge * 0.2 }, print)
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
    linear(pen, [0, 0], [0, breadth], { 0: '#1a1310', 0.5: '#241a15', 1: '#15100d' }),
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
