import { z } from 'zod'
import { colour, seed, whole, words } from '../params.ts'
import { circle, createDice, fill, roundBox, useStroke } from './canvas.ts'
import { full, roomFor, scene } from './scene.ts'
import { drawText, fitText, type TextStyle } from './text.ts'

export const stamp = scene('stamp', 'Add a rubber stamp', {
  params: z.object({
    text: words({ max: 20, default: 'Approved', about: 'Text of the stamp.' }),
    colour: colour({ default: '#d62828', about: 'Colour of the ink.' }),
    angle: whole({ min: -60, max: 60, default: -16, about: 'Rotation in degrees.' }),
    wear: whole({ min: 0, max: 100, default: 45, about: 'Wear of the stamp.' }),
    seed: seed('Seed of the wear.'),
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
        useStroke(pen, paint, high * 0.075)
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
          fill(pen, `rgba(0,0,0,${dice.between(0.35, 1)})`)
        }
      },
    }
  },
})
