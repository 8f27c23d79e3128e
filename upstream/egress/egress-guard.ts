import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, buildConnector, request, type Dispatcher } from 'undici'
import { Fault, unprocessable } from '../../lib/errors.ts'
import { countOutgoing } from '../../lib/request-context.ts'
import { isPublicAddress, isPublicName } from './private-addresses.ts'
import { isCoded, plainOf } from './content-coding.ts'
import { locationOf } from './location.ts'
import { limitPieces } from './piece-limit.ts'
import { acceptIcyStatus } from './shoutcast.ts'
import { createNameLookup, lookUpAsSystem, type Lookup } from './dns.ts'
import { abortable, createDeadline } from '../../lib/deadline.ts'
import { userAgent as ownUserAgent } from '../../lib/identity.ts'

const URL_MAX_CHARS = 2048
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** As browsers: the prefixes of podcasts chain them. */
const MAX_REDIRECTS = 20
const CONNECT_TIMEOUT_MS = 5000
const BODY_TIMEOUT_MS = 30_000

/**
 * Ports from 1024 on that belong to services which a stray request could harm or question: databases, caches,
 * queues, remote control. Internet radio lives on nearly every other one.
 */
const SERVICE_PORTS = new Set([
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045, 4190,
  4369, 5060, 5061, 5432, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6514, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10_080, 10_250, 11_211, 15_672, 26_379, 27_017, 27_018, 27_019,
])

export interface EgressOptions {
  /** Hosts (`radio.lan`, `10.0.0.7:8000`, `[::1]:9000`) that are reachable at any address and port. */
  readonly allowHosts: readonly string[]
  /** Name resolution; where nothing is given the system's own for allowed hosts, and the internet's for all others. */
  readonly lookup?: Lookup
  /** Who asks. Defaults to the product and its address. */
  readonly userAgent?: string
}

interface OpenUrlOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Default 20. */
  readonly maxRedirects?: number
  /** For names, connections, redirects and the headers of the last answer together; default 10 s. */
  readonly timeoutMs?: number
}

/** An answer whose body has not been read. The caller reads it to the end or destroys `body`. */
export interface EgressResponse {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  /** Names in lower case. Of a body that came compressed, without its coding and length. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. Fails when nothing arrives for 30 s while it is read. Unlimited: the reader sets the bound. */
  readonly body: Readable
}

/**
 * The only way out to hosts that callers name. It reaches public addresses only, whatever the URL, DNS answers
 * or a redirect says. The address that was checked is the one that is dialled. Of our own, since the libraries for it guard
 * Node's `http` agent alone: this serves undici, the browser's proxy and other protocols too.
 *
 * Refusals are `validation_error`s; a host that cannot be looked up or reached is `service_unavailable`. No message tells
 * whether a name exists in a private network or what it resolves to.
 */
export interface Egress {
  /** Connects by the same rules; for clients that bring their own requests. Does not follow redirects. */
  readonly dispatcher: Dispatcher
  /** The URL when its form and all addresses of its host are allowed. Opening it checks again. */
  check(url: string, options?: Pick<OpenUrlOptions, 'signal' | 'timeoutMs'>): Promise<URL>
  /**
   * GETs a URL, every redirect checked like the first. Any status but a redirect is an answer. Each hop counts toward
   * the requests that the current incoming request may send.
   */
  open(url: string, options?: OpenUrlOptions): Promise<EgressResponse>
  /**
   * The addresses of a host that may be dialled, for protocols other than HTTP. Dial one of these, never the name.
   * @throws {Fault} when the host or the port is not allowed.
   */
  admit(host: string, port: number): Promise<readonly LookupAddress[]>
  /**
   * A guard that also reaches `host:port` at any address, for servers that the operator configured. It has connections of
   * its own: one that is open serves every request to its host, and callers may not use those.
   */
  allowing(host: string): Egress
  /** Closes all open connections. */
  close(): Promise<void>
}

