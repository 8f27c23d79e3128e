import { z } from 'zod'
import { colour, flag, oneOf, words } from '../params.ts'
import { fade, fillBox, linear } from './canvas.ts'
import { edgeOf, scene } from './scene.ts'
import { drawText, fitText, isRightToLeft, type TextStyle } from './text.ts'

export const quote = scene('quote', 'Add a quotation next to the image of its author', {
  params: z.object({
    text: words({ max: 280, default: 'Good music needs no words.', about: 'Text of the quotation.' }),
    author: words({ max: 60, default: '', about: 'Author of the quotation.' }),
    theme: oneOf(['dark', 'light'], { default: 'dark', about: 'Background colour of the card.' }),
    colour: colour({ default: '#e8b04a', about: 'Colour of the quotation mark and the line.' }),
    grey: flag({ default: true, about: 'Whether to convert the image to greyscale.' }),
  }),
  compose([size], { text, author, theme, colour: accent, grey }) {
    const height = edgeOf(size!, [480, 720])
    const width = Math.round(height * 1.9)
    const [ground, ink] = theme === 'dark' ? ['#0c0d10', '#f5f2ea'] : ['#f6f3ec', '#1d1c1a']
    const slot = { x: 0, y: 0, width: height, height, ...(grey && { filter: 'grayscale(1) contrast(1.06)' }) }
    return {
      width,
      height,
      slots: [slot],
      under: (pen) => fillBox(pen, { x: 0, y: 0, width, height }, ground),
      over(pen) {
        const fading = linear(pen, [height * 0.3, 0], [height, height * 0.16], {
          0: fade(ground, 0),
          0.45: fade(ground, 0.45),
          0.8: fade(ground, 0.92),
          1: ground,
        })
        fillBox(pen, { x: height * 0.2, y: 0, width, height }, fading)
        const box = { x: height * 0.9, y: height * 0.2, width: width - height * 1.0, height: height * 0.46 }
        const style: TextStyle = { face: 'serif', sizePx: height * 0.105, colour: ink, lineEm: 1.26, align: 'start' }
        const fitted = fitText(pen, text, box, style)
        const top = (height - fitted.heightPx - height * 0.16) / 2 + height * 0.02
        const backwards = isRightToLeft(text)
        const mark: TextStyle = { face: 'serifBold', sizePx: height * 0.5, colour: fade(accent, 0.9), align: 'start' }
        const markBox = { ...box, y: top - height * 0.24, height: height * 0.5 }
        drawText(pen, '“', markBox, { ...mark, align: backwards ? 'end' : 'start' })
        drawText(pen, text, { ...box, y: top }, { ...style, sizePx: fitted.sizePx, valign: 'top' })
        const foot = top + fitted.heightPx + height * 0.055
        const x = backwards ? box.x + box.width - height * 0.12 : box.x
        fillBox(pen, { x, y: foot, width: height * 0.12, height: height * 0.008 }, accent)
        const byBox = { ...box, y: foot + height * 0.03, height: height * 0.07 }
        const align = backwards === isRightToLeft(author) ? 'start' : 'end'
        drawText(pen, author, byBox, {
          face: 'plain',
          sizePx: height * 0.045,
          colour: fade(ink, 0.75),
          align,
          maxLines: 1,
        })
      },
    }
  },
})
