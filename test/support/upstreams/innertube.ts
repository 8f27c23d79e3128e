import { playerScript, REFUSED } from './innertube-answers.ts'
import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

/** A stand-in for YouTube: its inner interface, its player and its pages, as the libraries read them. */
export interface InnertubeStandIn extends StandIn {
  /** Further code in the player's script. */
  playerExtra: string
  /** URL of the sound, for videos that have some. */
  sound: string
  /** URL of live streams. */
  live: string
  /** Whether answers of YouTube Music are unreadable. */
  isMusicBroken: boolean
  /** Programs of YouTube's that get no addresses. */
  readonly closedTo: Set<string>
  /** What the website's own client gets of a video; null: what the others get. */
  website: ((videoId: string) => object) | null
  /** Answers audio requests before all else. */
  audio: ((request: Received) => Reply | undefined | Promise<Reply | undefined>) | null
}

export async function startInnertube(): Promise<InnertubeStandIn> {
  const stand = {
    playerExtra: '',
    isMusicBroken: false,
    sound: '',
    live: '',
    closedTo: new Set<string>(),
    website: null,
    audio: null,
  }
  const service: StandIn = await startStandIn((request) => {
    const own = Object.assign(stand, service) as InnertubeStandIn
    return (request.path === '/videoplayback' && own.audio?.(request)) || answer(request, own)
  })
  stand.sound = `${service.url}/videoplayback?id=1`
  stand.live = `${service.url}/live/master.m3u8`
  return Object.assign(stand, service)
}

function answer({ path, query, body }: Received, stand: InnertubeStandIn): Reply | undefined {
  if (path === '/iframe_api')
    return { text: String.raw`var scriptUrl = 'https:\/\/www.youtube.com\/s\/player\/0000abcd\/www'` }
  if (path.startsWith('/s/player/0000abcd/')) return { text: playerScript(stand.playerExtra) }
  if (path === '/results') return { text: page(query.get('search_query') ?? '') }
  if (path === '/videoplayback') return { status: query.get('id') === 'no' ? 403 : 206, text: 'xx' }
  const asked = path.startsWith('/youtubei/v1/') ? (JSON.parse(body) as Asked) : null
  if (path === '/youtubei/v1/search') {
    const isMusic = asked?.context.client.clientName === 'WEB_REMIX'
    if (isMusic && stand.isMusicBroken) return { json: { contents: null } }
    return { json: (isMusic ? musicSearched : searched)(asked?.query ?? '') }
  }
  if (path === '/youtubei/v1/browse') return { json: browsed(asked) }
  if (path === '/youtubei/v1/next') return { json: upNext() }
  if (path === '/youtubei/v1/player' && asked) return { json: played(asked, stand) }
  return undefined
}

interface Asked {
  readonly query?: string
  readonly browseId?: string
  readonly continuation?: string
  readonly videoId?: string
  readonly context: { readonly client: { readonly clientName: string } }
}

const text = (simpleText: string) => ({ simpleText })
const run = (words: string) => ({ runs: [{ text: words }] })
const channel = {
  runs: [{ text: 'Quay', navigationEndpoint: { browseEndpoint: { browseId: 'UCquay', canonicalBaseUrl: '/@quay' } } }],
}

function video(videoId: string, more: Record<string, unknown> = {}) {
  const lengthText = text('3:20')
  return {
    videoRenderer: {
      videoId,
      title: run(`Song ${videoId}`),
      ownerText: channel,
      lengthText,
      channelThumbnailSupportedRenderers: { channelThumbnailWithLinkRenderer: { thumbnail: { thumbnails: [] } } },
      thumbnail: { thumbnails: [{ url: 'https://i.ytimg.com/x.jpg', width: 1, height: 1 }] },
      navigationEndpoint: {},
      ...more,
    },
  }
}

