import { Fault, unprocessable } from '../lib/errors.ts'
import { createFairShare } from '../lib/fair-share.ts'
import { currentProjectId, runForProject } from '../lib/request-context.ts'
import type { Bot } from './discord/bot-session.ts'
import { STOPPED } from './player/voice-lifecycle.ts'
import type { ClusterView } from './cluster-view.ts'
import { listenTo } from './live-audio.ts'
import { noPlayer, type QueuedTrack } from './player/player-state.ts'
import type { PlayerScope, PlayerService, PlayerTrace, PlayResult, PlayRequest } from './music.ts'
import type { Player } from './player/player.ts'
import type { Players } from './player/player-registry.ts'
import type { Sources } from './sources/source.ts'
import { decodeToken, encodeToken } from './tracks/track-token.ts'
import { toTrack, type EncodedTrack, type TrackInfo } from './tracks/track.ts'

/** A source may take this long to find what a query means. */
const FIND_TIMEOUT_MS = 10_000

/** Plays and searches that look something up at the same time; one that meets a silent host takes ten seconds. */
const LOOKUPS = { what: 'plays and searches', total: 256, share: 64, maxWaiting: 128, maxWaitMs: 5000 }

/** How often a play may find that the player which it joined has closed under it. */
const MOST_TRIES = 3

export interface MusicOptions {
  readonly players: Players
  readonly sources: Sources
  readonly findBot: (botId: string) => Bot | undefined
  readonly elsewhere: Pick<ClusterView, 'runs'>
}

export function createMusic(options: MusicOptions): PlayerService {
  const { players, sources, findBot } = options
  const lookups = createFairShare(LOOKUPS)
  /** @throws {Fault} `not_found` without a player, `service_unavailable` when the bot is away and could not know. */
  function get({ botId }: PlayerScope, guildId: string): Player {
    const player = players.find(botId, guildId)
    if (player) return player
    if (!findBot(botId)?.isConnected) throw botAway(options, botId)
    throw noPlayer(guildId)
  }

  const findFor = ({ projectId }: PlayerScope, wish: PlayRequest) =>
    lookups.run(projectId, () => runForProject(projectId, () => findTracks(sources, wish)))

  return {
    sourceNames: sources.names,
    search: (wish) => lookups.run(currentProjectId(), () => search(sources, wish)),
    play: (who, guildId, wish) => play(options, { who, guildId, wish, find: () => findFor(who, wish) }),
    skip: async (who, guildId) => ({ track: await get(who, guildId).skip() }),
    previous: async (who, guildId) => ({ track: await get(who, guildId).previous() }),
    editQueue: (who, guildId, edit) => Promise.try(() => get(who, guildId).edit(edit)),
    requesters: async (who, guildId) => get(who, guildId).requesters(),
    async nextTrack(who, guildId) {
      const track = get(who, guildId).nextTrack()
      return { track: track && toEncoded(track.info) }
    },
    async setNextTrack(who, guildId, encoded) {
      const player = get(who, guildId)
      const [track] = encoded === null ? [] : await findFor(who, { encoded })
      const next = await player.setNextTrack(track ?? null)
      return { track: next && toEncoded(next.info) }
    },
    async addLayer(who, guildId, { encoded, volume }) {
      const player = get(who, guildId)
      const [track] = await findFor(who, { encoded })
      return player.addLayer(track!, volume)
    },
    layers: (who, guildId) => Promise.try(() => get(who, guildId).layers()),
    changeLayer: (who, guildId, { id, volume }) => Promise.try(() => get(who, guildId).changeLayer(id, volume)),
    removeLayer: (who, guildId, id) => Promise.try(() => get(who, guildId).removeLayer(id)),
    mute: async (who, guildId, muted) => ({ muted: await get(who, guildId).mute(muted) }),
    unmute: async (who, guildId) => ({ muted: await get(who, guildId).unmute() }),
    info: async (who, guildId) => get(who, guildId).info(),
    queue: async (who, guildId) => get(who, guildId).queue(),
    patch: (who, guildId, wish) => Promise.try(() => get(who, guildId).patch(wish)),
    async close(who, guildId) {
      await get(who, guildId).close(STOPPED)
      return { closed: true }
    },
    trace: async (who, guildId) => traceOf(get(who, guildId)),
    listen: async (who, guildId) => listenTo(get(who, guildId)),
    async players({ botId }) {
      if (!findBot(botId) && options.elsewhere.runs(botId) !== null) throw botAway(options, botId)
      const open = players.ofBot(botId).filter(({ isClosed }) => !isClosed)
      return open.map((player) => Object.assign({ guildId: player.ref.guildId }, player.info()))
    },
  }
}

