import { once } from 'node:events'
import { Client, GatewayIntentBits, type ClientOptions, type RESTOptions } from 'discord.js'
import { pino } from 'pino'
import { startSandbox, type Sandbox, type SandboxOptions } from 'bandstand-sandbox'

export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return startSandbox({ port: 0, stateFile: null, limits: false, log: pino({ level: 'silent' }), ...options })
}

const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildVoiceStates,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
]

function createBot(sandbox: Sandbox, options: Partial<ClientOptions> = {}): Client {
  return new Client({
    intents: INTENTS,
    rest: { api: `${sandbox.url}/api`, makeRequest: fetch as unknown as RESTOptions['makeRequest'] },
    ...options,
  })
}

/** A real discord.js client, logged in. */
export async function logIn(sandbox: Sandbox, options: Partial<ClientOptions> & { token?: string } = {}) {
  const client = createBot(sandbox, options)
  const ready = once(client, 'clientReady')
  await client.login(options.token ?? sandbox.demo.botToken)
  await ready
  return client as Client<true>
}

export interface Rest {
  (method: string, path: string, body?: unknown): Promise<{ status: number; body: any; headers: Headers }>
}

/** JSON as clients write it that keep IDs as integers, such as those in Python and Rust. */
export const withNumbers = (value: unknown) => JSON.stringify(value).replaceAll(/"(\d{15,20})"/g, '$1')

/** Plain HTTP as any library would send it. */
export function createCaller(baseUrl: string, token?: string, write: typeof withNumbers = JSON.stringify): Rest {
  return async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bot ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: write(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
  }
}
