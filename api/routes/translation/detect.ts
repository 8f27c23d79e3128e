import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { Detected, DetectionQuery } from '../../../upstream/translation/schemas.ts'

export const detectLanguage = route('detectLanguage', 'GET /v1/translation/detect', {
  summary: 'Detect the language of a text',
  description: 'Ignores links, mentions, digits and emoji. Needs no outside service.',
  tag: 'Translation',
  class: 'fetch',
  envelope: envelopes.success,
  faults: ['service_unavailable'],
  query: DetectionQuery,
  data: Detected,
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