export function createEgress({ allowHosts, lookup, userAgent = ownUserAgent() }: EgressOptions): Egress {
  const isAllowed = allowList(allowHosts)
  const lookUpPublic = lookup ?? createNameLookup()
  const lookUpAllowed = lookup ?? lookUpAsSystem
  const wider = new Map<string, Egress>()

  /** The addresses to dial. @throws {Fault} unless all of them may be. */
  async function admit(host: string, port: number): Promise<readonly LookupAddress[]> {
    const allowed = isAllowed(host, port)
    if (!allowed && !isMusicPort(port))
      throw refusal(`Port ${port} is blocked, since it isn't a usual port for music or web pages.`)
    const family = isIP(host)
    const isCandidate = allowed || (family === 0 ? isPublicName(host) : isPublicAddress(host))
    if (!isCandidate) throw notPublic(host)
    const addresses =
      family === 0 ? await addressesOf(host, allowed ? lookUpAllowed : lookUpPublic) : [{ address: host, family }]
    // One bad answer refuses the name: which of them would be dialled is chance.
    if (!allowed && !addresses.every(({ address }) => isPublicAddress(address))) throw notPublic(host)
    return addresses
  }

  const dispatcher = new Agent({
    connect: (options, settle) => {
      const host = bareHost(options.hostname)
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      admit(host, port).then(
        (addresses) => dial({ ...options, hostname: host }, addresses, settle),
        (error: Error) => settle(error, null),
      )
    },
    pipelining: 1,
    keepAliveTimeout: 2000,
    bodyTimeout: BODY_TIMEOUT_MS,
  }).compose(limitPieces)

  return {
    dispatcher,
    admit,
    check: (url, options = {}) =>
      within(options, url, async () => {
        const checked = parseUrl(url)
        await admit(bareHost(checked.hostname), portOf(checked))
        return checked
      }),
    open: (url, options = {}) =>
      within(options, url, (signal) =>
        follow(dispatcher, url, { ...options, headers: { 'user-agent': userAgent, ...options.headers }, signal }),
      ),
    allowing(host) {
      const more = { allowHosts: [...allowHosts, host], userAgent, ...(lookup && { lookup }) }
      const guard = wider.get(host) ?? createEgress(more)
      wider.set(host, guard)
      return guard
    },
    close: async () => {
      await Promise.all([dispatcher.destroy(), ...[...wider.values()].map((guard) => guard.close())])
    },
  }
}

/** The URL of a text that a caller wrote. @throws {Fault} `validation_error` when its form is not allowed. */
function parseUrl(text: string): URL {
  if (text.length > URL_MAX_CHARS) throw refusal(`The URL is longer than ${URL_MAX_CHARS} characters.`)
  // oxlint-disable-next-line no-control-regex -- control characters are what this refuses
  if (/[\u0000-\u001f\u007f\\]/.test(text)) throw refusal('The URL contains a control character or a backslash.')
  const url = URL.parse(text)
  if (!url) throw refusal("This isn't a complete URL, such as https://example.com/song.mp3.")
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal('The URL must start with http:// or https://.')
  if (url.username !== '' || url.password !== '') throw refusal('The URL contains a username or a password. Remove it.')
  if (url.href.length > 3 * URL_MAX_CHARS) throw refusal(`The URL is longer than ${URL_MAX_CHARS} characters.`)
  return url
}

/** Requests, checks and follows until something other than a redirect answers. */
async function follow(dispatcher: Dispatcher, start: string, options: OpenUrlOptions & { signal: AbortSignal }) {
  const { signal, maxRedirects = MAX_REDIRECTS } = options
  let { headers } = options
  let url = parseUrl(start)
  for (let hop = 0; hop <= maxRedirects; hop++) {
    countOutgoing()
    const answer = await request(url, { dispatcher, signal, ...(headers && { headers }) })
    // Destroying a body emits an error; unheard it would end the process.
    answer.body.on('error', () => {})
    const location = REDIRECTS.has(answer.statusCode) ? locationOf(answer.headers) : undefined
    // A range of what is compressed means nothing: asked for all of it, the host sends what can be undone.
    const isCodedPart = answer.statusCode === 206 && isCoded(answer.headers)
    if (location === undefined && !isCodedPart) {
      const { headers: plain, body } = plainOf(answer)
      return { url, status: answer.statusCode, headers: flatten(plain), body }
    }
    answer.body.destroy()
    if (location === undefined) headers = withoutRange(headers)
    else url = nextUrl(location, url)
  }
  throw refusal(`The URL redirects more than ${maxRedirects} times.`)
}

