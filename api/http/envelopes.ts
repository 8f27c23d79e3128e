import { z } from 'zod'
import type { Fault } from '../../lib/errors.ts'

/** The envelope of an area's answers: the JSON that is sent and the schema that documents it. */
export interface Envelope {
  wrap(data: unknown, requestId: string): unknown
  schema(data: z.ZodType): z.ZodType
  /** The envelope of a refused input, in areas that have one. */
  readonly refusal?: { wrap(fault: Fault): unknown; readonly schema: z.ZodType }
}

const requestId = z.string().describe('Same as the `X-Request-Id` response header.')

/** Music, jobs, scripture: `{ data }`. */
export const data: Envelope = {
  wrap: (data) => ({ data }),
  schema: (data) => z.object({ data }),
}

/** Tools, translation, images, fun, games, holidays: `{ success: true, data }`. */
export const success: Envelope = {
  wrap: (data) => ({ success: true, data }),
  schema: (data) => z.object({ success: z.boolean(), data }),
}

/** Screenshots and translation: `{ success: true, data, requestId }`. */
export const successWithId: Envelope = {
  wrap: (data, requestId) => ({ success: true, data, requestId }),
  schema: (data) => z.object({ success: z.boolean(), data, requestId }),
}

/** Weather: `{ error: false, data, requestId }`. */
export const errorWithId: Envelope = {
  wrap: (data, requestId) => ({ error: false, data, requestId }),
  schema: (data) => z.object({ error: z.boolean(), data: data.nullable(), requestId }),
}

const Refused = z
  .object({ error: z.boolean(), data: z.object({ text: z.string().optional(), error: z.string().optional() }) })
  .meta({ id: 'BinaryRefusal', examples: [{ error: true, data: { error: 'query.text: This is required.' } }] })

/** Binary encode and decode: `{ error: false, data }`, and the same shape for a bad input. */
export const error: Envelope = {
  wrap: (data) => ({ error: false, data }),
  schema: (data) => z.object({ error: z.boolean(), data }),
  refusal: { wrap: ({ message }) => ({ error: true, data: { error: message } }), schema: Refused },
}

/** `GET /v1/status`: the body is the data itself. */
export const bare: Envelope = {
  wrap: (data) => data,
  schema: (data) => data,
}
