import { z } from 'zod'
import { colour, decimal, words } from '../params.ts'
import { apart, fade, fill, fillBox, inkOn, linear, shaded, useStroke, type Box, type Pen } from './canvas.ts'
import { edgeOf, scene } from './scene.ts'
import { drawText } from './text.ts'

export const polaroid = scene('polaroid', 'Show as an instant photograph with a handwritten line', {
  params: z.object({
    text: words({ max: 60, default: '', about: 'Text below the image.' }),
    angle: decimal({ min: -30, max: 30, default: -4, about: 'Rotation in degrees.' }),
    paper: colour({ default: '#fbf9f3', about: 'Colour of the paper.' }),
    tape: colour({ default: '#e9d9a2', about: 'Colour of the adhesive tape.' }),
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
      under: (pen) => turned(pen, () => sheet(pen, { x: 0, y: 0, ...card }, paper, margin)),
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

function sheet(pen: Pen, card: Box, paper: string, margin: number): void {
  shaded(pen, { colour: 'rgba(0,0,0,.5)', blur: margin * 0.7, y: margin * 0.2 }, () => fillBox(pen, card, paper))
  fillBox(pen, card, linear(pen, [0, 0], [0, card.height], { 0: 'rgba(255,255,255,.4)', 1: 'rgba(90,70,30,.1)' }))
}

function gloss(pen: Pen, picture: Box): void {
  const { x, y, width, height } = picture
  fillBox(
    pen,
    picture,
    linear(pen, [x, y], [x + width, y + height], {
      0: 'rgba(255,255,255,.22)',
      0.34: 'rgba(255,255,255,.05)',
      0.345: 'rgba(255,255,255,0)',
      1: 'rgba(20,10,40,.1)',
    }),
  )
  useStroke(pen, 'rgba(0,0,0,.3)', Math.max(1, width * 0.004))
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
    fill(pen, fade(paint, 0.82))
  })
  fillBox(
    pen,
    { x: -width / 2 + height * 0.1, y: -height * 0.32, width: width - height * 0.2, height: height * 0.1 },
    'rgba(255,255,255,.25)',
  )
}
