import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: any
}

/** Writes bytes as they are and reads until the other side closes. */
export async function exchangeBytes(port: number, bytes: string | Buffer, keepWriting?: (socket: Socket) => void) {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.write(bytes)
  keepWriting?.(socket)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return Buffer.concat(chunks).toString('latin1')
}

/** Every answer in what a connection brought. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: body.startsWith('{') ? JSON.parse(body) : body,
    })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
