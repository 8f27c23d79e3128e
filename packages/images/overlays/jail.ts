import { z } from 'zod'
import { colour, whole } from '../params.ts'
import { circle, fade, fill, fillBox, linear, mix, shaded, type Pen } from './canvas.ts'
import { full, roomFor, scene, unitOf } from './scene.ts'

export const jail = scene('jail', 'Put behind bars', {
  params: z.object({
    bars: whole({ min: 2, max: 12, default: 6, about: 'Number of bars.' }),
    colour: colour({ default: '#6b7078', about: 'Colour of the iron.' }),
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
          for (let i = 0; i < bars; i++) rivet(pen, [((i + 0.5) * width) / bars, y + thick * 0.6], thick * 0.26, iron)
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
    linear(pen, [box.x, box.y], end, {
      0: mix(iron, '#000000', 0.55),
      0.28: mix(iron, '#ffffff', 0.45),
      0.5: iron,
      1: mix(iron, '#000000', 0.75),
    }),
  )
}

function rivet(pen: Pen, [x, y]: readonly [number, number], radius: number, iron: string): void {
  shaded(pen, { colour: 'rgba(0,0,0,.7)', blur: radius * 0.5, y: radius * 0.2 }, () => {
    circle(pen, x, y, radius)
    fill(pen, mix(iron, '#000000', 0.25))
  })
  circle(pen, x - radius * 0.25, y - radius * 0.3, radius * 0.4)
  fill(pen, fade('#ffffff', 0.45))
}
