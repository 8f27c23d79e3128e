import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

export const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const

/** Headers by which a proxy reveals that it forwards a request. */
const FORWARDING = /^(?:forwarded|via|x-real-ip|(?:x|true)-client-ip|x-forwarded-.+|cf-.+)$/

/** Whether an address, of IPv4 in IPv6 too, is in one of the ranges (CIDR). */
export function isWithin(ranges: readonly string[], address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
}

/**
 * The address of the client: the other end of the connection. Behind trusted proxies, it is the last name in
 * `X-Forwarded-For` that is no trusted proxy itself. Names before that one can be forged.
 */
export function clientAddress(req: IncomingMessage, trustedProxies: readonly string[]): string | undefined {
  const peer = req.socket.remoteAddress
  if (trustedProxies.length === 0 || !isWithin(trustedProxies, peer)) return peer
  const { 'x-forwarded-for': sent = '' } = req.headers
  const named = [sent].flat().join(',').split(',')
  for (const name of named.toReversed()) {
    const address = name.trim()
    if (!isWithin(trustedProxies, address)) return address === '' ? peer : address
  }
  return peer
}

/**
 * Whether a program of this machine sent a request for itself. The name in `Host` must be one of the loopback: a page
 * whose own name resolves to 127.0.0.1 would get here too.
 */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = Object.keys(headers).some((name) => FORWARDING.test(name))
  return !isForwarded && isLoopbackUrl(`http://${headers.host}`) && isWithin(LOOPBACK, socket.remoteAddress)
}

/** Whether a URL names the loopback, by `localhost` or an address. */
export function isLoopbackUrl(url: string): boolean {
  const name = URL.parse(url)?.hostname.replaceAll(/^\[|\]$/g, '')
  return name === 'localhost' || isWithin(LOOPBACK, name)
}

/** The smallest network of one subscriber: an IPv4 address, also where it is mapped into IPv6, or an IPv6 /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}
