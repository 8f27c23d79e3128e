import type { Spoiler } from './spoiling-proxy.ts'

/** A server with one fault, and the check that must see it. */
export interface Mutant {
  readonly fault: string
  readonly caughtBy: string
  readonly spoiler: Spoiler
}

const isPlayer = (path: string) => /\/players\/\d+$/.test(path)
const event = (type: string, change: (message: any) => unknown[]): Spoiler => ({
  message: (message) => (message.type === type ? change(message) : [message]),
})

export const MUTANTS: readonly Mutant[] = [
  {
    fault: 'the password is not looked at',
    caughtBy: 'auth.wrong',
    spoiler: {
      answer(answer) {
        if (answer.status === 401 || answer.status === 403) Object.assign(answer, { status: 200, body: {} })
      },
    },
  },
  {
    fault: 'errors have no path',
    caughtBy: 'errors.path',
    spoiler: { answer: ({ status, body }) => void (status >= 400 && delete body.path) },
  },
  {
    fault: 'an unknown session is 500',
    caughtBy: 'errors.session-routes',
    spoiler: { answer: (answer) => void (answer.status === 404 && (answer.status = 500)) },
  },
  {
    fault: 'the length of a track is in seconds',
    caughtBy: 'tracks.info',
    spoiler: {
      answer({ path, body }) {
        if (path.endsWith('/loadtracks') && body.loadType === 'track') body.data.info.length /= 1000
      },
    },
  },
  {
    fault: 'a stream is no stream',
    caughtBy: 'tracks.stream',
    spoiler: {
      answer({ path, body }) {
        if (path.endsWith('/loadtracks') && body.loadType === 'track') body.data.info.isStream = false
      },
    },
  },
  {
    fault: 'decodetracks answers in another order',
    caughtBy: 'decoding.list',
    spoiler: {
      answer(answer) {
        if (answer.path.endsWith('/decodetracks') && Array.isArray(answer.body)) answer.body = answer.body.toReversed()
      },
    },
  },
  {
    fault: 'a player has the guild id as a number',
    caughtBy: 'players.shape',
    spoiler: {
      answer: ({ path, body }) => void (isPlayer(path) && body.guildId && (body.guildId = Number(body.guildId))),
    },
  },
  {
    fault: 'a destroyed player is answered with 200',
    caughtBy: 'players.destroy',
    spoiler: {
      answer: (answer) => void (answer.method === 'DELETE' && Object.assign(answer, { status: 200, body: {} })),
    },
  },
  {
    fault: 'filters are added to those before',
    caughtBy: 'updates.filters-replace',
    spoiler: (() => {
      let all = {}
      return {
        answer({ path, body }) {
          if (isPlayer(path) && body.filters) body.filters = all = { ...all, ...body.filters }
        },
      }
    })(),
  },
  {
    fault: 'endTime 0 is taken',
    caughtBy: 'updates.end-time',
    spoiler: { request: ({ body }) => void (body?.endTime <= 0 && delete body.endTime) },
  },
  {
    fault: 'a voice state needs no channel',
    caughtBy: 'updates.voice-missing',
    spoiler: { request: ({ body }) => void (body?.voice && delete body.voice) },
  },
  {
    fault: 'a session does not resume',
    caughtBy: 'resuming.ready',
    spoiler: { handshake: (headers) => void delete headers['session-id'] },
  },
  {
    fault: 'the handshake does not say whether it resumed',
    caughtBy: 'sessions.header',
    spoiler: { resumed: () => 'perhaps' },
  },
  {
    fault: 'ready does not come first',
    caughtBy: 'sessions.ready',
    spoiler: {
      message: (message) => (message.op === 'ready' ? [{ op: 'stats', players: 0 }, message] : [message]),
    },
  },
  {
    fault: 'a start has no track',
    caughtBy: 'events.start',
    spoiler: event('TrackStartEvent', ({ track: _track, ...message }) => [message]),
  },
  {
    fault: 'a replaced track ends as stopped',
    caughtBy: 'events.replaced',
    spoiler: event('TrackEndEvent', (message) => [{ ...message, reason: 'stopped' }]),
  },
  {
    fault: 'each end is told twice',
    caughtBy: 'events.once',
    spoiler: event('TrackEndEvent', (message) => [message, message]),
  },
  {
    fault: 'userData is lost',
    caughtBy: 'events.user-data',
    spoiler: { request: ({ body }) => void (body?.track && delete body.track.userData) },
  },
  {
    fault: 'noReplace is not looked at',
    caughtBy: 'events.no-replace',
    spoiler: {
      request(request) {
        request.path = request.path.replace('?noReplace=true', '')
      },
    },
  },
  {
    fault: 'player updates say nothing of the position',
    caughtBy: 'events.updates',
    spoiler: {
      message: (message) =>
        message.op === 'playerUpdate' ? [{ ...message, state: { ...message.state, position: 0 } }] : [message],
    },
  },
  {
    fault: 'the volume is kept and not heard',
    caughtBy: 'playback.volume',
    spoiler: {
      request: ({ body }) => void (body?.volume !== undefined && delete body.volume),
    },
  },
  {
    fault: 'a position is off by five seconds',
    caughtBy: 'playback.seek',
    spoiler: { request: ({ body }) => void (body?.position !== undefined && (body.position += 5000)) },
  },
  {
    fault: 'filters are taken and not heard',
    caughtBy: 'filters.low-pass',
    spoiler: { request: ({ body }) => void (body?.filters && delete body.filters) },
  },
  {
    fault: 'the close of the voice socket has no code',
    caughtBy: 'voice.closed',
    spoiler: event('WebSocketClosedEvent', ({ code: _code, ...message }) => [message]),
  },
]
