import type { IncomingMessage } from 'node:http'
import { readWhole } from '../../api/http/body/body.ts'
import { HttpRefusal } from '../../api/http/errors.ts'

const LIMIT_BYTES = 64 * 1024

/** @throws {HttpRefusal} unless the body is a form of at most 64 KiB. */
export async function readFields(req: IncomingMessage): Promise<URLSearchParams> {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new HttpRefusal(415, 'Send a form (application/x-www-form-urlencoded).')
  return new URLSearchParams((await readWhole(req, LIMIT_BYTES, tooLarge)).toString('utf8'))
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, 'The form is larger than 64 KiB.')
}
