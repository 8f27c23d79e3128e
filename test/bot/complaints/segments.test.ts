import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/bots.ts'
import { closing } from '../../support/closing.ts'
import { startConcert, type Concert } from '../../support/playing-service.ts'
import { temporaryFolder } from '../../support/database.ts'
import { outsideSources } from '../../support/music-outside.ts'
import { eventually } from '../../support/service.ts'
import { serve, type Listening } from '../../support/web.ts'

const TONE = 'sine=frequency=440:sample_rate=48000:duration=4'

/** User complaints about segmented sound (HLS): links, live streams, URLs that expire. */
describe('complaints about streams in segments', function () {
  const keep = closing(after)
  const folder = temporaryFolder()
  let concert: Concert
  let web: Listening
  /** Paths that are answered otherwise than by the file of that name. */
  const other = new Map<string, () => string>()

  before(async () => {
    web = keep(
      await serve((request, response) => {
        const path = request.url ?? ''
        try {
          response.end(other.get(path)?.() ?? readFileSync(join(folder.path, path.replace(/\?.*/, ''))))
        } catch {
          response.writeHead(404).end()
        }
      }),
    )
    const key = join(folder.path, 'key')
    writeFileSync(key, Buffer.from('0123456789abcdef'))
    writeFileSync(join(folder.path, 'key.info'), `key\n${key}\n`)
    const hls = '-f hls -hls_time 1 -hls_playlist_type vod -hls_list_size 0'.split(' ')
    const pack = (name: string, ...more: readonly string[]) =>
      execFileSync(
        'ffmpeg',
        ['-v', 'error', '-f', 'lavfi', '-i', TONE, '-c:a', 'aac', ...hls, ...more, join(folder.path, `${name}.m3u8`)],
        { cwd: folder.path },
      )
    pack('secret', '-hls_key_info_file', join(folder.path, 'key.info'))
    pack('plain')
    const { sources } = await outsideSources(keep, { MUSIC_SOURCES: 'http' })
    concert = keep(await startConcert({ sources, allowHosts: ['127.0.0.1'] }))
  })
  beforeEach(() => other.clear())
  afterEach(() => concert.clear())
  after(() => folder.remove())

  const told = () => concert.told()

  it('“Links to .m3u8 do nothing”: the sound alone is chosen and decrypted, with its length and any position', async () => {
    const picture = '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.4d,mp4a.40.2"\npicture.m3u8\n'
    const sound = '#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="mp4a.40.2"\n/secret.m3u8\n'
    other.set('/jazz/master.m3u8', () => `#EXTM3U\n${picture}${sound}`)
    const { member } = await concert.listen()
    await concert.play(`${web.url}/jazz/master.m3u8`)
    const { current } = await concert.info()
    expect(current).to.include({ title: 'jazz', isStream: false })
    expect(current?.lengthMs).to.be.within(3900, 4200)
    await until('it is heard', () => member.report.decrypted > 10)
    await concert.music.patch(concert.scope, concert.guild.id, { positionMs: 3000 })
    await eventually(told, (all) => all.includes('queueEmptied'))
    expect(told()).to.deep.equal(['trackStarted', 'trackEnded finished', 'queueEmptied'])
  })

  it('“The live stream is over and it sits there for ever”: the next track plays as soon as the stream says that it ends', async () => {
    const [start = '', ...segments] = readFileSync(join(folder.path, 'plain.m3u8'), 'utf8')
      .replace(/#EXT-X-(?:ENDLIST|PLAYLIST-TYPE.*)\n/g, '')
      .split(/^(?=#EXTINF)/m)
    // Each time someone looks, a further segment is there.
    let there = 3
    other.set('/live.m3u8', () => {
      const end = there === segments.length ? '#EXT-X-ENDLIST\n' : ''
      const listed = segments.slice(0, there)
      there = Math.min(there + 1, segments.length)
      return start + listed.join('') + end
    })
    const { member } = await concert.listen()
    await concert.play(`${web.url}/live.m3u8`)
    expect((await concert.info()).current).to.include({ isStream: true, lengthMs: 0 })
    await until('it is heard', () => member.report.decrypted > 10)
    await concert.play(`${web.url}/plain.m3u8`)
    await eventually(told, (all) => all.length > 2)
    expect(told()).to.deep.equal(['trackStarted', 'trackEnded finished', 'trackStarted'])
    expect((await concert.info()).current?.isStream).to.equal(false)
  })

  it('“A protected stream fails without a word”: it is refused with its reason, before anything is joined', async () => {
    other.set('/drm.m3u8', () => '#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"\n#EXTINF:4,\na.ts\n')
    const refusal = await concert.play(`${web.url}/drm.m3u8`).catch((error: Error) => error.message)
    expect(refusal).to.match(/protects this stream/)
    expect(await concert.music.players(concert.scope)).to.deep.equal([])
  })
})