function withoutRange(headers: OpenUrlOptions['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'range'))
}

function nextUrl(location: string, from: URL): URL {
  const next = URL.parse(location, from.href)
  if (!next) throw refusal(`${from.host} redirects to an invalid URL.`)
  return parseUrl(next.href)
}

/** Runs a step under its deadline and the caller's signal, and converts errors to `Fault`s. */
async function within<T>(
  { signal, timeoutMs = 10_000 }: OpenUrlOptions,
  url: string,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const deadline = createDeadline(timeoutMs, signal)
  try {
    return await abortable(step(deadline.signal), deadline.signal)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof Fault) throw error
    const host = URL.parse(url)?.host ?? 'The host'
    const how = deadline.isOver ? `didn't respond within ${timeoutMs / 1000} s` : 'is unreachable'
    throw new Fault('service_unavailable', `${host} ${how}.`, { reason: 'unreachable', cause: error })
  } finally {
    // Only the headers are under the deadline: the body may last for hours.
    deadline.lift()
  }
}

function dial(
  options: buildConnector.Options,
  addresses: readonly LookupAddress[],
  callback: buildConnector.Callback,
): void {
  const pinned: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup: pinned })
  // A Host header must not become the name that is dialled, nor the one that the certificate is checked against.
  const servername = isIP(options.hostname) === 0 ? options.hostname : ''
  connect({ ...options, host: options.hostname, servername }, (...outcome) => {
    const [, socket] = outcome
    if (socket) acceptIcyStatus(socket)
    callback(...outcome)
  })
}

async function addressesOf(host: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const addresses = await lookup(host).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOTFOUND' || cause.code === 'ENODATA') return []
    if (cause instanceof Fault) throw cause
    throw notLookedUp(host, cause)
  })
  // The same words as for a private address, so that callers cannot probe which internal names exist.
  if (addresses.length === 0) throw notPublic(host)
  return addresses
}

function notLookedUp(host: string, cause: unknown): Fault {
  const message = `The DNS lookup of ${host} failed. Try again in a moment.`
  return new Fault('service_unavailable', message, { reason: 'unreachable', cause })
}

function allowList(entries: readonly string[]): (host: string, port: number) => boolean {
  const allowed = new Set(entries.map(readAllowed))
  return (host, port) => allowed.has(host) || allowed.has(`${host} ${port}`)
}

/** `host` or `host port`, in the form that URLs give hosts. */
function readAllowed(entry: string): string {
  const [, name = entry, port] = isIP(entry) === 6 ? [] : (/^(.+?)(?::(\d+))?$/.exec(entry) ?? [])
  const url = URL.parse(`http://${isIP(name) === 6 ? `[${name}]` : name}/`)
  if (!url || url.pathname !== '/') throw new Error(`EGRESS_ALLOW_HOSTS: "${entry}" must be a host or host:port.`)
  return port ? `${bareHost(url.hostname)} ${port}` : bareHost(url.hostname)
}

/** A host without the brackets of IPv6 or the dot of a fully qualified name. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

function isMusicPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !SERVICE_PORTS.has(port))
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')])
  return Object.fromEntries(entries)
}

function notPublic(host: string): Fault {
  const isAddress = isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0
  return refusal(`${host} ${isAddress ? "isn't a" : 'has no'} public address.`)
}

function refusal(message: string): Fault {
  return unprocessable('address_refused', message)
}
