import { PassThrough } from 'node:stream'
import { encodedSongExample } from '../../api/schemas/music.ts'
import type { EventBus } from '../../bot/events.ts'
import type { PlayerScope, MixLayer, PlayerService, PlayerInfo, PlayRequest, QueueInfo } from '../../bot/music.ts'
import { toTrack, type EncodedTrack } from '../../bot/tracks/track.ts'
import { Fault, unprocessable } from '../../lib/errors.ts'

export const guildId = '81384788765712384'
export const secondGuildId = '81384788765712390'
export const channelId = '81384788765712385'

function song(title: string, lengthMs: number): EncodedTrack {
  const encoded = Buffer.from(JSON.stringify({ title })).toString('base64')
  return { title, author: 'The Fakes', lengthMs, uri: null, artworkUrl: null, isStream: false, encoded }
}

export const songs = [song('Night Ferry', 214_000), song('Glass Harbour', 90_000), song('Low Tide', 61_000)] as const

/** The first is that of the reference's examples. */
const layerIds = [1, 2, 3, 4, 5].map((n) => `6f1c2f57-3b1e-4d3a-9a53-0d2f9a3f7a1${n}`)

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type FakePlayer = Mutable<Omit<PlayerInfo, 'queue'>> & {
  queue: EncodedTrack[]
  past: EncodedTrack[]
  nextTrack: EncodedTrack | null
  layers: MixLayer[]
  projectId: string
  guildId: string
  volumeBefore: number | null
}

export interface FakeMusic extends PlayerService {
  /** Everything that is asked from now on fails like this; null mends it. */
  failWith(error: Error | null): void
  /** The ceiling that came with the last call of `play`. */
  lastCeiling(): number
}

function resolve({ query, encoded }: PlayRequest): EncodedTrack {
  const found = songs.find((one) =>
    encoded === undefined ? one.title.toLowerCase().includes((query ?? '').toLowerCase()) : one.encoded === encoded,
  )
  if (found) return found
  if (encoded === encodedSongExample.encoded) return songs[0]
  if (encoded !== undefined) throw unprocessable('body.track.encoded', 'This is no track token.')
  throw unprocessable('body.query', 'Nothing was found.')
}

function infoOf(player: FakePlayer): PlayerInfo {
  const { node, channelId, paused, positionMs, volume, muted, loop, current, queue } = player
  const { streamTitle, privacyCode, silenced, filters } = player
  const queued = [...queue]
  const sound = { paused, positionMs, volume, muted, loop, filters }
  return { node, channelId, ...sound, current, queue: queued, streamTitle, privacyCode, silenced }
}

function queueOf({ current, queue, loop, positionMs }: FakePlayer): QueueInfo {
  const lengthMs = [current, ...queue].reduce((sum, track) => sum + (track?.lengthMs ?? 0), -positionMs)
  return { current: current && toTrack(current), queue: queue.map(toTrack), loop, lengthMs }
}

