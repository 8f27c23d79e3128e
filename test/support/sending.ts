import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Sending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The host hangs up after so much of it. */
  readonly mostBytes?: number | undefined
}

/** Answers with a file, by ranges as web servers do; 404 if there is none. */
export function sendBytes(file: Buffer | undefined, { request, response, mostBytes = Infinity }: Sending): void {
  if (!file) return void response.writeHead(404).end()
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const [from, to] = [Number(first), last === '' ? file.length - 1 : Number(last)]
  const body = file.subarray(from, to + 1)
  response.writeHead(206, { 'content-length': body.length, 'content-range': `bytes ${from}-${to}/${file.length}` })
  if (body.length <= mostBytes) return void response.end(body)
  response.write(body.subarray(0, mostBytes), () => setTimeout(() => response.destroy(), 10))
}

const INTERVAL_BYTES = 4000

/** Sends sound as an internet radio does, and its title again and again; the answer is left open. */
export function sendRadio(
  response: ServerResponse,
  { sound, title }: { readonly sound: Buffer; readonly title: string },
): void {
  const words = Buffer.from(`StreamTitle='${title}';`)
  const metadata = Buffer.alloc(1 + Math.ceil(words.length / 16) * 16)
  metadata[0] = (metadata.length - 1) / 16
  words.copy(metadata, 1)
  response.writeHead(200, { 'icy-name': 'Harbour FM', 'icy-metaint': INTERVAL_BYTES, 'content-type': 'audio/ogg' })
  for (let at = 0; at < sound.length; at += INTERVAL_BYTES) {
    response.write(sound.subarray(at, at + INTERVAL_BYTES))
    response.write(metadata)
  }
}
