import { z } from 'zod'
import { filter } from '../declaration.ts'

/** How bright red, green and blue look. */
const LUMA: [number, number, number] = [0.2126, 0.7152, 0.0722]

export const greyscale = filter({
  name: 'greyscale',
  summary: 'Turns the picture to shades of grey',
  params: z.object({}),
  run: (frame, _params, { open }) => open(frame).recomb([LUMA, LUMA, LUMA]),
})