/** Keeps players in memory by the rules of the real one, without Discord and without sound. */
export function createFakeMusic(events: EventBus): FakeMusic {
  const players = new Map<string, FakePlayer>()
  let failure: Error | null = null
  let ceiling = 0

  function check(): void {
    if (failure !== null) throw failure
  }
  function find(who: PlayerScope, guild: string): FakePlayer {
    check()
    const player = players.get(`${who.botId}:${guild}`)
    if (!player) throw new Fault('not_found', 'There is no player in this guild.')
    return player
  }
  function open(who: PlayerScope, guild: string, wish: PlayRequest): FakePlayer {
    if (wish.channelId === undefined) throw unprocessable('body.channelId', 'The bot is in no call yet.')
    if (wish.channelId !== channelId) throw unprocessable('body.channelId', 'No such voice channel.')
    const running = [...players.values()].filter((one) => one.projectId === who.projectId).length
    if (running >= who.playerCeiling) throw new Fault('player_limit', `The project already runs ${running} players.`)
    const player: FakePlayer = {
      projectId: who.projectId,
      guildId: guild,
      node: { id: 'audio-1' },
      channelId: wish.channelId,
      paused: false,
      positionMs: 0,
      volume: 100,
      muted: false,
      loop: 'off',
      streamTitle: null,
      privacyCode: null,
      silenced: null,
      filters: {},
      current: null,
      queue: [],
      past: [],
      nextTrack: null,
      layers: [],
      volumeBefore: null,
    }
    players.set(`${who.botId}:${guild}`, player)
    return player
  }
  function begin(who: PlayerScope, player: FakePlayer): void {
    if (player.current) player.past.push(player.current)
    player.current = player.queue.shift() ?? null
    if (!player.current) return
    const event = { type: 'trackStarted', botId: who.botId, guildId: player.guildId } as const
    events.emit({ projectId: who.projectId, event: { ...event, track: toTrack(player.current) } })
  }

  return {
    sourceNames: ['library', 'http'],
    failWith(error) {
      failure = error
    },
    async search({ q, limit }) {
      check()
      const found = songs.filter(({ title }) => title.toLowerCase().includes(q.toLowerCase()))
      return found.slice(0, limit).map((song) => Object.assign({ source: 'library' }, song))
    },
    lastCeiling: () => ceiling,
    async play(who, guild, wish) {
      check()
      ceiling = who.playerCeiling
      if (guild !== guildId && guild !== secondGuildId) throw new Fault('not_found', 'The bot is not in this guild.')
      const track = resolve(wish)
      const player = players.get(`${who.botId}:${guild}`) ?? open(who, guild, wish)
      player.queue.push(track)
      if (!player.current) {
        begin(who, player)
        return { track: toTrack(track), position: 0, added: 1 }
      }
      return { track: toTrack(track), position: player.queue.length, added: 1 }
    },
    async skip(who, guild) {
      const player = find(who, guild)
      if (!player.current) throw new Fault('conflict', 'Nothing is playing.')
      begin(who, player)
      return { track: player.current && toTrack(player.current) }
    },
    async previous(who, guild) {
      const player = find(who, guild)
      const before = player.past.pop()
      if (!before) throw new Fault('conflict', 'No track was played before this one.')
      if (player.current) player.queue.unshift(player.current)
      player.current = before
      return { track: toTrack(before) }
    },
    async editQueue(who, guild, edit) {
      const player = find(who, guild)
      const { queue } = player
      if (edit.type === 'shuffle') queue.reverse()
      if (edit.type === 'clear') queue.length = 0
      if (edit.type === 'remove' && queue.splice(edit.position - 1, 1).length === 0) {
        throw unprocessable('path.position', 'The queue has no such position.')
      }
      if (edit.type === 'move') queue.splice(edit.to - 1, 0, ...queue.splice(edit.from - 1, 1))
      return queueOf(player)
    },
    requesters: async (who, guild) => ({ current: null, queue: find(who, guild).queue.map(() => null) }),
    async nextTrack(who, guild) {
      return { track: find(who, guild).nextTrack }
    },
    async setNextTrack(who, guild, encoded) {
      const player = find(who, guild)
      if (encoded !== null && !player.current) throw new Fault('conflict', 'Nothing is playing.')
      player.nextTrack = encoded === null ? null : resolve({ encoded })
      return { track: player.nextTrack }
    },
    async addLayer(who, guild, { encoded, volume }) {
      const player = find(who, guild)
      if (!player.current) throw new Fault('conflict', 'Nothing is playing.')
      if (player.layers.length === 5) throw new Fault('conflict', 'There are five layers.')
      const layer = { id: layerIds[player.layers.length]!, track: resolve({ encoded }), volume, positionMs: 0 }
      player.layers.push(layer)
      return layer
    },
    layers: async (who, guild) => find(who, guild).layers,
    async changeLayer(who, guild, { id, volume }) {
      const { layers } = find(who, guild)
      const at = layers.findIndex((layer) => layer.id === id)
      if (at === -1) throw new Fault('not_found', 'There is no such layer.')
      layers[at] = { ...layers[at]!, volume }
      return layers[at]
    },
    async removeLayer(who, guild, id) {
      const { layers } = find(who, guild)
      const at = layers.findIndex((layer) => layer.id === id)
      if (at === -1) throw new Fault('not_found', 'There is no such layer.')
      return layers.splice(at, 1)[0]!
    },
    async mute(who, guild, muted) {
      const player = find(who, guild)
      if (muted && !player.muted) player.volumeBefore = player.volume
      player.muted = muted
      return { muted }
    },
    async unmute(who, guild) {
      const player = find(who, guild)
      player.volume = player.volumeBefore ?? player.volume
      player.muted = false
      return { muted: false }
    },
    info: async (who, guild) => infoOf(find(who, guild)),
    async queue(who, guild) {
      return queueOf(find(who, guild))
    },
    async patch(who, guild, patch) {
      const player = find(who, guild)
      if (patch.positionMs !== undefined && !player.current) throw new Fault('conflict', 'Nothing is playing.')
      return infoOf(Object.assign(player, patch))
    },
    async close(who, guild) {
      find(who, guild)
      players.delete(`${who.botId}:${guild}`)
      const event = { type: 'playerClosed', botId: who.botId, guildId: guild, reason: 'disconnected' } as const
      events.emit({ projectId: who.projectId, event })
      return { closed: true }
    },
    async listen(who, guild) {
      find(who, guild)
      const sound = new PassThrough()
      sound.write('OggS')
      return sound
    },
    async trace(who, guild) {
      const { node } = find(who, guild)
      const entry = { kind: 'gap', text: 'gap of 420 ms: the source gave nothing', closeCode: null } as const
      const spans = [{ fromMs: 10_000, sent: 500, nulled: 21, late: 0, mostLateMs: 3 }]
      return { node, fromMs: 0, toMs: 20_000, entries: [{ ...entry, atMs: 12_000, durationMs: 420 }], spans }
    },
    async players(who) {
      check()
      return [...players]
        .filter(([key]) => key.startsWith(`${who.botId}:`))
        .map(([, player]) => Object.assign({ guildId: player.guildId }, infoOf(player)))
    },
  }
}
