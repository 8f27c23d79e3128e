import { expect } from 'chai'
import type { Segment } from '../../../../bot/tracks/segments.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { TrackMarks, type MarkedPlayer } from '../../../../api/lavalink/plugins/track-marks.ts'
import type { PluginEvent } from '../../../../api/lavalink/protocol/plugin-events.ts'
import { createLog } from '../../../../lib/log.ts'
import type { LyricsOf } from '../../../../upstream/music/lyrics.ts'
import type { VideoSegment } from '../../../../upstream/music/sponsorblock.ts'
import { createHandClock, settle, type HandClock } from '../../../support/manual-clock.ts'

const CALLER = { projectId: 'p1', keyId: 'k1', plan: 'standard' } as const
const GUILD = '100000000000000001'

const VIDEO: TrackInfo = {
  title: 'Night Ferry',
  author: 'The Harbour Lights',
  lengthMs: 100_000,
  identifier: 'aaaaaaaaaaa',
  isStream: false,
  uri: null,
  artworkUrl: null,
  isrc: null,
  sourceName: 'youtube',
  probe: null,
}

const line = (text: string, timeMs: number) => ({ text, timeMs, durationMs: 1000 })
const LYRICS: LyricsOf = {
  source: 'lrclib',
  lang: null,
  synced: true,
  instrumental: false,
  lines: [line('one', 10_000), line('two', 20_000), line('three', 30_000)],
}
const SPONSORS: readonly VideoSegment[] = [
  { category: 'sponsor', action: 'skip', startMs: 40_000, endMs: 50_000 },
  { category: 'intro', action: 'mute', startMs: 0, endMs: 2000 },
  { category: 'outro', action: 'skip', startMs: 90_000, endMs: 100_000 },
]
const CHAPTERS = [
  { title: 'Start', startMs: 0, endMs: 60_000 },
  { title: 'End', startMs: 60_000, endMs: 100_000 },
]

/** A player that plays by the hand clock, and tells its position each second as the audio thread does. */
function createPlayer(clock: HandClock) {
  const segments: (readonly Segment[])[] = []
  const player = {
    playing: null as MarkedPlayer['playing'],
    tempo: 1,
    startedAtMs: 0,
    get positionMs() {
      return (clock.nowMs() - player.startedAtMs) * player.tempo
    },
    setSegments: (list: readonly Segment[]) => void segments.push(list),
    segments,
  }
  return player
}

