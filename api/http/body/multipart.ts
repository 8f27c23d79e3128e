import { unprocessable } from '../../../lib/errors.ts'
import { truncate } from '../../../lib/text.ts'

/** More parts than any form for pictures has; each costs time to look at. */
const MAX_PARTS = 16
const MAX_HEAD_BYTES = 4096
/** RFC 2046. */
const MAX_BOUNDARY_CHARS = 70
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * The files of a `multipart/form-data` body in their order, as views on it.
 * @throws {Fault} a validation fault on `body` when it is not well formed, on `body.<name>` for a field that is no file.
 */
export function filesOf(body: Buffer, contentType: string): Buffer[] {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined || boundary.length > MAX_BOUNDARY_CHARS) throw malformed()
  const opening = Buffer.from(`--${boundary}`)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const files: Buffer[] = []
  // What stands before the first boundary means nothing.
  let at = body.indexOf(opening)
  if (at < 0) throw malformed()
  at += opening.length
  for (let parts = 0; body.toString('latin1', at, at + 2) !== '--'; parts++) {
    if (parts >= MAX_PARTS) throw unprocessable('body', `A form may have ${MAX_PARTS} parts at most.`)
    const start = body.indexOf('\r\n', at)
    // An empty head leaves one line break between the boundary and the content.
    const headEnd = body.indexOf(HEAD_END, start)
    const end = body.indexOf(delimiter, headEnd + 2)
    if (start < 0 || headEnd < 0 || headEnd - start > MAX_HEAD_BYTES || end < 0) throw malformed()
    const head = body.toString('latin1', start, headEnd)
    const disposition = head.split('\r\n').find((line) => /^content-disposition:/i.test(line)) ?? ''
    if (/;\s*filename\*?=/i.test(disposition)) files.push(body.subarray(headEnd + 4, end))
    else refuseField(disposition)
    at = end + delimiter.length
  }
  return files
}

/** A parameter in a form would be missed in silence. */
function refuseField(disposition: string): void {
  const [, name] = /; ?name="([^"]+)"/i.exec(disposition) ?? []
  if (name === undefined) return
  throw unprocessable(
    `body.${truncate(name, 100)}`,
    'Unknown field. A form here holds files alone; parameters go into the query.',
  )
}

function malformed() {
  return unprocessable('body', 'The body is not well-formed `multipart/form-data`.')
}
