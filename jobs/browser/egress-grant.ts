import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Fault } from '../../lib/errors.ts'

export interface PassageBounds {
  /** Bytes over all connections together, both ways. */
  readonly maxBytes: number
  /** Requests and tunnels that are open at once. */
  readonly maxOpen: number
  readonly maxRequests: number
}

/** Why a host was not reached. `refused`: it may not be; `unreachable`: it cannot be; `spent`: a bound was met. */
export interface Obstacle {
  readonly kind: 'refused' | 'unreachable' | 'spent'
  /** A sentence for the caller. */
  readonly message: string
}

/** Credentials for the proxy. */
export interface EgressPassage {
  readonly username: string
  readonly password: string
  readonly usedBytes: number
  readonly requests: number
  /** Why nothing came from the host of this URL, as far as the proxy knows. */
  obstacleTo(url: string): Obstacle | null
  /** Cuts all that is open; the credential is worth nothing from here on. */
  close(): void
}

/** The proxy's side of a passage. */
export interface Gate extends EgressPassage {
  isOpenWith(password: string): boolean
  /** @returns what to call when the request is over, or null when it may not begin. */
  openTunnel(target: string, cut: () => void): (() => void) | null
  spend(bytes: number): void
  note(target: string, error: Error): void
}

const MAX_OBSTACLES = 200

export function createGate(bounds: PassageBounds, onClose: (gate: Gate) => void): Gate {
  const secret = randomBytes(24)
  const open = new Set<() => void>()
  const obstacles = new Map<string, Obstacle>()
  let usedBytes = 0
  let requests = 0
  let spent: Obstacle | null = null
  let isClosed = false

  const remember = (target: string, obstacle: Obstacle): void => {
    if (obstacles.size < MAX_OBSTACLES) obstacles.set(target, obstacle)
  }
  const cutAll = (): void => {
    for (const cut of open) cut()
    open.clear()
  }

  const gate: Gate = {
    username: randomBytes(12).toString('base64url'),
    password: secret.toString('base64url'),
    get usedBytes() {
      return usedBytes
    },
    get requests() {
      return requests
    },
    isOpenWith(password) {
      const given = Buffer.from(password, 'base64url')
      return !isClosed && given.length === secret.length && timingSafeEqual(given, secret)
    },
    openTunnel(target, cut) {
      requests++
      if (requests > bounds.maxRequests) spent ??= overdrawn(`more than ${bounds.maxRequests} requests`)
      if (isClosed || spent || open.size >= bounds.maxOpen) {
        if (spent) remember(target, spent)
        return null
      }
      open.add(cut)
      return () => open.delete(cut)
    },
    spend(bytes) {
      usedBytes += bytes
      if (usedBytes <= bounds.maxBytes || spent) return
      spent = overdrawn(`more than ${Math.round(bounds.maxBytes / 1e6)} MB`)
      cutAll()
    },
    note: (target, error) => remember(target, spent ?? obstacleOf(target, error)),
    obstacleTo(url) {
      const target = URL.parse(url)
      return (target && obstacles.get(hostAndPort(target))) ?? spent
    },
    close() {
      if (isClosed) return
      isClosed = true
      cutAll()
      onClose(gate)
    },
  }
  return gate
}

/** `host:port`, by which a passage remembers whom it could not reach. */
export function hostAndPort(url: URL): string {
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:'
  return `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`
}

function overdrawn(what: string): Obstacle {
  return { kind: 'spent', message: `The page requested ${what}.` }
}

/** Sentences for what the system or the HTTP client says. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  EHOSTUNREACH: 'is unreachable',
  ENETUNREACH: 'is unreachable',
  ETIMEDOUT: "doesn't accept connections in time",
  UND_ERR_CONNECT_TIMEOUT: "doesn't accept connections in time",
  UND_ERR_HEADERS_TIMEOUT: "doesn't respond",
  UND_ERR_BODY_TIMEOUT: 'cut off its response',
  UND_ERR_HEADERS_OVERFLOW: 'sends too many headers',
  EAI_AGAIN: "doesn't resolve: the name server doesn't respond",
}

function obstacleOf(target: string, error: Error): Obstacle {
  if (error instanceof Fault && error.code === 'validation_error') return { kind: 'refused', message: error.message }
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const how = UNREACHABLE[code] ?? (code.startsWith('HPE_') ? "doesn't speak HTTP" : 'is unreachable')
  return { kind: 'unreachable', message: `${target} ${how}.` }
}
