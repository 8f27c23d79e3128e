import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

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
 * Where a request comes from: the other end of its connection. Where that is a proxy that is trusted, it is who the
 * proxy says it was connected to, and so on: the last name in `X-Forwarded-For` that is no trusted proxy itself. What
 * stands before that one anybody may have written.
 */
export function addressOf(req: IncomingMessage, trustedProxies: readonly string[]): string | undefined {
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

/** Whether a program of this machine asks, and not for somebody else. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isPassedOn = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
  return !isPassedOn && isWithin(LOOPBACK, socket.remoteAddress)
}
