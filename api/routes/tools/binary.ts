import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { invalidInput, route } from '../../http/route.ts'
import { text } from '../../../lib/validation/inputs.ts'

const BinaryResult = z
  .object({
    text: z.string().optional(),
    error: z.string().optional().describe('Empty on success.'),
  })
  .meta({ id: 'BinaryResult' })

const binary = {
  tag: 'Tools',
  class: 'cheap',
  envelope: envelopes.error,
  invalid: 'bad_request',
  data: BinaryResult,
} as const

/** The eight binary digits of every byte. */
const OCTETS = Array.from({ length: 256 }, (_, byte) => byte.toString(2).padStart(8, '0'))

export const encodeBinary = route('encodeBinary', 'GET /v1/tools/binary/encode', {
  ...binary,
  summary: 'Encode text as binary',
  description: 'Returns the UTF-8 bytes of the text as groups of eight binary digits, separated by spaces.',
  query: z.object({ text: text(1, 10_000).describe('The text to encode.') }),
  example: { query: { text: 'Hi' }, data: { text: '01001000 01101001', error: '' } },
  handle: ({ query }) => ({ text: encode(query.text), error: '' }),
})

export const decodeBinary = route('decodeBinary', 'GET /v1/tools/binary/decode', {
  ...binary,
  summary: 'Decode binary to text',
  description: 'Takes UTF-8 text as groups of eight binary digits, with or without whitespace between them.',
  query: z.object({ text: text(1, 10_000).describe('The digits to decode.') }),
  example: { query: { text: '01001000 01101001' }, data: { text: 'Hi', error: '' } },
  handle: ({ query }) => ({ text: decode(query.text), error: '' }),
})

function encode(text: string): string {
  const octets: string[] = []
  for (const byte of Buffer.from(text)) octets.push(OCTETS[byte] ?? '')
  return octets.join(' ')
}

function decode(digits: string): string {
  const packed = digits.replaceAll(/\s+/g, '')
  if (!/^(?:[01]{8})+$/.test(packed))
    throw refused('Must be groups of eight binary digits, such as `01001000 01101001`.')
  const bytes = Uint8Array.from({ length: packed.length / 8 }, (_, at) =>
    Number.parseInt(packed.slice(at * 8, at * 8 + 8), 2),
  )
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw refused('Must be UTF-8 text.', cause)
  }
}

function refused(message: string, cause?: unknown) {
  const fault = invalidInput('bad_request', [{ field: 'query.text', message }])
  if (cause !== undefined) fault.cause = cause
  return fault
}
