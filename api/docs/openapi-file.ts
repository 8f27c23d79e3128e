import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { ErrorBody } from '../http/errors.ts'

export const BINARY = { type: 'string', format: 'binary' } as const

/** Responses of a route that returns a file. */
export function fileAnswers(types: readonly string[], own: z.ZodObject): Record<string, ZodOpenApiResponseObject> {
  const content = Object.fromEntries(types.map((type) => [type, { schema: BINARY }]))
  const range = z
    .string()
    .meta({ header: { id: 'Content-Range' }, description: 'The range of bytes, and the size of the file.' })
  return {
    '200': { description: 'The file.', headers: own, content },
    '206': {
      description: 'The part that `Range` requested.',
      headers: own.extend({ 'Content-Range': range }),
      content,
    },
    '304': { description: 'Not modified since the `ETag` in `If-None-Match`.', headers: own },
    '416': {
      description: '`bad_request`: the range is outside the file.',
      headers: own.pick({ 'X-Request-Id': true }).extend({ 'Content-Range': range }),
      content: { 'application/json': { schema: ErrorBody } },
    },
  }
}
