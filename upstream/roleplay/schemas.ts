import { z } from 'zod'
import { text } from '../../lib/validation/inputs.ts'

export const ActionPath = z.object({
  action: text(1, 50).describe('Name of an action, in any case: `hug`, `High-Five`.'),
})

export const RoleplayGif = z
  .object({ action: z.string(), url: z.string(), source: z.string().describe('Provider of the image.') })
  .meta({ id: 'RoleplayGif' })
export type RoleplayGif = z.output<typeof RoleplayGif>
