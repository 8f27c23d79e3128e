import { z } from 'zod'
import { describe, type Effect, EFFECTS } from 'bandstand-images'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { queryOf } from './effects.ts'

const value = z.union([z.string(), z.number(), z.boolean()])

const Parameter = z
  .object({
    name: z.string(),
    type: z.enum(['integer', 'number', 'boolean', 'string']),
    description: z.string(),
    default: value
      .optional()
      .describe('Absent where a value is required, or where leaving it out has its own meaning.'),
    required: z.boolean().describe('With a body instead of `url`, `url` is left out.'),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.int().optional(),
    pattern: z.string().optional(),
    values: z.array(z.string()).optional().describe('Allowed values.'),
  })
  .meta({ id: 'ImageParameter' })

const ImageEffect = z
  .object({
    name: z.string().describe('The last segment of its path.'),
    summary: z.string(),
    inputs: z.union([z.literal(1), z.literal(2)]).describe('Number of input images.'),
    parameters: z.array(Parameter),
  })
  .meta({ id: 'ImageEffect' })

const list = {
  tag: 'Images',
  class: 'cheap',
  envelope: envelopes.success,
  etag: true,
  description: 'Includes parameters with types, ranges and defaults.',
  data: z.array(ImageEffect),
} as const

const filters = EFFECTS.filter.map(withInputs)
const overlays = EFFECTS.overlay.map(withInputs)

/** Describes an effect with all inputs of its request, the addresses of its images first. */
function withInputs(effect: Effect) {
  return describe({ ...effect, params: queryOf(effect) })
}

export const listFilters = route('listImageFilters', 'GET /v1/image/filters', {
  ...list,
  summary: 'List the image filters',
  example: { data: filters.slice(0, 2) },
  handle: () => filters,
})

export const listOverlays = route('listImageOverlays', 'GET /v1/image/overlays', {
  ...list,
  summary: 'List the image overlays',
  example: { data: overlays.slice(0, 2) },
  handle: () => overlays,
})
