import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Ranges that ipaddr.js takes for ordinary ones and that lead to machines of a private network all the same. */
const INSIDE = [
  // Azure's host agent hands out credentials from a public-looking address.
  ipaddr.parseCIDR('168.63.129.16/32'),
  // IANA has given out addresses in 2000::/3 only; the rest of IPv6 is special or unassigned.
  ipaddr.parseCIDR('::/3'),
  ipaddr.parseCIDR('4000::/2'),
  ipaddr.parseCIDR('8000::/1'),
]

/** Ends of names that never mean a machine on the public internet. */
const INSIDE_NAMES = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'onion']

/** Whether an IP address in text form is one that anybody on the internet could reach: global unicast and not our own. */
export function isPublicAddress(text: string): boolean {
  // A zone (`fe80::1%eth0`) names one of our interfaces.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  if (INSIDE.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits))) return false
  return !ownAddresses().has(address.toString())
}

/** Whether a host name (no IP address) could be a public one; what it resolves to must be checked as well. */
export function isPublicName(name: string): boolean {
  if (!name.includes('.') || name.length > 253) return false
  return !INSIDE_NAMES.some((end) => name === end || name.endsWith(`.${end}`))
}

function ownAddresses(): Set<string> {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return new Set(interfaces.map(({ address }) => ipaddr.process(address.replace(/%.*/, '')).toString()))
}
