import { once } from 'node:events'
import { WebSocket } from 'ws'
import { eventually, fetchJson, launchService, type Answer } from './service.ts'

/** The Lavalink node as an operator runs it: a process of its own. */
export interface RunningNode {
  readonly url: string
  readonly process: Awaited<ReturnType<typeof launchService>>['process']
  output(): string
  /** Waits until the output has this text, which may come in later than an answer or an end. */
  logged(text: string): Promise<void>
  call(method: string, path: string, options?: { readonly password?: string; readonly body?: unknown }): Promise<Answer>
  connect(password: string): Promise<NodeClient>
  kill(signal: NodeJS.Signals): Promise<void>
}

/** A client with nothing but a socket. */
interface NodeClient {
  readonly sessionId: string
  /** Resolves to its close code, once it is closed. */
  readonly closed: Promise<number>
  close(): void
}

/** Starts the node on a free port, and waits until it says that it is ready. */
export async function launchNode(dataDir: string, env: Readonly<Record<string, string>>): Promise<RunningNode> {
  const settings = { LOG_LEVEL: 'info', ...env }
  const launched = await launchService(dataDir, settings, { script: 'service/lavalink-node/main.ts' })
  const url = urlIn(await eventually(launched.output, (output) => urlIn(output) !== undefined)) ?? ''
  return {
    url,
    process: launched.process,
    output: launched.output,
    logged: launched.logged,
    call: (method, path, { password, body } = {}) =>
      fetchJson(url + path, method, body, password === undefined ? {} : { authorization: password }),
    connect: (password) => connect(url, password),
    kill: launched.kill,
  }
}

function urlIn(output: string): string | undefined {
  return /"url":"(http:[^"]+)"/.exec(output)?.[1]
}

async function connect(url: string, password: string): Promise<NodeClient> {
  const headers = { Authorization: password, 'User-Id': '700000000000000001', 'Client-Name': 'test/1' }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v4/websocket`, { headers })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const [data] = (await once(socket, 'message')) as [Buffer]
  const { op, sessionId } = JSON.parse(data.toString()) as { readonly op: string; readonly sessionId: string }
  if (op !== 'ready') throw new Error(`The first message was ${op}.`)
  return { sessionId, closed, close: () => socket.close() }
}
