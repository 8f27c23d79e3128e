import { z } from 'zod'
import { createTokens } from '../../bot/sources/links/spotify-api.ts'
import type { Outside } from '../../bot/sources/remote-sources.ts'
import { createClientIds } from '../../bot/sources/soundcloud/soundcloud-client.ts'
import { parseJson } from '../../lib/text.ts'
import { urlsOf, type UpstreamUrls } from '../../upstream/http/addresses.ts'
import { createUpstream } from '../../upstream/http/client.ts'
import { scriptOf, songCountOf } from '../../upstream/music/list-pages.ts'
import { readPage } from '../../upstream/music/page.ts'
import type { RecordedShape } from './shapes.ts'

const MAX_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 10_000

/** Fetches answers of sites as they are, without the sources that read them; null where a setting is missing. */
export function createAnswers({ context, egress, places }: Outside, changed: UpstreamUrls) {
  const urlOf = urlsOf(changed)
  const { clientId, clientSecret, ...addresses } = places.spotify
  const app = clientId !== null && clientSecret !== null ? { clientId, clientSecret } : null
  const tokens = app && createTokens(context, { ...addresses, ...app, timeoutMs: TIMEOUT_MS })
  const ids = createClientIds(context, { ...places.soundCloud, egress, timeoutMs: TIMEOUT_MS })

  async function json({ upstream, path, json: body, needs }: RecordedShape): Promise<unknown> {
    const [pathname = '', search] = path.split('?')
    const query = Object.fromEntries(new URLSearchParams(search))
    if (needs === 'soundCloudId') query['client_id'] = await ids.get()
    const spec = { id: upstream, name: upstream, baseUrl: urlOf(upstream), timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    return createUpstream(context, spec).get({
      path: pathname,
      query,
      shape: z.unknown(),
      ...(body !== undefined && { json: body }),
      ...(tokens && needs === 'spotifyToken' && { headers: { authorization: `Bearer ${await tokens.get()}` } }),
    })
  }

  return async (recorded: RecordedShape): Promise<unknown> => {
    const { upstream, path, script, isCount, needs } = recorded
    if (needs === 'spotifyToken' && tokens === null) return null
    if (script === undefined && isCount !== true) return json(recorded)
    const { text } = await readPage(`${urlOf(upstream)}${path}`, { egress, name: upstream, maxBytes: MAX_BYTES })
    return script === undefined ? (songCountOf(text) ?? undefined) : parseJson(scriptOf(text, script))
  }
}
