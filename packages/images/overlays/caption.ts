import { z } from 'zod'
import { colour, flag, oneOf, words } from '../params.ts'
import { fillBox, type Size } from './canvas.ts'
import { full, roomFor, scene, type Scene } from './scene.ts'
import { drawText, type TextStyle } from './text.ts'

export const caption = scene('caption', 'Add large text at the top and bottom', {
  params: z.object({
    top: words({ max: 120, default: '', about: 'Text at the top.' }),
    bottom: words({ max: 120, default: 'Bottom text', about: 'Text at the bottom.' }),
    style: oneOf(['outline', 'bar'], { default: 'outline', about: 'Outlined text on the image, or text on bars.' }),
    colour: colour({ default: '#ffffff', about: 'Colour of the letters, or of the bars.' }),
    outline: colour({ default: '#000000', about: 'Colour of the outline, or of the letters on bars.' }),
    capitals: flag({ default: true, about: 'Whether outlined text is in capitals.' }),
  }),
  compose([size], { style, colour: fill, outline, capitals, ...texts }) {
    const picture = roomFor(size!)
    if (style === 'bar') return bars(picture, texts, { fill, ink: outline })
    const spell = (text: string) => (capitals ? text.toUpperCase() : text)
    const letters: TextStyle = {
      face: 'poster',
      sizePx: Math.min(picture.height * 0.16, picture.width * 0.15),
      colour: fill,
      outline,
      lineEm: 1.18,
      maxLines: 4,
    }
    const edge = Math.min(picture.width, picture.height) * 0.035
    const box = { x: edge, width: picture.width - 2 * edge, height: picture.height * 0.36 }
    return {
      ...picture,
      slots: [full(picture)],
      over(pen) {
        drawText(pen, spell(texts.top), { ...box, y: edge * 0.6 }, { ...letters, valign: 'top' })
        const y = picture.height - box.height - edge * 0.6
        drawText(pen, spell(texts.bottom), { ...box, y }, { ...letters, valign: 'bottom' })
      },
    }
  },
})

function bars(
  picture: Size,
  { top, bottom }: { top: string; bottom: string },
  paint: { fill: string; ink: string },
): Scene {
  const bar = Math.round(Math.max(picture.width * 0.2, 40))
  const above = top.trim() ? bar : 0
  const below = bottom.trim() ? bar : 0
  const height = above + picture.height + below
  const edge = picture.width * 0.04
  const style: TextStyle = { face: 'bold', sizePx: bar * 0.42, colour: paint.ink, maxLines: 3 }
  return {
    width: picture.width,
    height,
    slots: [{ ...picture, x: 0, y: above }],
    under(pen) {
      fillBox(pen, { x: 0, y: 0, width: picture.width, height }, paint.fill)
      const box = { x: edge, width: picture.width - 2 * edge, height: bar * 0.84 }
      drawText(pen, top, { ...box, y: bar * 0.08 }, style)
      drawText(pen, bottom, { ...box, y: height - bar * 0.92 }, style)
    },
  }
}
