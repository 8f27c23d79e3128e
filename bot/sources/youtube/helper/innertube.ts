import { Innertube, Log, Parser, Platform, Player, YTNodes, type Helpers, type YT } from 'youtubei.js/web.bundle'
import { Refused, type Answering } from './handlers.ts'
import { runPlayerScript } from './decipher.ts'
import { createGuardedFetch } from './fetch.ts'
import { chooseSound } from './audio-formats.ts'
import type { LibraryWay, YoutubeRequest } from './protocol.ts'
import { createSabr, type SabrSettings } from './sabr/sabr.ts'

/** YouTube's own clients that get addresses of sound; those of the last one must be worked out. */
const CLIENTS = { visionos: 'VISIONOS', ios: 'IOS', tv: 'TV' } as const
/** Time in which pages of a playlist are requested, 100 videos each, one after the other. */
const PAGES_MS = 4000

/** YouTube's own interface, by youtubei.js. */
export function createInnertube(means: SabrSettings): Answering {
  const { egress, settings } = means
  const fetch = createGuardedFetch(egress, settings.baseUrl)
  Log.setLevel(Log.Level.NONE)
  // Unreadable entries are left out of lists.
  Parser.setParserErrorHandler(() => undefined)
  // The one file of the build for browsers loads in a fifth of the time, and here no browser adds what it would.
  Platform.shim.server = true
  Platform.shim.eval = ({ output }) => runPlayerScript(output) as ReturnType<typeof Platform.shim.eval>
  const open = openedOnce(() =>
    Innertube.create({
      fetch,
      retrieve_player: false,
      generate_session_locally: true,
      retrieve_innertube_config: false,
      enable_session_cache: false,
      lang: 'en',
      location: 'US',
      ...(settings.visitorData !== null && { visitor_data: settings.visitorData }),
    }),
  )
  // A new one comes every few days, and this process does not live that long without work.
  const openPlayer = openedOnce(() => Player.create(undefined, fetch))
  const sabr = createSabr({ ...means, infoOf, openPlayer, session })

  async function session() {
    return (await open()).session.context.client
  }
  async function infoOf(id: string, client: 'WEB' | (typeof CLIENTS)[keyof typeof CLIENTS], token?: string | null) {
    const youTube = await open()
    const options = { client, ...(token && { po_token: token }) }
    const info = await youTube.getBasicInfo(id, options).catch(toRefusal)
    const { status, reason } = info.playability_status ?? {}
    if (status === 'OK') return info
    throw new Refused(reason || `This video is unavailable (${status ?? 'no status'})`)
  }
  async function video(id: string, way: LibraryWay) {
    if (way === 'sabr') {
      const { info, sound } = await sabr.open(id)
      return { ...factsOf(info), ...sound }
    }
    const info = await infoOf(id, CLIENTS[way])
    const sound = await chooseSound(info, { egress, openPlayer })
    if (sound) return { ...factsOf(info), ...sound }
    throw new Error('YouTube gives this client no audio of the video')
  }

  return async (ask) => (ask.task === 'video' ? video(ask.id, ask.way) : find(await open(), ask))
}

async function find(youTube: Innertube, ask: Exclude<YoutubeRequest, { task: 'video' }>) {
  switch (ask.task) {
    case 'search': {
      const { results } = await youTube.search(ask.text, { type: 'video' })
      return { title: ask.text, entries: entriesOf(results).slice(0, ask.limit) }
    }
    case 'songs':
      return { title: ask.text, entries: (await findSongs(youTube, ask.text)).slice(0, ask.limit) }
    case 'list':
      return readList(await youTube.getPlaylist(ask.id).catch(toRefusal), ask.limit)
    case 'mix': {
      const { contents } = await youTube.music.getUpNext(ask.id)
      return { title: 'Mix', entries: entriesOf(contents).slice(0, ask.limit) }
    }
  }
}

async function findSongs(youTube: Innertube, text: string): Promise<readonly object[]> {
  const { contents } = await youTube.music.search(text, { type: 'song' })
  return (contents ?? []).flatMap((node) => (node.is(YTNodes.MusicShelf) ? entriesOf(node.contents) : []))
}

/** Opens on first use, and again after a failure. */
function openedOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
}

/** The library throws what YouTube says of a video that is not there. */
function toRefusal(error: unknown): never {
  const { message, info } = error as { message?: string; info?: { reason?: string; alert_type?: string } }
  if (info?.reason) throw new Refused(info.reason)
  if (info?.alert_type === 'ERROR' && message) throw new Refused(message)
  throw error
}

