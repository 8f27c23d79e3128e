/** The headings of Lavalink's documentation that say what a server does, by page; a check names the one that it holds. */
export const HEADINGS = {
  rest: [
    'rest-api',
    'error-responses',
    'track',
    'track-info',
    'playlist-info',
    'track-loading',
    'track-loading-result',
    'load-result-type',
    'track-result-data',
    'playlist-result-data',
    'search-result-data',
    'empty-result-data',
    'error-result-data',
    'track-decoding',
    'player',
    'voice-state',
    'filters',
    'equalizer',
    'karaoke',
    'timescale',
    'tremolo',
    'vibrato',
    'rotation',
    'distortion',
    'channel-mix',
    'low-pass',
    'plugin-filters',
    'get-players',
    'get-player',
    'update-player',
    'update-player-track',
    'destroy-player',
    'update-session',
    'get-lavalink-info',
    'info-response',
    'version-object',
    'git-object',
    'plugin-object',
    'get-lavalink-version',
    'get-lavalink-stats',
    'get-routeplanner-status',
    'unmark-a-failed-address',
    'unmark-all-failed-address',
  ],
  websocket: [
    'opening-a-connection',
    'op-types',
    'ready-op',
    'player-update-op',
    'player-state',
    'stats-op',
    'stats-object',
    'memory',
    'cpu',
    'frame-stats',
    'event-op',
    'event-types',
    'trackstartevent',
    'trackendevent',
    'track-end-reason',
    'trackexceptionevent',
    'exception-object',
    'severity',
    'trackstuckevent',
    'websocketclosedevent',
  ],
} as const

/** A paragraph of https://lavalink.dev/api/rest. */
export const rest = (heading: (typeof HEADINGS.rest)[number]): string => `https://lavalink.dev/api/rest#${heading}`

/** A paragraph of https://lavalink.dev/api/websocket. */
export const websocket = (heading: (typeof HEADINGS.websocket)[number]): string =>
  `https://lavalink.dev/api/websocket#${heading}`

export const RESUMING = 'https://lavalink.dev/api/#resuming'
export const CHANGELOG = 'https://lavalink.dev/changelog/v4'

const SERVER = 'LavalinkServer/src/main/java/lavalink/server'
const PROTOCOL = 'protocol/src/commonMain/kotlin/dev/arbjerg/lavalink/protocol/v4'

/** Links a source of Lavalink's own server: clients rely on its behaviour where the documentation is silent. */
export const source = (file: string): string =>
  `https://github.com/lavalink-devs/Lavalink/blob/master/${SERVER}/${file}`
export const protocol = (file: string): string =>
  `https://github.com/lavalink-devs/Lavalink/blob/master/${PROTOCOL}/${file}`
