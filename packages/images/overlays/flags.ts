import { z } from 'zod'
import { oneOf, whole } from '../params.ts'
import { full, roomFor, scene, type Scene } from './scene.ts'
import { apart, circle, fade, fillBox, linear, radial, useStroke, type Size } from './canvas.ts'

const STRIPES = {
  rainbow: ['#e40303', '#ff8c00', '#ffed00', '#008026', '#004dff', '#750787'],
  trans: ['#5bcefa', '#f5a9b8', '#ffffff', '#f5a9b8', '#5bcefa'],
  bi: ['#d60270', '#d60270', '#9b4f96', '#0038a8', '#0038a8'],
  lesbian: ['#d52d00', '#ff9a56', '#ffffff', '#d362a4', '#a30262'],
  pan: ['#ff218c', '#ffd800', '#21b1ff'],
  nonbinary: ['#fcf434', '#ffffff', '#9c59d1', '#2c2c2c'],
  ace: ['#000000', '#a3a3a3', '#ffffff', '#800080'],
} as const

export const rainbow = scene('rainbow', 'Add rainbow colours', {
  params: z.object({
    colours: oneOf(['rainbow', 'trans', 'bi', 'lesbian', 'pan', 'nonbinary', 'ace'], {
      default: 'rainbow',
      about: 'Set of stripes.',
    }),
    style: oneOf(['stripes', 'ring', 'bow'], {
      default: 'stripes',
      about: 'Over the whole image, as a ring, or as a bow in the sky.',
    }),
    opacity: whole({ min: 5, max: 100, default: 45, about: 'Opacity of stripes and bow, in percent.' }),
  }),
  compose([size], { colours, style, opacity }) {
    return STYLES[style](roomFor(size!), STRIPES[colours], opacity / 100)
  },
})

const STYLES: Record<
  'stripes' | 'ring' | 'bow',
  (picture: Size, stripes: readonly string[], opacity: number) => Scene
> = {
  stripes: (picture, stripes, opacity) => ({
    ...picture,
    slots: [full(picture)],
    opacity,
    over(pen) {
      const high = picture.height / stripes.length
      for (const [i, paint] of stripes.entries())
        fillBox(pen, { x: 0, y: i * high, width: picture.width, height: high + 1 }, paint)
    },
  }),
  ring: (picture, stripes) => {
    const edge = Math.min(picture.width, picture.height)
    const [middle, rim] = [edge / 2, edge * 0.07]
    const box = { x: rim * 1.4, y: rim * 1.4, width: edge - rim * 2.8, height: edge - rim * 2.8 }
    return {
      width: edge,
      height: edge,
      slots: [{ ...box, clip: (pen) => pen.arc(middle, middle, middle - rim * 1.4, 0, Math.PI * 2) }],
      over(pen) {
        const turn = pen.createConicGradient(-Math.PI / 2, middle, middle)
        for (const [i, paint] of [...stripes, stripes[0]!].entries()) turn.addColorStop(i / stripes.length, paint)
        useStroke(pen, turn, rim)
        circle(pen, middle, middle, middle - rim / 2)
        pen.stroke()
      },
    }
  },
  bow: (picture, stripes, opacity) => ({
    ...picture,
    slots: [full(picture)],
    opacity: Math.min(1, opacity * 1.3),
    blend: 'screen',
    over(pen) {
      const { width, height } = picture
      const centre = [width * 0.5, height * 1.02] as const
      const outer = Math.max(width * 0.56, height * 0.8)
      const inner = outer * 0.76
      const band = (i: number) => (inner + ((outer - inner) * i) / stripes.length) / outer
      apart(pen, () => {
        fillBox(
          pen,
          full(picture),
          radial(pen, centre, [0, outer], {
            0: fade('#ffffff', 0.1),
            [inner / outer - 0.04]: fade('#ffffff', 0.14),
            [band(0)]: fade(stripes.at(-1)!, 0),
            ...Object.fromEntries(stripes.toReversed().map((paint, i) => [band(i + 0.5), fade(paint, 0.85)])),
            1: fade(stripes[0]!, 0),
          }),
        )
        // Fade towards the ground, as rainbows do.
        pen.globalCompositeOperation = 'destination-in'
        fillBox(pen, full(picture), linear(pen, [0, 0], [0, height], { 0: '#000', 0.55: '#000', 1: 'rgba(0,0,0,.1)' }))
      })
    },
  }),
}
