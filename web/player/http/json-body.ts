import type { IncomingMessage } from 'node:http'
import { readWhole } from '../../../api/http/body/body.ts'
import { HttpRefusal } from '../../../api/http/errors.ts'

const MAX_BYTES = 8 * 1024

/** @throws {HttpRefusal} unless it is JSON, which no form of another site can send. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const text = (await readBytes(req)).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpRefusal(400, "The body isn't valid JSON.")
  }
}

const read = new WeakMap<IncomingMessage, Promise<Buffer>>()

/** The body as it came; it can be read several times. @throws {HttpRefusal} as `readJson`. */
export function readBytes(req: IncomingMessage): Promise<Buffer> {
  const reading = read.get(req) ?? readOnce(req)
  read.set(req, reading)
  return reading
}

async function readOnce(req: IncomingMessage): Promise<Buffer> {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new HttpRefusal(415, 'Send the body as JSON.')
  return readWhole(req, MAX_BYTES, tooLarge)
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, 'The body is too large.')
}