/** The newer form of an entry. */
function lockup(contentId: string, badge: string) {
  return {
    lockupViewModel: {
      contentId,
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      contentImage: {
        thumbnailViewModel: {
          image: { sources: [] },
          overlays: [
            {
              thumbnailOverlayBadgeViewModel: {
                thumbnailBadges: [
                  { thumbnailBadgeViewModel: { text: badge, badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT' } },
                ],
              },
            },
          ],
        },
      },
      metadata: {
        lockupMetadataViewModel: {
          title: { content: `Song ${contentId}` },
          metadata: {
            contentMetadataViewModel: {
              metadataRows: [{ metadataParts: [{ text: { content: 'Quay' } }] }],
              delimiter: ' • ',
            },
          },
        },
      },
    },
  }
}

const LIVE = {
  badges: [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_LIVE_NOW', label: 'LIVE' } }],
  lengthText: undefined,
}

function results(query: string): readonly object[] {
  if (query === 'nothing') return []
  return [
    { adSlotRenderer: { surprise: true } },
    video('aaaaaaaaaaa'),
    video('lllllllllll', LIVE),
    lockup('-cccccccccc', '1:02:03'),
    { brandNewRenderer: {} },
  ]
}

function searched(query: string) {
  const contents = [{ itemSectionRenderer: { contents: results(query) } }]
  return { contents: { twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents } } } } }
}

function musicSearched(query: string) {
  const songs =
    query === 'nothing' ? [] : [musicItem('sssssssssss', 'ATV'), musicItem('vvvvvvvvvvv', 'OMV'), { new: {} }]
  const contents = [{ musicShelfRenderer: { title: run('Songs'), contents: songs } }]
  const tab = { tabRenderer: { title: 'YT Music', selected: true, content: { sectionListRenderer: { contents } } } }
  return { contents: { tabbedSearchResultsRenderer: { tabs: [tab] } } }
}

const column = (...runs: object[]) => ({ musicResponsiveListItemFlexColumnRenderer: { text: { runs } } })

function musicItem(videoId: string, type: string) {
  const musicVideoType = `MUSIC_VIDEO_TYPE_${type}`
  const watchEndpoint = {
    videoId,
    watchEndpointMusicSupportedConfigs: { watchEndpointMusicConfig: { musicVideoType } },
  }
  const title = { text: `Song ${videoId}`, navigationEndpoint: { watchEndpoint } }
  const artist = { text: 'Quay', navigationEndpoint: { browseEndpoint: { browseId: 'UCquay' } } }
  const flexColumns = [column(title), column(artist, { text: ' • ' }, { text: '3:20' })]
  return { musicResponsiveListItemRenderer: { flexColumns, playlistItemData: { videoId } } }
}

function browsed(asked: Asked | null) {
  if (asked?.browseId === 'VLPLnone') {
    return {
      alerts: [{ alertRenderer: { type: 'ERROR', text: run('The playlist does not exist.') } }],
      contents: list([]),
    }
  }
  const entries = [
    listed('aaaaaaaaaaa'),
    listed('bbbbbbbbbbb', { isPlayable: false }),
    { playlistVideoRenderer: null },
    listed('-cccccccccc'),
  ]
  return { metadata: { playlistMetadataRenderer: { title: 'Sample List' } }, contents: list(entries) }
}

function listed(videoId: string, more: object = {}) {
  return {
    playlistVideoRenderer: {
      videoId,
      index: text('1'),
      title: { ...run(`Song ${videoId}`), accessibility: { accessibilityData: { label: 'x' } } },
      shortBylineText: channel,
      lengthText: text('3:20'),
      lengthSeconds: '200',
      isPlayable: true,
      thumbnail: { thumbnails: [] },
      navigationEndpoint: {},
      ...more,
    },
  }
}

function list(contents: readonly object[]) {
  const rows = [{ itemSectionRenderer: { contents: [{ playlistVideoListRenderer: { contents } }] } }]
  const tab = { tabRenderer: { selected: true, content: { sectionListRenderer: { contents: rows } } } }
  return { twoColumnBrowseResultsRenderer: { tabs: [tab] } }
}

