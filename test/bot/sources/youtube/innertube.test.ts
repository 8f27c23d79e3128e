import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { Sources } from '../../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { createHelper } from '../../../../bot/sources/youtube/helper-process.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import { createTestContext } from '../../../support/upstreams/context.ts'
import { makeFakeYtDlp } from '../../../support/upstreams/fake-ytdlp.ts'
import { eventually } from '../../../support/service.ts'
import { startInnertube, type InnertubeStandIn } from '../../../support/upstreams/innertube.ts'
import { faultOf } from '../../../support/web.ts'
import { upstreamUrls } from '../../../../tools/stage/upstream-addresses.ts'

const { signal } = new AbortController()
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`

describe('the YouTube source, by youtubei.js', function () {
  const own = closing()
  const keep = closing(after)
  const folder = temporaryFolder()
  let service: InnertubeStandIn
  /** Shared by all tests, since its process takes a moment to start. */
  let shared: Sources
  let sources: Sources

  before(async () => {
    service = keep(await startInnertube())
    shared = await asking('youtubei', {}, keep)
  })
  beforeEach(() => {
    sources = shared
    service.received.length = 0
    service.closedTo.clear()
    service.playerExtra = ''
    service.isMusicBroken = false
  })
  after(() => folder.remove())

  async function asking(clients: string, more: Record<string, string> = {}, closer = own): Promise<Sources> {
    const env = {
      MUSIC_SOURCES: 'youtube',
      YOUTUBE_CLIENTS: clients,
      ...upstreamUrls({ youtube: service.url }),
      ...more,
    }
    return (await outsideSources(closer, env)).sources
  }
  /** Waits until the process answers: where the machine is busy, a search gives up before it has started. */
  async function untilAsked(): Promise<void> {
    await eventually(anySong, () => asked('/youtubei/v1/search').length > 0)
    service.received.length = 0
  }
  const anySong = () => sources.search('a song', { limit: 1, signal }).catch(() => [])
  const find = (query: string) => sources.find(query, signal)
  const songs = (text: string) => sources.search(text, { limit: 5, songsOnly: true, signal })
  const asked = (path: string) => service.received.filter((it) => it.path === path)

  it('finds videos in the old form and in the new one, without advertisements and live ones', async () => {
    const found = await sources.search('a song', { limit: 5, signal })
    expect(found.map(({ identifier, title, author, lengthMs }) => [identifier, title, author, lengthMs])).to.deep.equal(
      [
        ['aaaaaaaaaaa', 'Song aaaaaaaaaaa', 'Quay', 200_000],
        ['-cccccccccc', 'Song -cccccccccc', 'Quay', 3_723_000],
      ],
    )
    expect(found[0]?.source).to.equal('youtube')
    expect(await sources.search('nothing', { limit: 5, signal })).to.deep.equal([])
    expect(asked('/youtubei/v1/search')).to.have.length(2)
    expect(JSON.parse(asked('/youtubei/v1/search')[0]?.body ?? '{}')).to.include({ query: 'a song' })
  })

  it('finds songs alone by YouTube Music, and any videos where that cannot be read', async () => {
    const found = await songs('a song')
    expect(found.map(({ identifier, title, author, lengthMs }) => [identifier, title, author, lengthMs])).to.deep.equal(
      [
        ['sssssssssss', 'Song sssssssssss', 'Quay', 200_000],
        ['vvvvvvvvvvv', 'Song vvvvvvvvvvv', 'Quay', 200_000],
      ],
    )
    expect(await songs('nothing')).to.deep.equal([])
    service.isMusicBroken = true
    expect((await songs('a song')).map(({ identifier }) => identifier)).to.deep.equal(['aaaaaaaaaaa', '-cccccccccc'])
  })

  it('opens the best Opus as it was published, so that it passes through, and remembers it', async () => {
    const { tracks } = await find(watch('aaaaaaaaaaa'))
    const [track] = tracks as [TrackInfo]
    expect(track).to.include({
      title: 'Seed Söng (Official Video)',
      author: 'Quay',
      lengthMs: 213_000,
      isStream: false,
    })
    const playable = await sources.open(track, signal)
    expect(playable).to.deep.equal({
      kind: 'http',
      url: `${service.sound}&itag=251`,
      codec: 'webm-opus',
      isStream: false,
    })
    expect(asked('/youtubei/v1/player')).to.have.length(1)
    const other = await sources.open({ ...track, identifier: '-cccccccccc' }, signal)
    expect(other).to.include({ url: `${service.sound}&itag=140`, codec: 'other' })
  })

  it('continues to the next of YouTube’s programs when one gets no address, and works out hidden ones', async () => {
    for (const program of ['VISIONOS', 'iOS']) service.closedTo.add(program)
    const { tracks } = await find(watch('aaaaaaaaaab'))
    const playable = await sources.open(tracks[0] as TrackInfo, signal)
    expect(playable).to.deep.include({ kind: 'http', codec: 'webm-opus' })
    expect('url' in playable && playable.url).to.equal(`${service.sound}&itag=251&sig=ABC`)
    expect(asked('/youtubei/v1/player')).to.have.length(3)
  })

  it('lets the player’s script reach nothing and run no longer than a moment', async () => {
    for (const program of ['VISIONOS', 'iOS']) service.closedTo.add(program)
    const probes = [
      'process.getBuiltinModule("fs")',
      'require',
      'fetch',
      'globalThis.constructor.constructor("return process")()',
      'WebAssembly.x()',
    ]
    const tried = probes.map((probe) => `try{this.v.sig=String(${probe})}catch(e){}`)
    service.playerExtra = `this.v.sig="";${tried.join(';')};this.v.sig+="kept"`
    sources = await asking('youtubei')
    const { tracks } = await find(watch('aaaaaaaaaaa'))
    const playable = await sources.open(tracks[0] as TrackInfo, signal)
    expect('url' in playable && new URL(playable.url).searchParams.get('sig')).to.equal('kept')

    service.playerExtra = 'for(;;);'
    sources = await asking('youtubei')
    expect((await faultOf(find(watch('aaaaaaaaaaa')))).code).to.equal('service_unavailable')
    // The process still serves other requests.
    expect(await sources.search('a song', { limit: 1, signal })).to.have.length(1)
  })

  it('continues the session of the visitor that it is given', async () => {
    sources = await asking('youtubei', { YOUTUBE_VISITOR_DATA: 'visitor-1' })
    await find(watch('aaaaaaaaaaa'))
    expect(asked('/youtubei/v1/player')[0]?.headers).to.include({ 'x-goog-visitor-id': 'visitor-1' })
  })

  it('plays a live stream by its segments', async () => {
    service.live = service.url + '/live.m3u8'
    const { tracks } = await find(watch('lllllllllll'))
    expect(tracks[0]).to.include({ isStream: true, lengthMs: 0, identifier: 'lllllllllll' })
  })

  it('takes a playlist without what is gone, and knows what follows a video', async () => {
    const { tracks, playlist } = await find('https://www.youtube.com/playlist?list=PLsample')
    expect(playlist).to.equal('Sample List')
    expect(tracks.map(({ identifier }) => identifier)).to.deep.equal(['aaaaaaaaaaa', '-cccccccccc'])
    const related = await sources.related(tracks[0] as TrackInfo, 5, signal)
    expect(related.map(({ identifier }) => identifier)).to.deep.equal(['ddddddddddd', 'fffffffffff'])
    expect((await faultOf(find('https://www.youtube.com/playlist?list=PLnone'))).message).to.match(
      /playlist doesn't exist/,
    )
  })

  for (const [id, code, words, reason] of [
    ['uuuuuuuuuuu', 'validation_error', /no longer has this video/, 'nothing_found'],
    ['ppppppppppp', 'validation_error', /private/, 'private'],
    ['ggggggggggg', 'validation_error', /adults/, 'age'],
    ['rrrrrrrrrrr', 'validation_error', /in this country/, 'region'],
    ['mmmmmmmmmmm', 'validation_error', /members of its channel/, 'private'],
    ['kkkkkkkkkkk', 'validation_error', /hasn't started/, 'unplayable'],
    ['bbbbbbbbbbb', 'service_unavailable', /blocks this service/, 'source_refused'],
    ['nnnnnnnnnnn', 'service_unavailable', /blocks this service/, 'source_refused'],
  ] as const) {
    it(`refuses ${id} with its reason`, async () => {
      const fault = await faultOf(find(watch(id)))
      expect(fault.code, fault.message).to.equal(code)
      expect(fault.message).to.match(words)
      expect([fault.reason, fault.source]).to.deep.equal([reason, 'youtube'])
    })
  }

  it('leaves to yt-dlp what it is refused, and says what is missing when no one can', async () => {
    const program = makeFakeYtDlp(folder.path)
    sources = await asking('youtubei,yt-dlp', { YTDLP_PATH: program.path })
    for (const it of ['VISIONOS', 'iOS', 'TVHTML5']) service.closedTo.add(it)
    const { tracks } = await find(watch('aaaaaaaaaaa'))
    expect(tracks[0]).to.include({ lengthMs: 213_400 })
    expect(program.runs()).to.have.length(1)
    sources = await asking('youtubei,yt-dlp', { YTDLP_PATH: '/nowhere/yt-dlp' })
    const fault = await faultOf(find(watch('aaaaaaaaaaa')))
    expect(fault.message).to.match(/blocks this service.*yt-dlp.*isn't installed/)
    expect((await find('a song')).tracks[0]?.identifier, 'searching needs no yt-dlp').to.equal('aaaaaaaaaaa')
  })

  it('asks a way that failed twice in a row after the others', async () => {
    const program = makeFakeYtDlp(folder.path)
    sources = await asking('youtubei,yt-dlp', { YTDLP_PATH: program.path })
    await untilAsked()
    const ran = program.runs().length
    service.misbehave('HTML')
    own({ close: () => service.misbehave(null) })
    for (let times = 0; times < 5; times++) await sources.search(`song ${times}`, { limit: 1, signal })
    expect(asked('/youtubei/v1/search')).to.have.length(2)
    expect(program.runs()).to.have.length(ran + 5)
  })

  it('stops asking a way that failed three times in a row, for half a minute', async () => {
    sources = await asking('youtubei')
    service.misbehave('HTML')
    own({ close: () => service.misbehave(null) })
    for (let times = 0; times < 5; times++) await faultOf(sources.search(`song ${times}`, { limit: 1, signal }))
    expect(asked('/youtubei/v1/search')).to.have.length(3)
  })

  for (const how of ['hang', 'truncated JSON', 'wrong shape', '20 MB', 'cut connection', 'redirect'] as const) {
    it(`fails in words and recovers: ${how}`, async () => {
      service.misbehave(how)
      const late = AbortSignal.timeout(1000)
      const fault = await sources.search('a song', { limit: 1, signal: late }).catch((error: unknown) => error)
      if (how !== 'hang') expect((fault as { code: string }).code).to.equal('service_unavailable')
      service.misbehave(null)
      expect(await sources.search('a song', { limit: 1, signal })).to.have.length(1)
    })
  }

  it('reads pages with play-dl where that is all that is left, for searches only', async () => {
    sources = await asking('play-dl')
    // A search gives up before the process has started where the machine is busy.
    const found = await eventually(
      () => sources.search('a söng & more', { limit: 5, signal }).catch(() => []),
      (tracks) => tracks.length > 0,
    )
    expect(found.map(({ identifier, title, author }) => [identifier, title, author])).to.deep.equal([
      ['eeeeeeeeeee', 'Song eeeeeeeeeee', 'Quay'],
    ])
    expect(asked('/results')[0]?.query.get('search_query')).to.equal('a söng & more')
    expect((await faultOf(find(watch('aaaaaaaaaaa')))).code).to.equal('service_unavailable')
  })
})

describe('the process that asks YouTube', () => {
  const own = closing()

  it('can read nothing but its own code, knows no environment, and ends with its owner', async () => {
    const { log } = own(createTestContext())
    const service = own(await startInnertube())
    const settings = { baseUrl: service.url, allowHosts: ['127.0.0.1'], visitorData: null, hasTokens: false }
    const helper = createHelper({ settings, log, timeoutMs: 60_000 })
    await helper.ask('youtubei', { task: 'search', text: 'a', limit: 1 }, signal)
    const { pid } = helper
    expect(pid).to.be.a('number')
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    expect(commandLine)
      .to.include('--permission')
      .and.not.to.include('allow-fs-write')
      .and.not.to.include('allow-child')
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.to.include('PATH=')
    await helper.close()
    expect(() => process.kill(pid ?? 0, 0)).to.throw(/ESRCH/)
  })

  it('is replaced when it hangs although the caller has left', async () => {
    const { log } = own(createTestContext())
    const service = own(await startInnertube())
    const settings = { baseUrl: service.url, allowHosts: ['127.0.0.1'], visitorData: null, hasTokens: false }
    const helper = own(createHelper({ settings, log, timeoutMs: 2000 }))
    service.misbehave('hang')
    const caller = AbortSignal.timeout(100)
    await helper.ask('youtubei', { task: 'search', text: 'a', limit: 1 }, caller).catch(() => null)
    expect(helper.health()).to.include({ busy: 1, restarts: 0 })
    await eventually(
      () => helper.health(),
      ({ busy, restarts }) => busy === 0 && restarts === 1,
    )
  })

  it('is replaced when it hangs', async () => {
    const { log } = own(createTestContext())
    const service = own(await startInnertube())
    const settings = { baseUrl: service.url, allowHosts: ['127.0.0.1'], visitorData: null, hasTokens: false }
    // Less than the library itself waits.
    const helper = own(createHelper({ settings, log, timeoutMs: 7500 }))
    service.misbehave('hang')
    const ask = async () => {
      await helper.started(signal)
      return helper.ask('youtubei', { task: 'search', text: 'a', limit: 1 }, signal)
    }
    expect((await faultOf(ask())).message).to.match(/didn't respond in time/)
    service.misbehave(null)
    // A new one takes its time to start.
    await eventually(
      () => ask().catch(() => null),
      (found) => found !== null,
      90_000,
    )
  })
})
