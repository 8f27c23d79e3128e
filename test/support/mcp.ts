import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** Result of a tool call, as an agent reads it. */
interface Told {
  readonly isError: boolean
  readonly texts: readonly string[]
  /** The first text, read as JSON; undefined if it is none. */
  readonly data: any
  readonly content: readonly any[]
}

export interface Agent {
  readonly client: Client
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Told>
  close(): Promise<void>
}

/** An agent over HTTP, by the client of the protocol's own kit. */
export async function connectAgent(baseUrl: string, key: string, path = '/mcp'): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  const transport = new StreamableHTTPClientTransport(new URL(path, baseUrl), { requestInit })
  await client.connect(transport)
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args })
      const content = result.content as any[]
      const texts = content.filter(({ type }) => type === 'text').map(({ text }) => String(text))
      return { isError: result.isError === true, texts, data: parse(texts[0] ?? ''), content }
    },
    close: () => client.close(),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
