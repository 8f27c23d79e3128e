import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createLog } from '../../lib/log.ts'
import type { DiscordSignIn } from '../../upstream/discord/discord-oauth.ts'
import { createWebPlayer } from '../../web/player/http/web-player.ts'
import { createMemberStage, type MemberStage, type MemberStageOptions } from './members.ts'

/** The web player over real bots in the stand-in Discord; only the sound is a fake. */
export interface TestWebPlayer {
  readonly stage: MemberStage
  readonly baseUrl: string
  /** Moves when a test moves it; the time is that much later. */
  readonly clock: { aheadMs: number }
  /** The path of a new link that `/web` gives to a member. */
  link(member?: number, locale?: string): Promise<string>
  /** A browser of a member who has opened such a link. */
  enter(member?: number, locale?: string): Promise<WebVisitor>
  /** A browser without a session. */
  visitor(headers?: Readonly<Record<string, string>>): WebVisitor
  close(): Promise<void>
}

interface WebAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}

/** A browser without script: keeps cookies, follows nothing. */
export interface WebVisitor {
  readonly cookies: Map<string, string>
  csrf: string
  send(method: 'GET' | 'POST', path: string, init?: SendInit): Promise<WebAnswer>
  /** Sends the form of the page behind a link. */
  redeem(path: string): Promise<WebAnswer>
  /** Does something as the page's script does. @returns what is said. */
  perform(action: string, values?: object): Promise<WebAnswer>
  ask(path: string): Promise<WebAnswer>
  /** Reads the live updates of the page. */
  live(): Promise<LiveReader>
}

interface SendInit {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

export interface LiveReader {
  readonly seen: any[]
  readonly isOver: boolean
  close(): void
}

export interface TestWebPlayerOptions extends MemberStageOptions {
  readonly discord?: DiscordSignIn
  readonly activityClientId?: string
  readonly fetchCover?: (url: string) => ReturnType<Parameters<typeof createWebPlayer>[0]['egress']['open']>
}

export async function startWebPlayer(options: TestWebPlayerOptions = {}): Promise<TestWebPlayer> {
  const stage = await createMemberStage(options)
  const { test } = stage
  const stopping = new AbortController()
  const address = { url: '' }
  const clock = { aheadMs: 0 }
  const webPlayer = createWebPlayer(
    {
      access: test.webPlayer,
      players: test.bots.webPlayers,
      oneTime: test.oneTime,
      peers: null,
      onPlayerChanged: (listener) => test.bots.onPlayerChanged(listener),
      events: test.bus,
      egress: {
        open: (url) => options.fetchCover?.(url) ?? Promise.reject(new Error('Nothing is fetched here.')),
      },
      discord: options.discord ?? null,
      activityClientId: options.activityClientId ?? null,
      // Tests come from several addresses by what a proxy would say.
      trustedProxies: ['127.0.0.1/32'],
      baseUrl: () => address.url,
      now: () => Date.now() + clock.aheadMs,
      log: createLog('silent'),
    },
    stopping.signal,
  )
  const koa = new Koa().use(webPlayer)
  const handle = koa.callback()
  // That a reader goes away is no failure.
  koa.silent = true
  const server = createServer((req, res) => void handle(req, res))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const link: TestWebPlayer['link'] = async (member = 0, locale = 'en-US') => {
    const { whole } = await stage.type('web', {}, { by: member, locale })
    const url = new URL(whole.message.components[0].components[0].url)
    return url.pathname + url.search
  }
  const visitor = (headers = {}) => createVisitor({ baseUrl: address.url, guildId: stage.guild.id }, headers)
  return {
    stage,
    baseUrl: address.url,
    clock,
    link,
    visitor,
    async enter(member = 0, locale = 'en-US') {
      const browser = visitor()
      const entered = await browser.redeem(await link(member, locale))
      if (entered.status !== 303) throw new Error(`The link answered ${entered.status}.`)
      const page = await browser.send('GET', `/listen/${stage.guild.id}`)
      browser.csrf = /data-csrf="([0-9a-f]{64})"/.exec(page.text)?.[1] ?? ''
      return browser
    },
    async close() {
      stopping.abort()
      await closeServer(server)
      await stage.close()
    },
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

interface Place {
  readonly baseUrl: string
  readonly guildId: string
}

function createVisitor({ baseUrl, guildId }: Place, always: Readonly<Record<string, string>>): WebVisitor {
  const cookies = new Map<string, string>()
  const headersOf = (more: Readonly<Record<string, string>> = {}) => ({
    ...always,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    ...more,
  })
  const visitor: WebVisitor = {
    cookies,
    csrf: '',
    async send(method, path, { headers = {}, body } = {}) {
      const init = { method, redirect: 'manual' as const, headers: headersOf(headers) }
      const response = await fetch(baseUrl + path, { ...init, ...(body === undefined ? {} : { body }) })
      for (const line of response.headers.getSetCookie()) keep(cookies, line)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
    },
    async redeem(path) {
      const page = await visitor.send('GET', path)
      const field = (name: string) => new RegExp(`name="${name}" value="(\\w+)"`).exec(page.text)?.[1] ?? ''
      const body = new URLSearchParams({ csrf: field('csrf'), token: field('token') })
      return visitor.send('POST', path.split('?')[0] ?? '', { body })
    },
    perform: (action, values = {}) =>
      visitor.send('POST', `/listen/${guildId}/do/${action}`, {
        headers: { 'x-csrf-token': visitor.csrf, 'content-type': 'application/json' },
        body: JSON.stringify(values),
      }),
    ask: (path) => visitor.send('GET', `/listen/${guildId}/${path}`, { headers: { 'x-csrf-token': visitor.csrf } }),
    live: () => readLive(`${baseUrl}/listen/${guildId}/live`, headersOf({ 'x-csrf-token': visitor.csrf })),
  }
  return visitor
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const [name = '', value = ''] = pair.split('=')
  if (/Max-Age=0\b/.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

async function readLive(url: string, headers: Readonly<Record<string, string>>): Promise<LiveReader> {
  const ending = new AbortController()
  const response = await fetch(url, { headers, signal: ending.signal })
  if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}.`)
  const reader = { seen: [] as any[], isOver: false, close: () => ending.abort() }
  const read = async (body: ReadableStream<Uint8Array>) => {
    let rest = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) if (block.startsWith('data: ')) reader.seen.push(JSON.parse(block.slice(6)))
    }
  }
  read(response.body)
    .catch(() => undefined)
    .finally(() => (reader.isOver = true))
  return reader
}