describe('what plug-ins tell of a track while it plays', () => {
  let clock: HandClock
  let player: ReturnType<typeof createPlayer>
  let marks: TrackMarks
  let told: PluginEvent[]
  let lyrics: LyricsOf | null
  let asked: string[]

  beforeEach(() => {
    clock = createHandClock()
    player = createPlayer(clock)
    told = []
    asked = []
    lyrics = LYRICS
    const knowledge = {
      findLyrics: async ({ title }: TrackInfo) => {
        asked.push(`lyrics ${title}`)
        return lyrics
      },
      sponsorBlock: {
        find: async (id: string) => {
          asked.push(`segments ${id}`)
          return SPONSORS
        },
      },
      chaptersOf: async () => CHAPTERS,
    }
    const send = (event: PluginEvent) => void told.push(event)
    marks = new TrackMarks({ caller: CALLER, guildId: GUILD, knowledge, clock, log: createLog('silent'), send })
  })
  afterEach(() => marks.close())

  /** The events in words, and then forgotten. */
  function words(): readonly string[] {
    return told.splice(0).map((event) => {
      expect(event).to.include({ op: 'event', guildId: GUILD })
      switch (event.type) {
        case 'LyricsLineEvent':
          return `line ${event.lineIndex} ${event.line.line}${event.skipped ? ' skipped' : ''}`
        case 'LyricsFoundEvent':
          return `found ${event.lyrics.lines.length} lines`
        case 'LyricsNotFoundEvent':
          return 'not found'
        case 'SegmentsLoaded':
          return `segments ${event.segments.map(({ category, start, end }) => `${category} ${start}-${end}`).join(', ')}`
        case 'SegmentSkipped':
          return `skipped ${event.segment.category} ${event.segment.start}-${event.segment.end}`
        case 'ChaptersLoaded':
          return `chapters ${event.chapters.map(({ name, duration }) => `${name} ${duration}`).join(', ')}`
        case 'ChapterStarted':
          return `chapter ${event.chapter.name}`
      }
    })
  }

  async function play(info: TrackInfo = VIDEO): Promise<void> {
    player.playing = { info }
    player.startedAtMs = clock.nowMs()
    marks.onTrack(player)
    await settle()
  }

  async function goOn(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1000) {
      await clock.advance(1000)
      marks.onPosition()
    }
  }

  async function jump(positionMs: number): Promise<void> {
    player.startedAtMs = clock.nowMs() - positionMs
    marks.onPosition()
    await settle()
  }

  it('tells each line of the lyrics at its moment, from the track on that a client subscribed in', async () => {
    marks.onTrack(player)
    marks.setLyrics(true)
    await play()
    expect(words()).to.deep.equal(['found 3 lines'])
    await clock.advance(9500)
    marks.onPosition()
    expect(words()).to.deep.equal([])
    await clock.advance(500)
    expect(words(), 'without waiting for the next position').to.deep.equal(['line 0 one'])
    await goOn(20_000)
    expect(words()).to.deep.equal(['line 1 two', 'line 2 three'])
    marks.setLyrics(false)
    await play()
    expect(words()).to.deep.equal([])
  })

  it('tells lines that a jump led over as skipped, and the one that is sung after a jump back', async () => {
    marks.onTrack(player)
    await play()
    await clock.advance(25_000)
    marks.setLyrics(true)
    await settle()
    expect(words(), 'in the middle of a track').to.deep.equal([
      'found 3 lines',
      'line 0 one skipped',
      'line 1 two skipped',
    ])
    await jump(80_000)
    expect(words()).to.deep.equal(['line 2 three skipped'])
    await jump(20_500)
    expect(words()).to.deep.equal(['line 1 two'])
    await goOn(10_000)
    expect(words()).to.deep.equal(['line 2 three'])
  })

  it('waits while the player is paused, and runs as fast as it does', async () => {
    marks.onTrack(player)
    marks.setLyrics(true)
    await play()
    player.tempo = 2
    await clock.advance(4600)
    marks.onPosition()
    words()
    await clock.advance(400)
    expect(words()).to.deep.equal(['line 0 one'])
    player.tempo = 0
    marks.onPosition()
    await clock.advance(60_000)
    expect(words().filter((word) => word !== 'line 0 one')).to.deep.equal([])
  })

  it('says so where there are no lyrics, or none with times', async () => {
    marks.onTrack(player)
    marks.setLyrics(true)
    lyrics = null
    await play()
    expect(words()).to.deep.equal(['not found'])
    lyrics = { ...LYRICS, synced: false }
    await play()
    expect(words()).to.deep.equal(['not found'])
  })

  it('has the chosen segments of a video passed over, and tells which those are', async () => {
    marks.setCategories(['sponsor', 'outro', 'a new one'])
    marks.onTrack(player)
    await play()
    expect(words()).to.deep.equal([
      'segments sponsor 40000-50000, outro 90000-100000',
      'chapters Start 60000, End 40000',
      'chapter Start',
    ])
    expect(player.segments).to.deep.equal([
      [
        { category: 'sponsor', action: 'skip', startMs: 40_000, endMs: 50_000 },
        { category: 'outro', action: 'skip', startMs: 90_000, endMs: Infinity },
      ],
    ])
    for (const segment of player.segments[0] ?? []) marks.onSkipped(segment)
    expect(words()).to.deep.equal(['skipped sponsor 40000-50000', 'skipped outro 90000-100000'])
    await jump(59_500)
    await goOn(1000)
    expect(words()).to.deep.equal(['chapter End'])
    await jump(5000)
    expect(words()).to.deep.equal(['chapter Start'])
    marks.setCategories(null)
    expect(player.segments.at(-1), 'nothing any more').to.deep.equal([])
    await jump(70_000)
    expect(words()).to.deep.equal([])
  })

  it('asks for segments of videos alone, and for nothing where nothing is chosen', async () => {
    marks.onTrack(player)
    await play()
    expect(asked).to.deep.equal([])
    marks.setCategories(['sponsor'])
    await settle()
    expect(asked).to.deep.equal(['segments aaaaaaaaaaa'])
    await play({ ...VIDEO, sourceName: 'soundcloud' })
    await play({ ...VIDEO, isStream: true, lengthMs: 0 })
    expect(asked).to.have.length(1)
    expect(words().filter((word) => word.startsWith('segments'))).to.have.length(1)
  })

  it('says nothing of a track that was left while it was looked up', async () => {
    marks.setCategories(['sponsor'])
    marks.setLyrics(true)
    marks.onTrack(player)
    player.playing = { info: VIDEO }
    marks.onTrack(player)
    player.playing = null
    marks.onTrack(player)
    await settle()
    expect(words()).to.deep.equal([])
    expect(player.segments).to.deep.equal([])
  })
})
