import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { CANARY_PERIOD_MS, startCanary } from '../../../bot/sources/canary.ts'
import type { SourceName } from '../../../bot/sources/settings.ts'
import { createSourceHealth, type SourceChange } from '../../../bot/sources/source-health.ts'
import type { SourceFailure } from '../../../bot/sources/source-state.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import { createLog } from '../../../lib/log.ts'
import { closing } from '../../support/closing.ts'
import { createHandClock, type HandClock } from '../../support/manual-clock.ts'
import { outsideSources } from '../../support/music-outside.ts'
import { startBandcamp } from '../../support/upstreams/bandcamp.ts'
import type { TestContext } from '../../support/upstreams/context.ts'
import { startInnertube } from '../../support/upstreams/innertube.ts'
import { startItunes, startSpotify } from '../../support/upstreams/link-sites.ts'
import { startRadioBrowser } from '../../support/upstreams/radio-browser.ts'
import type { UpstreamName } from '../../../upstream/http/addresses.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'
import { startDeezer } from '../../support/upstreams/song-lore.ts'
import { startSoundCloud } from '../../support/upstreams/soundcloud.ts'
import type { Misbehaviour, StandIn } from '../../support/upstreams/stand-in.ts'

const { signal } = new AbortController()

const PLACES: readonly (readonly [name: SourceName, start: () => Promise<StandIn>, names: readonly UpstreamName[]])[] =
  [
    ['soundcloud', startSoundCloud, ['soundcloud-api', 'soundcloud-web']],
    ['bandcamp', startBandcamp, ['bandcamp']],
    ['youtube', startInnertube, ['youtube']],
    ['radio', startRadioBrowser, []],
    ['spotify', startSpotify, ['spotify']],
    ['deezer', startDeezer, ['deezer']],
    ['apple', startItunes, ['itunes']],
  ]

/** Sources whose canary also opens its result. */
const OPENED: ReadonlySet<string> = new Set(['soundcloud', 'bandcamp', 'youtube'])

const TROUBLES: readonly (readonly [words: string, how: Misbehaviour, failure: SourceFailure])[] = [
  ['refuses', 'status 429 with Retry-After', 'refused'],
  ['hangs', 'hang', 'unreachable'],
  ['has changed its pages', 'HTML', 'changed'],
]

describe('a music source that fails', () => {
  const own = closing()
  let clock: HandClock
  let context: TestContext
  let sources: Sources
  let changes: SourceChange[]
  let health: ReturnType<typeof createSourceHealth>

  /** One source beside another one that is well, both watched by a canary. */
  async function open(name: SourceName): Promise<{ place: StandIn; other: SourceName }> {
    const other: SourceName = name === 'soundcloud' ? 'bandcamp' : 'soundcloud'
    const env: Record<string, string> = {
      MUSIC_SOURCES: `${name},${other}`,
      YOUTUBE_CLIENTS: 'youtubei',
      UPSTREAM_TIMEOUT_MS: '3000',
    }
    const started = new Map<string, StandIn>()
    const urls: Partial<Record<UpstreamName, string>> = {}
    for (const [of, start, names] of PLACES.filter(([it]) => it === name || it === other)) {
      const place = own(await start())
      started.set(of, place)
      for (const each of names) urls[each] = place.url
      if (of === 'radio') env['RADIO_BROWSER_URL'] = place.url
    }
    clock = createHandClock()
    changes = []
    health = createSourceHealth({ clock, log: createLog('silent') })
    health.subscribe((change) => changes.push(change))
    ;({ sources, context } = await outsideSources(own, { ...env, ...upstreamUrls(urls) }, { health }))
    own(startCanary({ sources, health, clock, isNeeded: () => true }))
    return { place: started.get(name) as StandIn, other }
  }

  /** Advances the clocks of the canary and of the upstream clients. */
  async function advance(ms: number): Promise<void> {
    context.clock.nowMs += ms
    await clock.advance(ms)
  }

  /** Gives the stand-ins some real time between one step of the clock and the next. */
  async function untilAdvancing(stepMs: number, isSo: () => boolean): Promise<void> {
    for (let tries = 0; tries < 400 && !isSo(); tries += 1) {
      await sleep(50)
      if (!isSo()) await advance(stepMs)
    }
    expect(isSo(), JSON.stringify(changes)).to.equal(true)
  }

  const stateOf = (of: string) => sources.states().find(({ name }) => name === of)?.state
  const answered = (of: string) =>
    health.counts().find(({ name, outcome }) => name === of && outcome === 'answered')?.count ?? 0

  const looked = (of: SourceName) => answered(of) >= (OPENED.has(of) ? 2 : 1)

  /** Searches in all sources. @returns the sources that found something, and how long that took. */
  async function searchAll() {
    const startedAt = performance.now()
    const found = await sources.search('ebb', { limit: 2, signal })
    return { by: new Set(found.map(({ source }) => source)), tookMs: performance.now() - startedAt }
  }

  it('is noticed by searches, too, whose calls are held back since it asked for time', async () => {
    const { place } = await open('soundcloud')
    await searchAll()
    place.misbehave('status 429 with Retry-After')
    context.clock.nowMs += 3_600_000
    await searchAll()
    const asked = place.received.length
    for (let searches = 0; searches < 2; searches += 1) await searchAll()
    expect(health.failureOf('soundcloud')).to.equal('refused')
    expect(place.received.length).to.equal(asked)
  })

  for (const [name] of PLACES) {
    for (const [words, how, failure] of TROUBLES) {
      it(`is noticed when ${name} ${words}, passed over, and back when it answers again`, async () => {
        const { place, other } = await open(name)
        await advance(60_000)
        await untilAdvancing(1000, () => looked(name) && looked(other) && stateOf(name) === 'ready')

        place.misbehave(how)
        const [misbehavedAtMs, changesBefore] = [clock.nowMs(), changes.length]
        const before = await searchAll()
        expect(before.by).to.include(other)
        expect(before.tookMs, 'the first search that meets it').to.be.below(4000)

        const askedBefore = place.received.length
        await advance(CANARY_PERIOD_MS - 120_000)
        await untilAdvancing(5000, () => place.received.length > askedBefore)
        // A hanging request is given up at the canary's timeout.
        if (how === 'hang') await advance(30_000)
        await untilAdvancing(1000, () => stateOf(name) === failure)
        const noticed = changes.slice(changesBefore).find((change) => change.name === name)
        expect((noticed?.sinceMs ?? Infinity) - misbehavedAtMs).to.be.at.most(CANARY_PERIOD_MS + 35_000)
        expect(changes.at(-1)).to.include({ name, failure })

        const askedUntilNow = place.received.length
        const during = await searchAll()
        expect([...during.by]).to.deep.equal([other])
        expect(during.tookMs).to.be.below(2500)
        expect(place.received.length, 'not asked').to.equal(askedUntilNow)

        place.misbehave(null)
        await untilAdvancing(1000, () => stateOf(name) === 'ready')
        expect(changes.at(-1)).to.include({ name, failure: null })
      })
    }
  }
})