function upNext() {
  const contents = ['aaaaaaaaaaa', 'ddddddddddd', 'fffffffffff'].map(queued)
  const panel = { playlistPanelRenderer: { playlistId: 'RDAMVMaaaaaaaaaaa', contents, isInfinite: true } }
  const tab = { tabRenderer: { title: 'Up next', selected: true, content: { musicQueueRenderer: { content: panel } } } }
  const tabs = { watchNextTabbedResultsRenderer: { tabs: [tab] } }
  return { contents: { singleColumnMusicWatchNextResultsRenderer: { tabbedRenderer: tabs } } }
}

function queued(videoId: string) {
  return {
    playlistPanelVideoRenderer: {
      videoId,
      title: run(`Song ${videoId}`),
      longBylineText: channel,
      shortBylineText: run('Quay'),
      lengthText: run('3:20'),
      thumbnail: { thumbnails: [] },
      navigationEndpoint: {},
    },
  }
}

function played({ videoId = '', context }: Asked, stand: InnertubeStandIn) {
  const { clientName } = context.client
  const [status = 'OK', reason] = REFUSED[videoId] ?? []
  const isLive = videoId === 'lllllllllll'
  const videoDetails = {
    videoId,
    title: 'Seed Söng (Official Video)',
    author: 'Quay',
    lengthSeconds: isLive ? '0' : '213',
    isLive,
    thumbnail: { thumbnails: [] },
    viewCount: '1',
  }
  const { website } = stand
  if (status === 'OK' && clientName === 'WEB' && website && !stand.closedTo.has('WEB'))
    return { playabilityStatus: { status }, videoDetails, ...website(videoId) }
  const streamingData =
    status !== 'OK' || stand.closedTo.has(clientName) ? undefined : streams(videoId, clientName, stand)
  return { playabilityStatus: { status, reason }, videoDetails, streamingData }
}

function streams(videoId: string, clientName: string, { sound, live }: InnertubeStandIn) {
  if (videoId === 'lllllllllll') return { expiresInSeconds: '21540', hlsManifestUrl: live, adaptiveFormats: [] }
  const format = (itag: number, mimeType: string, bitrate: number, more: object = {}) => ({
    itag,
    mimeType,
    bitrate,
    audioQuality: 'AUDIO_QUALITY_MEDIUM',
    approxDurationMs: '213000',
    lastModified: '1',
    url: `${sound}&itag=${itag}`,
    ...more,
  })
  // The program for televisions is given addresses that its player works out.
  const hidden = (itag: number) => ({
    url: undefined,
    signatureCipher: new URLSearchParams({ s: 'CBA', sp: 'sig', url: `${sound}&itag=${itag}` }).toString(),
  })
  const more = clientName === 'TVHTML5' ? hidden(251) : {}
  const isGone = videoId === 'nnnnnnnnnnn' ? { url: sound.replace('id=1', 'id=no') } : {}
  const opus = 'audio/webm; codecs="opus"'
  return {
    expiresInSeconds: '21540',
    formats: [format(18, 'video/mp4; codecs="avc1.42001E, mp4a.40.2"', 500_000, { qualityLabel: '360p', ...isGone })],
    adaptiveFormats: [
      format(140, 'audio/mp4; codecs="mp4a.40.2"', 129_000, { ...isGone }),
      ...(videoId === '-cccccccccc'
        ? []
        : [format(250, opus, 70_000, { ...isGone }), format(251, opus, 140_000, { ...more, ...isGone })]),
      format(251, opus, 150_000, { isDrc: true }),
      format(137, 'video/mp4; codecs="avc1.640028"', 4_000_000, { audioQuality: undefined, qualityLabel: '1080p' }),
    ],
  }
}

/** A page of results as people see it. */
function page(query: string): string {
  const contents = query === 'nothing' ? [] : [{ adSlotRenderer: {} }, video('eeeeeeeeeee'), video('lllllllllll', LIVE)]
  const data = {
    contents: {
      twoColumnSearchResultsRenderer: {
        primaryContents: { sectionListRenderer: { contents: [{ itemSectionRenderer: { contents } }] } },
      },
    },
  }
  return `<html><script>var ytInitialData = ${JSON.stringify(data)};</script></html>`
}
