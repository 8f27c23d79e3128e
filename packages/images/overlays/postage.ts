import { z } from 'zod'
import { colour, words } from '../params.ts'
import { apart, circle, createDice, fillBox, linear, useStroke, type Pen } from './canvas.ts'
import { edgeOf, full, scene } from './scene.ts'
import { drawText } from './text.ts'

export const postage = scene('postage', 'Show as a postage stamp with a postmark', {
  params: z.object({
    country: words({ max: 24, default: 'Bandstand', about: 'Issuer of the stamp.' }),
    value: words({ max: 6, default: '80', about: 'Value of the stamp.' }),
    postmark: words({
      max: 20,
      default: 'First day of issue',
      about: 'Text of the postmark. Empty for a mint stamp.',
    }),
    colour: colour({ default: '#1f4e79', about: 'Colour of the print.' }),
  }),
  compose([size], { country, value, postmark, colour: ink }) {
    const edge = edgeOf(size!, [360, 720])
    const ratio = Math.min(1.4, Math.max(0.7, size!.width / size!.height))
    const [wide, tall] = [Math.round(edge * Math.min(1, ratio)), Math.round(edge / Math.max(1, ratio))]
    const u = edge / 100
    const rim = u * 9
    const picture = { x: rim, y: rim, width: wide, height: tall }
    const outer = { width: Math.round(wide + 2 * rim), height: Math.round(tall + 2 * rim + u * 12) }
    return {
      ...outer,
      slots: [picture],
      under: (pen) => perforated(pen, outer, u),
      over(pen) {
        useStroke(pen, ink, u * 0.7)
        pen.strokeRect(picture.x, picture.y, picture.width, picture.height)
        const row = { x: rim, y: tall + rim + u * 1.6, width: wide, height: u * 11 }
        drawText(
          pen,
          country.toUpperCase(),
          { ...row, width: wide * 0.68 },
          {
            face: 'serifBold',
            sizePx: u * 7,
            colour: ink,
            align: 'start',
            maxLines: 1,
            spacingEm: 0.08,
          },
        )
        drawText(
          pen,
          value,
          { ...row, x: rim + wide * 0.7, width: wide * 0.3 },
          {
            face: 'serifBold',
            sizePx: u * 11,
            colour: ink,
            align: 'end',
            maxLines: 1,
          },
        )
        if (postmark.trim()) cancel(pen, { x: rim + wide * 0.76, y: rim + tall * 0.2 }, u, postmark)
      },
    }
  },
})

function perforated(pen: Pen, { width, height }: { width: number; height: number }, u: number): void {
  fillBox(pen, full({ width, height }), linear(pen, [0, 0], [width, height], { 0: '#fdfbf4', 1: '#f0eadb' }))
  apart(pen, () => {
    pen.globalCompositeOperation = 'destination-out'
    const [columns, rows] = [Math.round(width / (u * 5)), Math.round(height / (u * 5))]
    const hole = (x: number, y: number) => {
      circle(pen, x, y, u * 1.5)
      pen.fill()
    }
    for (let i = 0; i <= columns; i++) for (const y of [0, height]) hole((i * width) / columns, y)
    for (let i = 0; i <= rows; i++) for (const x of [0, width]) hole(x, (i * height) / rows)
  })
}

function cancel(pen: Pen, at: { x: number; y: number }, u: number, text: string): void {
  const dice = createDice(7)
  apart(pen, () => {
    pen.translate(at.x, at.y)
    pen.rotate(-0.16)
    useStroke(pen, 'rgba(20,18,24,.72)', u * 0.7)
    circle(pen, 0, 0, u * 17)
    pen.stroke()
    circle(pen, 0, 0, u * 11.4)
    pen.stroke()
    for (let i = 0; i < 5; i++) {
      const y = (i - 2) * u * 5
      pen.beginPath()
      for (let x = -u * 18; x > -u * 62; x -= u)
        pen.lineTo(x, y + Math.sin(x / (u * 2.6)) * u * 1.1 + dice.between(-0.1, 0.1) * u)
      pen.stroke()
    }
    const letters = Array.from(text.toUpperCase())
    const spread = Math.min(Math.PI * 1.8, letters.length * 0.3)
    for (const [i, letter] of letters.entries()) {
      apart(pen, () => {
        pen.rotate((i - (letters.length - 1) / 2) * (spread / letters.length))
        drawText(
          pen,
          letter,
          { x: -u * 3, y: -u * 16.6, width: u * 6, height: u * 4.8 },
          {
            face: 'bold',
            sizePx: u * 4.1,
            colour: 'rgba(20,18,24,.8)',
            maxLines: 1,
          },
        )
      })
    }
    drawText(
      pen,
      '12 · VI',
      { x: -u * 9, y: -u * 4, width: u * 18, height: u * 8 },
      { face: 'bold', sizePx: u * 4.4, colour: 'rgba(20,18,24,.8)', maxLines: 1 },
    )
  })
}
