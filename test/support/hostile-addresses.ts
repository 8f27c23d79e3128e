import type { Lookup } from '../../upstream/egress/dns.ts'
import { readTestData } from './test-data.ts'

export interface HostileCase {
  readonly id: string
  /** The victim: anyone who opens the URL, follows its redirect, or runs its page. */
  readonly via: string
  readonly url: string
  /** Target of its redirect. */
  readonly location?: string
  /** Target of the second redirect. */
  readonly chain?: string
  readonly html?: string
  /** The address that must be refused: the target of a redirecting case, else its address itself. */
  readonly target: string
  readonly expect: string
}

/** The table of hostile addresses. */
export function hostileCases(): readonly HostileCase[] {
  const cases = readTestData('hostile-addresses.json') as readonly Omit<HostileCase, 'target'>[]
  return cases.map((it) =>
    Object.assign({ target: it.chain ?? (it.location ? new URL(it.location, it.url).href : it.url) }, it),
  )
}

/** Answers as the name servers of the hostile cases do. */
export function hostileZone(): Lookup {
  const seen = new Map<string, number>()
  return async (host) => {
    const count = (seen.get(host) ?? 0) + 1
    seen.set(host, count)
    const fixed: Record<string, string[]> = {
      'loop.test': ['127.0.0.1'],
      'priv.test': ['10.0.0.1'],
      'meta.test': ['169.254.169.254'],
      'metadata.google.internal': ['169.254.169.254'],
      'zero.test': ['0.0.0.0'],
      'mixed.test': ['93.184.216.34', '127.0.0.1'],
      'localtest.me': ['127.0.0.1'],
      'v6loop.test': ['::1'],
      'v6map.test': ['::ffff:127.0.0.1'],
      'v6nat.test': ['64:ff9b::7f00:1'],
      'v6ula.test': ['fd00:ec2::254'],
      'hostsfile.example': ['127.0.0.1'],
    }
    const nip = /(\d+)[.-](\d+)[.-](\d+)[.-](\d+)\.nip\.io$/.exec(host)
    const addresses =
      fixed[host] ??
      (nip ? [nip.slice(1).join('.')] : null) ??
      (/(^|\.)attacker\.test$/.test(host) ? ['93.184.216.34'] : null) ??
      (host.endsWith('.rebind.test') ? [count === 1 ? '93.184.216.34' : '127.0.0.1'] : [])
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}
