import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sources } from '../../../../bot/sources/source.ts'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { createYtDlp } from '../../../../bot/sources/youtube/yt-dlp.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import { createTestContext } from '../../../support/upstreams/context.ts'
import { makeFakeYtDlp, type FakeYtDlp } from '../../../support/upstreams/fake-ytdlp.ts'
import { startTokenProvider } from '../../../support/upstreams/token-provider.ts'
import { faultOf } from '../../../support/web.ts'

const { signal } = new AbortController()
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`

describe('the YouTube source, by yt-dlp', () => {
  const own = closing()
  const folder = temporaryFolder()
  let program: FakeYtDlp
  let sources: Sources

  beforeEach(async () => {
    program = makeFakeYtDlp(folder.path)
    ;({ sources } = await outsideSources(own, {
      MUSIC_SOURCES: 'youtube',
      YOUTUBE_CLIENTS: 'yt-dlp',
      YTDLP_PATH: program.path,
    }))
  })
  after(() => folder.remove())

  const find = (query: string) => sources.find(query, signal)

  it('finds videos without live ones, and hands the words over behind everything that is an option', async () => {
    const words = '--exec=touch /tmp/x; $(id) \n ytsearch999:"a"'
    const found = await sources.search(words, { limit: 5, signal })
    expect(found.map(({ title, author, source }) => [title, author, source])).to.deep.equal([
      ['Song aaaaaaaaaaa', 'Quay', 'youtube'],
      ['Song -cccccccccc', 'The Artist', 'youtube'],
    ])
    expect(program.runs()[0]?.slice(-2)).to.deep.equal(['--', 'ytsearch5:--exec=touch /tmp/x; $(id)   ytsearch999:"a"'])
    expect(await sources.search('nothing', { limit: 5, signal })).to.deep.equal([])
  })

  for (const address of [
    watch('aaaaaaaaaaa'),
    `${watch('aaaaaaaaaaa')}&list=RDaaaaaaaaaaa&t=90s`,
    'https://youtu.be/aaaaaaaaaaa?si=tracker',
    'https://music.youtube.com/watch?v=aaaaaaaaaaa',
    'https://m.youtube.com/shorts/aaaaaaaaaaa',
    'https://youtube.com/live/aaaaaaaaaaa',
    'https://www.youtube-nocookie.com/embed/aaaaaaaaaaa',
  ]) {
    it(`takes ${address}`, async () => {
      const { tracks, playlist } = await find(address)
      expect(playlist).to.equal(null)
      expect(tracks).to.have.length(1)
      expect(tracks[0]).to.include({ identifier: 'aaaaaaaaaaa', title: 'Seed Söng (Official Video)', author: 'Quay' })
      expect(tracks[0]).to.include({ lengthMs: 213_400, uri: watch('aaaaaaaaaaa'), sourceName: 'youtube' })
      expect(program.runs()[0]?.at(-1)).to.equal(watch('aaaaaaaaaaa'))
    })
  }

  it('opens what it just found without asking again, and what came in a token by asking', async () => {
    const { tracks } = await find(watch('aaaaaaaaaaa'))
    const token = encodeToken(tracks[0] as TrackInfo)
    const url = 'https://rr1.example/videoplayback?expire=1&n=x'
    const playable = { kind: 'http', url, codec: 'webm-opus', isStream: false } as const
    expect(await sources.open(decodeToken(token), signal)).to.deep.equal(playable)
    expect(program.runs()).to.have.length(1)
    const other = { ...(tracks[0] as TrackInfo), identifier: '-cccccccccc' }
    expect(await sources.open(other, signal)).to.deep.equal({ ...playable, codec: 'other' })
    expect(program.runs()).to.have.length(2)
  })

  it('knows the chapters of a video: YouTube’s own, else those of its description, of what it just opened', async () => {
    const { tracks } = await find(watch('aaaaaaaaaaa'))
    const [track] = tracks as readonly [TrackInfo]
    expect((await sources.chapters(track, signal)).map(({ title }) => title)).to.deep.equal(['One', 'Two', 'Three'])
    expect(program.runs()).to.have.length(1)
    expect(await sources.chapters({ ...track, identifier: '-cccccccccc' }, signal)).to.deep.equal([
      { title: 'Shown', startMs: 0 },
      { title: 'On the bar', startMs: 9500 },
    ])
    expect(await sources.chapters({ ...track, identifier: '../passwd' }, signal)).to.deep.equal([])
  })

  it('takes a playlist without what is private or gone, and knows what follows a video', async () => {
    const { tracks, playlist } = await find('https://www.youtube.com/playlist?list=PLsample')
    expect(playlist).to.equal('Sample List')
    expect(tracks.map(({ identifier }) => identifier)).to.deep.equal(['aaaaaaaaaaa', '-cccccccccc'])
    const related = await sources.related(tracks[0] as TrackInfo, 5, signal)
    expect(related.map(({ identifier }) => identifier)).to.deep.equal(['ddddddddddd', 'fffffffffff'])
  })

  it('takes a mix where the link asks for it, and else the video in it', async () => {
    const mix = await find(`${watch('aaaaaaaaaaa')}&list=RDaaaaaaaaaaa&start_radio=1`)
    expect(mix.playlist).to.match(/^Mix - Seed/)
    expect(mix.tracks.map(({ identifier }) => identifier)).to.deep.equal(['aaaaaaaaaaa', 'ddddddddddd', 'fffffffffff'])
    expect((await find(`${watch('aaaaaaaaaaa')}&list=RDaaaaaaaaaaa`)).tracks).to.have.length(1)
  })

  for (const [id, code, words, reason] of [
    ['uuuuuuuuuuu', 'validation_error', /no longer has this video/, 'nothing_found'],
    ['ppppppppppp', 'validation_error', /private/, 'private'],
    ['ggggggggggg', 'validation_error', /adults/, 'age'],
    ['kkkkkkkkkkk', 'validation_error', /hasn't started/, 'unplayable'],
    ['bbbbbbbbbbb', 'service_unavailable', /blocks this service/, 'source_refused'],
    ['44444444444', 'service_unavailable', /blocks this service/, 'source_refused'],
    ['eeeeeeeeeee', 'service_unavailable', /blocks this service/, 'source_refused'],
    ['jjjjjjjjjjj', 'service_unavailable', /blocks this service/, 'source_refused'],
    ['wwwwwwwwwww', 'service_unavailable', /unreadable response/, 'no_answer'],
    ['ttttttttttt', 'service_unavailable', /blocks this service/, 'source_refused'],
  ] as const) {
    it(`refuses ${id} with its reason`, async () => {
      const fault = await faultOf(find(watch(id)))
      expect(fault.code).to.equal(code)
      expect(fault.message).to.match(words)
      expect([fault.reason, fault.source]).to.deep.equal([reason, 'youtube'])
      expect(fault.message).not.to.include('ERROR')
    })
  }

  it('refuses pages that show no video, lists that are gone, and tokens that are none', async () => {
    for (const path of [
      'feed/trending',
      'channel/quay',
      'watch?v=short',
      'playlist?list=../../x',
      'playlist?list=PLnone',
    ]) {
      expect((await faultOf(find(`https://www.youtube.com/${path}`))).code, path).to.equal('validation_error')
    }
    const { tracks } = await find(watch('aaaaaaaaaaa'))
    for (const identifier of ['--exec=id', 'file:///etc/x', '']) {
      const fault = await faultOf(sources.open({ ...(tracks[0] as TrackInfo), identifier }, signal))
      expect(fault.message).to.equal(
        'The track token names YouTube as its source, but no YouTube video. Send the unchanged token from a search.',
      )
    }
  })

  it('keeps what it works out from one run to the next, below the folder of programs', async () => {
    await find(watch('aaaaaaaaaaa'))
    const [args = []] = program.runs()
    expect(args[args.indexOf('--cache-dir') + 1]).to.match(/programs\/cache$/)
    expect(args).not.to.include('--no-cache-dir')
  })

  it('hands a token for the video to yt-dlp, and names the provider to its plug-in', async () => {
    const provider = own(await startTokenProvider())
    const env = { MUSIC_SOURCES: 'youtube', YOUTUBE_CLIENTS: 'yt-dlp', YTDLP_PATH: program.path }
    const vouched = await outsideSources(own, { ...env, YOUTUBE_TOKEN_PROVIDER_URL: provider.url })
    await vouched.sources.find(watch('aaaaaaaaaaa'), signal)
    const args = program.runs().at(-1)?.join(' ')
    expect(args).to.include(`mweb.gvs+${provider.tokenOf('aaaaaaaaaaa')},`)
    expect(args).to.include(`youtubepot-bgutilhttp:base_url=${provider.url} -- `)
  })

  it('kills a run that takes too long, with all that it started', async () => {
    const context = own(createTestContext())
    const programFolder = join(folder.path, 'programs')
    const places = { searchPath: '', programFolder, command: program.path, jsRuntime: 'node', cookiesFile: null }
    const options = { ...places, timeoutMs: 1500 }
    const fault = await faultOf(createYtDlp(context, options).video?.('zzzzzzzzzzz', 'yt-dlp') ?? Promise.resolve())
    expect(fault.message).to.match(/didn't respond in time/)
    const pids = program.pids()
    expect(pids).to.have.length(2)
    for (let tries = 0; tries < 50 && pids.some(isAlive); tries++) await sleep(20)
    expect(pids.filter(isAlive)).to.deep.equal([])
    expect(readdirSync(join(programFolder, 'tmp'))).to.deep.equal([])
  })

  it('says that yt-dlp is missing', async () => {
    const env = { MUSIC_SOURCES: 'youtube', YOUTUBE_CLIENTS: 'yt-dlp', YTDLP_PATH: '/nowhere/yt-dlp' }
    const missing = await outsideSources(own, env)
    const fault = await faultOf(missing.sources.find('a song', signal))
    expect([fault.code, fault.reason, fault.message]).to.deep.equal([
      'service_unavailable',
      'not_configured',
      "yt-dlp, the client for YouTube, isn't installed. The operator can fix this.",
    ])
  })
})

/** Nothing is left of it but perhaps a name that no one has collected. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // Gone meanwhile, or a system without such files: asked again, it is told apart.
    return true
  }
}
