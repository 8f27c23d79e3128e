import { once } from 'node:events'
import { WebSocket, type ClientOptions } from 'ws'
import { eventually } from './service.ts'

export interface Opened {
  readonly socket: WebSocket
  /** Every message so far, parsed. */
  readonly messages: readonly any[]
  /** Waits for the message at a place and gives it. */
  readonly message: (at: number) => Promise<any>
  /** Waits until the socket is closed and gives the code and the reason. */
  readonly closed: () => Promise<{ code: number; reason: string }>
  close(): void
}

/** Opens an event socket; `key` goes into the header. */
export async function openEvents(
  baseUrl: string,
  key: string | null,
  query = '',
  options: ClientOptions = {},
): Promise<Opened> {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` }
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/events${query}`, { headers, ...options })
  const messages: any[] = []
  let end: { code: number; reason: string } | null = null
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())))
  socket.on('close', (code, reason) => (end = { code, reason: reason.toString() }))
  await once(socket, 'open')
  socket.on('error', () => {})
  return {
    socket,
    messages,
    message: (at) =>
      eventually(
        () => messages[at],
        (found) => found !== undefined,
      ),
    closed: () =>
      eventually(
        () => end,
        (found) => found !== null,
      ).then((found) => found as never),
    close: () => socket.terminate(),
  }
}

export interface Refused {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: any
}

/** A handshake that must be refused: the HTTP answer to it. */
export async function refusedHandshake(baseUrl: string, path: string, options: ClientOptions = {}): Promise<Refused> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}${path}`, options)
  const opened = once(socket, 'open').then(() => {
    socket.terminate()
    throw new Error('The socket was opened.')
  })
  const refused = new Promise<Refused>((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
      )
    })
  })
  return Promise.race([refused, opened])
}
