import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sources } from '../../../../bot/sources/source.ts'
import { until } from '../../../support/bots.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import { hear, startConcert, type Concert, type Heard } from '../../../support/playing-service.ts'
import { sendBytes } from '../../../support/sending.ts'
import { makeFakeYtDlp } from '../../../support/upstreams/fake-ytdlp.ts'
import { startInnertube, type InnertubeStandIn } from '../../../support/upstreams/innertube.ts'
import { serveSabr, type SabrStandIn } from '../../../support/upstreams/sabr.ts'
import { startTokenProvider, type TokenProviderStandIn } from '../../../support/upstreams/token-provider.ts'
import { serve, type Listening } from '../../../support/web.ts'
import { upstreamUrls } from '../../../../tools/stage/upstream-addresses.ts'

const SECONDS = 60
const DIRECT = ['VISIONOS', 'iOS', 'TVHTML5']
let videos = 0
/** An address of its own for each test: what was found is kept. */
const newVideo = () => `https://www.youtube.com/watch?v=sabr${String(++videos).padStart(7, '0')}`

/** Real bots and a real audio thread hear what the helper process reads from stand-ins of YouTube's servers. */
describe('YouTube by SABR', function () {
  this.timeout(60_000)
  const keep = closing(after)
  const folder = temporaryFolder()
  let concert: Concert
  let youTube: InnertubeStandIn
  let sabr: SabrStandIn
  let provider: TokenProviderStandIn
  let web: Listening
  let sources: Sources
  let webm: Buffer
  let env: Readonly<Record<string, string>>
  /** Bytes that direct addresses send before they break off. */
  let mostBytes: number

  before(async () => {
    youTube = keep(await startInnertube())
    provider = keep(await startTokenProvider((token) => sabr.tokens.add(token)))
    web = keep(
      await serve((request, response) => sendBytes(mostBytes > 0 ? webm : undefined, { request, response, mostBytes })),
    )
    env = {
      MUSIC_SOURCES: 'youtube',
      YOUTUBE_CLIENTS: 'youtubei,yt-dlp',
      YTDLP_PATH: makeFakeYtDlp(folder.path, web.url).path,
      YOUTUBE_TOKEN_PROVIDER_URL: provider.url,
      ...upstreamUrls({ youtube: youTube.url }),
    }
    ;({ sources } = await outsideSources(keep, env))
    concert = keep(await startConcert({ sources, allowHosts: ['127.0.0.1'] }))
    const path = join(folder.path, 'noise.webm')
    const form = ['-c', 'copy', '-cluster_time_limit', '5000', '-cues_to_front', '1']
    execFileSync('ffmpeg', ['-v', 'error', '-i', concert.path, ...form, path])
    webm = readFileSync(path)
    sabr = serveSabr(youTube, webm, SECONDS * 1000)
    youTube.sound = `${web.url}/noise.webm?id=1`
  })
  beforeEach(() => {
    mostBytes = Infinity
    sabr.tokens.clear()
    for (const one of DIRECT) youTube.closedTo.add(one)
    Object.assign(sabr, { backoffMs: 0, failure: null, cutAfterBytes: null, liveSinceMs: null, requests: 0 })
  })
  afterEach(() => concert.clear())
  after(() => folder.remove())

  const playing = () => sources.states()[0]?.ways?.find(({ state }) => state === 'playing')?.name
  const seek = (positionMs: number) => concert.music.patch(concert.scope, concert.guild.id, { positionMs })

  it('plays within 8 s where the other client is refused, every frame in its order', async () => {
    const { heard } = await concert.listen()
    const startedAtMs = performance.now()
    await concert.play(newVideo())
    await hear(heard, 5)
    expect(performance.now() - startedAtMs).to.be.below(8000)
    await hear(heard, 120)
    expectUnbroken(heard)
    expect(playing()).to.equal('sabr')
    expect(provider.bindings.at(-1)).to.match(/^sabr\d{7}$/)
  })

  it('plays a video that is offered by SABR alone, and seeks in it forwards and back', async () => {
    const { heard } = await concert.listen()
    await concert.play(newVideo())
    await hear(heard, 5)
    for (const toMs of [41_000, 12_000]) {
      await seek(toMs)
      await until('it plays from there', () => Math.abs((heard.at(-1)?.frame ?? 0) * 20 - toMs) < 3000)
    }
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('goes on when its token ends in mid-track, with one that YouTube takes', async () => {
    sabr.backoffMs = 500
    const { heard } = await concert.listen()
    await concert.play(newVideo())
    await hear(heard, 20)
    const asked = provider.bindings.length
    sabr.tokens.clear()
    await seek(30_000)
    await until('it plays from there', () => (heard.at(-1)?.frame ?? 0) > 1500)
    expect(provider.bindings.length).to.be.above(asked)
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('waits as long as a busy server wants, and plays on', async () => {
    sabr.backoffMs = 1500
    const { heard } = await concert.listen()
    await concert.play(newVideo())
    await hear(heard, 5)
    sabr.failure = { status: 429, retryAfter: '1' }
    const { requests } = sabr
    await until('the server was asked again', () => sabr.requests > requests)
    sabr.failure = null
    await hear(heard, 250)
    expectUnbroken(heard)
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('requests again what a cut connection left out', async () => {
    sabr.cutAfterBytes = 90_000
    const { heard } = await concert.listen()
    await concert.play(newVideo())
    await hear(heard, 250)
    expectUnbroken(heard)
  })

  it('requests the video again where the server wants that', async () => {
    sabr.failure = 'reload'
    const { heard } = await concert.listen()
    const began = concert.play(newVideo())
    await until('it was refused', () => sabr.requests > 0)
    sabr.failure = null
    await began
    await hear(heard, 5)
    expect(playing()).to.equal('sabr')
  })

  it('plays a live stream from its newest part on', async () => {
    sabr.liveSinceMs = performance.now() - 22_000
    const { member } = await concert.listen()
    let packets = 0
    member.onOpus(() => packets++)
    await concert.play('https://www.youtube.com/watch?v=lllllllllll')
    await until('it sounds', () => packets > 300)
    expect((await concert.info()).current).to.include({ isStream: true })
    expect(playing()).to.equal('sabr')
  })

  it('takes over at its position when the address of another client breaks off', async () => {
    youTube.closedTo.delete('VISIONOS')
    mostBytes = 60_000
    const { heard } = await concert.listen()
    await concert.play(newVideo())
    await hear(heard, 5)
    mostBytes = 0
    await hear(heard, 450)
    expectUnbroken(heard, 1)
    expect(playing()).to.equal('sabr')
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('loses one way after the other, and says each time which one plays and why the others do not', async () => {
    const other = (await outsideSources(keep, env)).sources
    const { signal } = new AbortController()
    const ways = () => other.states()[0]?.ways ?? []
    const open = async (query = newVideo()) => {
      const [track] = (await other.find(query, signal)).tracks
      await other.open(track!, signal)
      return ways().find(({ state }) => state === 'playing')?.name
    }
    for (const one of DIRECT) youTube.closedTo.delete(one)
    expect(ways().map(({ state }) => state)).to.deep.equal(['ready', 'ready', 'ready', 'ready', 'ready'])
    expect(await open()).to.equal('visionos')
    youTube.closedTo.add('VISIONOS')
    expect(await open()).to.equal('sabr')
    sabr.failure = 'error'
    expect(await open()).to.equal('ios')
    youTube.closedTo.add('iOS')
    expect(await open()).to.equal('tv')
    youTube.closedTo.add('TVHTML5')
    expect(await open('https://www.youtube.com/watch?v=aaaaaaaaaaa')).to.equal('yt-dlp')
    expect(ways().filter(({ failure }) => failure !== null)).to.have.length(4)
    expect(ways().at(-1)).to.include({ state: 'ready', failure: 'refused' })
  })
})

/** Frames in their order, but for as many breaks as are allowed. */
function expectUnbroken(heard: readonly Heard[], breaks = 0): void {
  const jumps = heard.slice(1).filter(({ frame }, at) => frame !== (heard[at]?.frame ?? 0) + 1)
  expect(jumps.length, `${jumps.length} jumps`).to.be.at.most(breaks)
}
