import { createServer, type Server } from 'node:https'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright'
import { generate } from 'selfsigned'
import { launchBrowser } from './browser.ts'

export interface DiscordFrameOptions {
  /** The service, which Discord's proxy forwards the Activity's requests to. */
  readonly target: string
  /** The stand-in Discord, which hands out codes and knows tokens. */
  readonly sandboxUrl: string
  readonly clientId: string
  readonly userId: string
  readonly guildId: string
  /** Whether the proxy holds answers back until they end. */
  readonly isHoldingBack?: boolean
}

/** Discord's app as an Activity sees it: a page that frames it, speaks the SDK's messages, and a proxy in between. */
export interface DiscordFrame {
  readonly browser: Browser
  readonly url: string
  /** Messages that the frame has sent, in order: `HANDSHAKE`, or the name of a command. */
  readonly commands: readonly string[]
  /** Paths that were asked for outside of `/.proxy`. */
  readonly unproxied: readonly string[]
  /** Cookies that the Activity was given or sent. */
  readonly cookies: readonly string[]
  close(): Promise<void>
}

/** Serves https://discord.com and https://{client id}.discordsays.com to a browser that finds both here. */
export async function openDiscordFrame(options: DiscordFrameOptions): Promise<DiscordFrame> {
  const names = ['discord.com', `${options.clientId}.discordsays.com`]
  const altNames = names.map((value) => ({ type: 2 as const, value }))
  const certificate = await generate([{ name: 'commonName', value: 'discord.com' }], {
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  const seen: Seen = { commands: [], unproxied: [], cookies: [] }
  const server = createServer({ key: certificate.private, cert: certificate.cert }, (req, res) => {
    if (req.headers.host === 'discord.com') void serveApp(options, seen, { req, res })
    else forward(options, seen, { req, res })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const rules = `MAP discord.com 127.0.0.1:${port}, MAP *.discordsays.com 127.0.0.1:${port}`
  const browser = await launchBrowser([`--host-resolver-rules=${rules}`])
  return {
    browser,
    url: 'https://discord.com/channels/@me',
    ...seen,
    async close() {
      await browser.close()
      await closeServer(server)
    },
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

interface Seen {
  readonly commands: string[]
  readonly unproxied: string[]
  readonly cookies: string[]
}

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

async function serveApp(options: DiscordFrameOptions, { commands }: Seen, { req, res }: Exchange): Promise<void> {
  const url = new URL(req.url ?? '/', 'https://discord.com')
  const { clientId, userId, sandboxUrl } = options
  if (url.pathname === '/said') {
    commands.push(url.searchParams.get('command') ?? '')
    res.end()
  } else if (url.pathname === '/code') {
    const query = new URLSearchParams({ client_id: clientId, response_type: 'code', as: userId, scope: 'identify' })
    const answer = await fetch(`${sandboxUrl}/oauth2/authorize?${query.toString()}`)
    res.setHeader('content-type', 'application/json').end(await answer.text())
  } else if (url.pathname === '/who') {
    const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
    const answer = await fetch(`${sandboxUrl}/api/v10/users/@me`, { headers })
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  } else {
    res.setHeader('content-type', 'text/html').end(appPage(options))
  }
}

/** The messages of the RPC protocol that the SDK speaks: [opcode, payload]; 0 a handshake, 1 a frame. */
function appPage({ clientId, guildId }: DiscordFrameOptions): string {
  const query = new URLSearchParams({
    instance_id: 'i-1-gc-1-1',
    location_id: 'gc-1-1',
    launch_id: '1',
    frame_id: 'frame-1',
    platform: 'desktop',
    guild_id: guildId,
    channel_id: '1',
  })
  return `<!doctype html><title>Discord</title><iframe title="Activity" width="1200" height="800"
    src="https://${clientId}.discordsays.com/?${query.toString()}"></iframe><script>
  addEventListener('message', async ({ data, source, origin }) => {
    if (origin !== 'https://${clientId}.discordsays.com' || !Array.isArray(data)) return
    const [opcode, message] = data
    await fetch('/said?command=' + (opcode === 0 ? 'HANDSHAKE' : message.cmd))
    const reply = (payload) => source.postMessage([1, payload], origin)
    if (opcode === 0) {
      const config = { cdn_host: 'cdn.discordapp.com', api_endpoint: '//discord.com/api', environment: 'production' }
      const isOurs = message.client_id === '${clientId}' && message.frame_id === 'frame-1'
      if (isOurs) reply({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data: { v: 1, config } })
    } else if (message.cmd === 'AUTHORIZE') {
      const { code } = await (await fetch('/code')).json()
      reply({ cmd: 'AUTHORIZE', evt: null, nonce: message.nonce, data: { code } })
    } else if (message.cmd === 'AUTHENTICATE') {
      const answer = await fetch('/who?token=' + encodeURIComponent(message.args.access_token))
      const user = await answer.json()
      const failed = { evt: 'ERROR', data: { code: 4009, message: 'Invalid OAuth2 access token' } }
      const data = {
        access_token: message.args.access_token,
        user: { ...user, public_flags: 0 },
        scopes: ['identify'],
        expires: '2999-01-01T00:00:00Z',
        application: { id: '${clientId}', name: 'Bandstand', description: '', icon: null },
      }
      reply({ cmd: 'AUTHENTICATE', nonce: message.nonce, ...(answer.ok ? { evt: null, data } : failed) })
    }
  })
  </script>`
}

/** Forwards requests. All but the first page have to come through `/.proxy`, a prefix that is stripped. */
function forward(options: DiscordFrameOptions, seen: Seen, { req, res }: Exchange): void {
  const path = req.url ?? '/'
  if (!path.startsWith('/.proxy/') && !path.startsWith('/?')) {
    seen.unproxied.push(path)
    res.writeHead(404).end()
    return
  }
  if (req.headers.cookie) seen.cookies.push(req.headers.cookie)
  const { hostname, port } = new URL(options.target)
  const headers = { ...req.headers, host: `${hostname}:${port}` }
  const passed = { hostname, port, path: path.replace(/^\/\.proxy/, ''), method: req.method, headers }
  const onward = httpRequest(passed, (answer) => {
    seen.cookies.push(...(answer.headers['set-cookie'] ?? []))
    if (options.isHoldingBack && answer.headers['content-type']?.includes('event-stream')) {
      // Until it ends, which it does not.
      answer.resume()
      return
    }
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(res)
  })
  onward.on('error', () => res.destroy())
  res.on('close', () => onward.destroy())
  req.pipe(onward)
}