async function search(sources: Sources, { q, ...wish }: Parameters<PlayerService['search']>[0]) {
  const signal = AbortSignal.timeout(FIND_TIMEOUT_MS)
  const found = await inTime(signal, sources.search(q, { ...wish, signal }))
  return found.map((info) => Object.assign(toEncoded(info), { source: info.source }))
}

async function traceOf({ node, ref }: Player): Promise<PlayerTrace> {
  const trace = await node.trace(ref)
  if (!trace) throw noPlayer(ref.guildId)
  return { node: { id: node.id }, ...trace }
}

interface PlayCall {
  readonly who: PlayerScope
  readonly guildId: string
  readonly wish: PlayRequest
  readonly find: () => Promise<readonly QueuedTrack[]>
}

/** Everything that can be refused is refused before the bot joins, so that a refusal leaves nothing behind. */
async function play(options: MusicOptions, request: PlayCall): Promise<PlayResult> {
  const { who, guildId, wish } = request
  if (!options.players.find(who.botId, guildId)) await seatOf(options, request)
  const tracks = await request.find()
  const [first] = tracks
  if (!first) throw new Error('A source found nothing and did not say so.')
  for (let tries = 1; ; tries += 1) {
    const { player, joined } = await findOrOpen(options, request)
    const queued = player.add(tracks, wish.rules)
    try {
      // Both are asked at once, so that nobody else's tracks come between the join and these.
      const [{ position, added, failure }] = await Promise.all([queued, joined])
      if (failure !== null) throw notPlayable(failure, wish)
      return { track: toTrack(first.info), position, added }
    } catch (err) {
      await joined
      // It closed while this request waited for its turn: a new one is due.
      if (!player.isClosed || tries === MOST_TRIES) throw err
    }
  }
}

async function findOrOpen(options: MusicOptions, request: PlayCall) {
  const { players } = options
  const { who, guildId } = request
  const player = players.find(who.botId, guildId)
  if (player) return { player, joined: Promise.resolve() }
  const seat = await seatOf(options, request)
  await players.untilLeft(who.botId, guildId)
  return players.open(seat, who.playerCeiling)
}

/** Where a new player would go. @throws {Fault} when the bot is away, or may not or cannot go there. */
async function seatOf(options: MusicOptions, { who, guildId, wish }: PlayCall) {
  const bot = options.findBot(who.botId)
  if (!bot || !(await bot.waitConnected())) throw botAway(options, who.botId)
  const { projectId, botId } = who
  return { projectId, botId, guildId, channelId: bot.joinable(guildId, wish.channelId) }
}

async function findTracks(sources: Sources, wish: PlayRequest): Promise<readonly QueuedTrack[]> {
  const { query, encoded, playlist } = wish
  const requesterId = wish.requesterId ?? null
  const signal = AbortSignal.timeout(FIND_TIMEOUT_MS)
  if (encoded !== undefined) {
    const info = decodeToken(encoded)
    // A token is input: its source says now whether it can be played, not when its turn has come.
    await inTime(signal, sources.open(info, signal))
    return [{ info, encoded: encodeToken(info), requesterId }]
  }
  if (playlist !== undefined) {
    return playlist.map((token) => ({ info: decodeToken(token), encoded: token, requesterId }))
  }
  if (query === undefined) throw unprocessable('body.query', 'Give either `query` or `track`.')
  const { tracks } = await inTime(signal, sources.find(query, signal))
  return tracks.map((info) => ({ info, encoded: encodeToken(info), requesterId }))
}

async function inTime<T>(signal: AbortSignal, task: Promise<T>): Promise<T> {
  try {
    return await task
  } catch (err) {
    if (!signal.aborted || err instanceof Fault) throw err
    throw new Fault('service_unavailable', 'The source did not answer in time. Try again.', { cause: err })
  }
}

function notPlayable(failure: unknown, wish: PlayRequest): Fault {
  if (failure instanceof Fault && failure.code === 'service_unavailable') return failure
  const field = wish.encoded === undefined ? 'body.query' : 'body.track.encoded'
  const why = failure instanceof Fault ? failure.message : 'The track could not be opened or decoded.'
  return unprocessable(field, why)
}

function botAway({ findBot, elsewhere }: MusicOptions, botId: string): Fault {
  const address = findBot(botId) ? null : elsewhere.runs(botId)
  if (address !== null) {
    return new Fault('service_unavailable', `Another service runs this bot. Send its requests to ${address}.`)
  }
  return new Fault('service_unavailable', 'The bot is not connected to Discord. Try again in a moment.', {
    retryAfterMs: 5000,
  })
}

function toEncoded(info: TrackInfo): EncodedTrack {
  return { ...toTrack(info), encoded: encodeToken(info) }
}
