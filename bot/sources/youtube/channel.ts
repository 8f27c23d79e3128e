import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { attributeOf, readPage } from '../../../upstream/music/page.ts'

interface ChannelPages {
  readonly egress: Egress
  /** Address of `www.youtube.com`. */
  readonly baseUrl: string
}

const CHANNEL_ID = /^UC[A-Za-z0-9_-]{22}$/
const PAGE_BYTES = 4 * 1024 * 1024

/** The id of a channel, from its link or from the page that the link shows; null where there is none. */
export function createChannelFinder({ egress, baseUrl }: ChannelPages) {
  return async ({ pathname }: URL, signal: AbortSignal): Promise<string | null> => {
    const [, kind, name = ''] = pathname.split('/')
    if (kind === 'channel') return CHANNEL_ID.test(name) ? name : null
    const path = kind?.startsWith('@') === true ? `/${kind}` : `/${kind}/${name}`
    const page = await readPage(`${baseUrl}${path}`, { egress, name: 'YouTube', signal, maxBytes: PAGE_BYTES })
    return page.status === 200 ? canonicalId(page.text) : null
  }
}

function canonicalId(html: string): string | null {
  for (const [tag] of html.matchAll(/<link[^<>]*/g)) {
    if (attributeOf(tag, 'rel') !== 'canonical') continue
    const id = attributeOf(tag, 'href')?.split('/channel/')[1] ?? ''
    if (CHANNEL_ID.test(id)) return id
  }
  return null
}
