import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { text } from '../../schemas/common.ts'

const confidence = z.number().min(0).max(1).meta({ description: 'Confidence from 0 to 1.' })
const language = z
  .string()
  .meta({ description: 'ISO 639-1 code. `und` if the text has no words, or no candidate is likely.' })

export const detectLanguage = route({
  id: 'detectLanguage',
  method: 'GET',
  url: '/v1/translation/detect',
  summary: 'Detect the language of a text',
  description: 'Ignores links, mentions, digits and emoji. Needs no outside service.',
  tag: 'Translation',
  class: 'fetch',
  envelope: envelopes.success,
  faults: ['service_unavailable'],
  query: z.object({ text: text(1, 5000).meta({ description: 'Text to analyze.' }) }),
  data: z
    .object({
      language,
      name: z.string().meta({ description: 'In English.' }),
      confidence: confidence.meta({ description: 'Confidence of the best candidate, from 0 to 1.' }),
      candidates: z
        .array(z.object({ language, confidence }))
        .meta({ description: 'Up to five candidates, the best first.' }),
    })
    .meta({ id: 'DetectedLanguage' }),
  example: {
    query: { text: 'Guten Morgen, wie geht es dir?' },
    data: {
      language: 'de',
      name: 'German',
      confidence: 0.82,
      candidates: [
        { language: 'de', confidence: 0.82 },
        { language: 'nl', confidence: 0.53 },
      ],
    },
  },
  handle: ({ query }, { detection }) => detection.detect(query.text),
})
