import { createRandom } from '../../lib/random/seeded-random.ts'
import { createAutoplay } from '../../bot/autoplay/autoplay.ts'
import { songOf } from '../../bot/autoplay/song.ts'
import { createRecommenders } from '../../bot/tracks/recommenders.ts'
import { decodeToken, encodeToken } from '../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../bot/tracks/track.ts'
import { createBotRecords } from '../../db/projects/bots.ts'
import { createCollections } from '../../db/music/collections.ts'
import { createGuildSettings } from '../../db/music/guild-settings.ts'
import { createKnownGuildSettings } from '../../db/music/known-guild-settings.ts'
import { createLibraryRecords } from '../../db/music/library.ts'
import { createPlayHistory } from '../../db/music/play-history.ts'
import { createProjects } from '../../db/projects/projects.ts'
import { createVault } from '../../db/engine/vault.ts'
import { createLog } from '../../lib/log.ts'
import type { AutoplayOutcome } from '../../lib/telemetry-hooks.ts'
import { temporaryDatabase } from './database.ts'
import { UNTAGGED } from './library-rows.ts'
import { settle } from './manual-clock.ts'
import { BOT, createStage, GUILD, trackNamed } from './stage.ts'

export interface CatalogueSong {
  readonly artist: string
  readonly title: string
  readonly genre: string
}

/** Creates `songsEach` songs for each of `artists` artists; five artists share a genre. */
export function createCatalogue(artists: number, songsEach: number): readonly CatalogueSong[] {
  return Array.from({ length: artists * songsEach }, (_, at) => {
    const artist = Math.floor(at / songsEach)
    return {
      artist: `Artist ${artist}`,
      title: `Song ${at % songsEach} of ${artist}`,
      genre: `Genre ${Math.floor(artist / 5)}`,
    }
  })
}

export function trackOf({ artist, title }: CatalogueSong, sourceName = 'elsewhere'): TrackInfo {
  return { ...trackNamed(title.replaceAll(' ', '-')), title, author: artist, sourceName, lengthMs: 200_000 }
}

const FILE = { sizeBytes: 1, modifiedAtMs: 1, lengthMs: 200_000, isrc: null, probe: 'ogg', codec: 'ogg-opus' as const }

function toFile({ artist, title, genre }: CatalogueSong) {
  return { ...UNTAGGED, ...FILE, path: `${artist}/${title}.ogg`, title, author: artist, album: null, genre }
}

export interface AutoplayStageOptions {
  readonly library?: readonly CatalogueSong[]
  /** Recommendations of a service that knows songs by name. May throw, and need not answer. */
  readonly similar?: (artist: string, title: string) => Promise<readonly CatalogueSong[]>
  /** Whether a song plays from another source than the library. */
  readonly elsewhere?: (song: CatalogueSong) => boolean
  readonly seed?: number
}

/** Real autoplay over real players, a real database and a clock that is turned by hand; the sound is a fake. */
export async function createAutoplayStage({ library = [], similar, elsewhere, seed = 1 }: AutoplayStageOptions) {
  const store = temporaryDatabase()
  const log = createLog('silent')
  const projectId = (await createProjects(store.store).create({ name: 'test', plan: 'scale' })).id
  const vault = createVault({ tokenKey: '07'.repeat(32), dataDir: store.dataDir })
  await createBotRecords(store.store, vault).add({ id: BOT, projectId, name: 'Band', token: 'token' })
  const records = createLibraryRecords(store.store)
  await records.put(library.map(toFile))
  const settings = createKnownGuildSettings(createGuildSettings(store.store), () => undefined)
  const collections = createCollections(store.store)
  const history = createPlayHistory(store.store)
  const stage = createStage()
  const random = createRandom(seed)
  const outcomes: { readonly provider: string; readonly outcome: AutoplayOutcome }[] = []
  let givenUp = 0
  const recommenders = createRecommenders({
    sources: {
      related: async () => [],
      mirror: async ({ title, author }) => {
        const song = { title, artist: author, genre: '' }
        return elsewhere?.(song) ? { ...trackOf(song), source: 'elsewhere' } : null
      },
    },
    similar: similar
      ? [{ name: 'deezer', find: async (...of) => (await similar(...of)).map((song) => trackOf(song)) }]
      : [],
    lookUp: (work) => work(),
    log,
  })
  const open = () =>
    createAutoplay({
      findPlayer: (botId, guildId) => stage.players.find(botId, guildId),
      listenersOf: () => ['member'],
      onGivenUp: () => (givenUp += 1),
      observer: { autoplayed: (provider, outcome) => outcomes.push({ provider, outcome }) },
      library: records,
      clock: stage.clock,
      recommenders,
      settings,
      collections,
      history,
      log,
      random,
    })
  stage.autoplay = open()

  return {
    stage,
    settings,
    collections,
    history,
    outcomes,
    get givenUp() {
      return givenUp
    },
    /** A new service over the same database. */
    reopen() {
      stage.autoplay = open()
    },
    set: (isOn: boolean) => stage.music.patch(stage.scope, GUILD, { autoplay: isOn }),
    /** Puts a track on, as a member would. */
    async play(song: CatalogueSong) {
      const player = stage.players.find(BOT, GUILD)
      const track = {
        info: trackOf(song, 'local'),
        encoded: encodeToken(trackOf(song, 'local')),
        requesterId: 'member',
      }
      if (!player) {
        await stage.play('opener')
        await stage.player().add([track])
        await stage.music.skip(stage.scope, GUILD)
      } else await player.add([track])
      await settle()
    },
    /** Lets what plays be heard for this long, then ends or skips it. */
    async hear(ms: number, how: 'ended' | 'skipped' = 'ended') {
      await stage.clock.advance(ms)
      const { playId = 0 } = stage.node.voices.get(GUILD)?.play ?? {}
      stage.node.tell({ type: 'position', botId: BOT, guildId: GUILD, playId, positionMs: ms })
      await settle()
      if (how === 'skipped') await stage.music.skip(stage.scope, GUILD)
      else stage.node.finish(GUILD)
      await settle()
    },
    async current() {
      const { current, recommendation } = await stage.info()
      return current && { ...songOf(current), title: current.title, recommendation, info: decodeToken(current.encoded) }
    },
    close() {
      stage.close()
      store.close()
    },
  }
}