function factsOf({ basic_info: about }: YT.VideoInfo) {
  const { id, title, author, duration, is_live: isLive, short_description: description } = about
  return { id, title, channel: author, duration: duration || null, is_live: isLive === true, description }
}

async function readList(first: YT.Playlist, limit: number) {
  const entries = entriesOf(first.items)
  const deadline = AbortSignal.timeout(PAGES_MS)
  let page: YT.Playlist | null = first
  while (page?.has_continuation === true && entries.length < limit && !deadline.aborted) {
    // A part of the list is better than none.
    page = await page.getContinuation().catch(() => null)
    entries.push(...entriesOf(page?.items ?? []))
  }
  const count = Number(first.info.total_items.replaceAll(/\D/g, ''))
  return { title: first.info.title, entries: entries.slice(0, limit), playlist_count: count || null }
}

/** The videos of a list, without advertisements, channels and other entries. */
function entriesOf(nodes: readonly Helpers.YTNode[]): object[] {
  return nodes.flatMap((node) => entryOf(node) ?? [])
}

function entryOf(node: Helpers.YTNode): object | null {
  if (node.is(YTNodes.Video)) {
    const { video_id: id, title, author, duration } = node
    return entry({ id, title, channel: author.name, seconds: duration.seconds, live: liveness(node) })
  }
  if (node.is(YTNodes.PlaylistVideo)) {
    const { id, title, author, duration } = node
    if (!node.is_playable) return null
    return entry({ id, title, channel: author.name, seconds: duration.seconds, live: liveness(node) })
  }
  if (node.is(YTNodes.PlaylistPanelVideo)) {
    const { video_id: id, title, author, duration, artists } = node
    return entry({ id, title, channel: artists?.[0]?.name ?? author, seconds: duration.seconds, live: null })
  }
  if (node.is(YTNodes.MusicResponsiveListItem)) return song(node)
  return node.is(YTNodes.LockupView) ? lockup(node) : null
}

/** Albums and artists stand among songs, too. */
function song({
  item_type: type,
  id,
  title,
  artists,
  authors,
  duration,
}: YTNodes.MusicResponsiveListItem): object | null {
  if ((type !== 'song' && type !== 'video') || id === undefined || title === undefined) return null
  const channel = (artists ?? authors)?.[0]?.name ?? ''
  return entry({ id, title, channel, seconds: duration?.seconds ?? 0, live: null })
}

interface Entry {
  readonly id: string
  readonly title: { toString(): string }
  readonly channel: string
  readonly seconds: number
  readonly live: string | null
}

function entry({ id, title, channel, seconds, live }: Entry): object {
  const duration = Number.isFinite(seconds) && seconds > 0 ? seconds : null
  return { id, title: title.toString(), channel, duration, live_status: live }
}

function liveness({
  is_live: isLive,
  is_upcoming: isUpcoming,
}: {
  is_live?: boolean
  is_upcoming?: boolean | undefined
}) {
  return isUpcoming === true ? 'is_upcoming' : isLive === true ? 'is_live' : null
}

/** The form of lists to come: the length is a badge on the picture, and the channel the first of the lines below it. */
function lockup({
  content_type: type,
  content_id: id,
  metadata,
  content_image: image,
}: YTNodes.LockupView): object | null {
  if (type !== 'VIDEO' || !metadata) return null
  const channel = metadata.metadata?.metadata_rows[0]?.metadata_parts?.[0]?.text?.toString() ?? ''
  const overlays = image?.is(YTNodes.ThumbnailView) ? image.overlays : []
  const badges = overlays.flatMap((it) =>
    it.is(YTNodes.ThumbnailOverlayBadgeView, YTNodes.ThumbnailBottomOverlayView) ? it.badges : [],
  )
  const texts = badges.map(({ text }) => text)
  const isLive = texts.some((text) => /^live$/i.test(text))
  const isUpcoming = texts.some((text) => /^(?:upcoming|premiere)$/i.test(text))
  const live = isUpcoming ? 'is_upcoming' : isLive ? 'is_live' : null
  return entry({
    id,
    title: metadata.title,
    channel,
    seconds: secondsOf(texts.find((it) => /^[\d:]+$/.test(it))),
    live,
  })
}

/** `1:02:03` in seconds. */
function secondsOf(text: string | undefined): number {
  return (text ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
