import { expect } from 'chai'
import { until } from '../../support/bots.ts'
import { closing } from '../../support/closing.ts'
import { hear, startConcert, type Concert } from '../../support/playing-service.ts'
import { eventually } from '../../support/service.ts'
import { serve, type Listening } from '../../support/web.ts'

const MANY_FRAMES = 150

/** One project plays what is made to stop the audio thread, and another one listens to its music. */
describe('a track that is made to stop the music', () => {
  const keep = closing(after)
  let concert: Concert
  let web: Listening
  let liveReloads = 0

  function playlistAt(path: string): string {
    const head = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n'
    if (path.startsWith('/live')) {
      const attack = liveReloads++ === 0 ? '' : `#EXT-X-KEY:${'-'.repeat(300_000)}\n`
      return `${head}${attack}#EXTINF:1,\na.ts\n`
    }
    const vector = `0x${(path.startsWith('/hang') ? 'dead' : 'c0de').padStart(32, '0')}`
    return `${head}#EXT-X-KEY:METHOD=AES-128,URI="key",IV=${vector}\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n`
  }

  before(async () => {
    web = keep(
      await serve(({ url: path = '' }, response) => {
        response.end(path.endsWith('.m3u8') ? playlistAt(path) : Buffer.alloc(path === '/key' ? 16 : 188, 0x47))
      }),
    )
    concert = keep(
      await startConcert({
        allowHosts: ['127.0.0.1'],
        timings: { pingMs: 250, silentMs: 2500 },
        preload: new URL('../../support/hanging-decipher.ts', import.meta.url).href,
        sources: {
          open: async ({ identifier }) => {
            if (!/^(?:hang|crash|live)/.test(identifier)) return { kind: 'file', path: concert.path, codec: 'ogg-opus' }
            const isStream = identifier.startsWith('live')
            return { kind: 'hls', url: `${web.url}/${identifier}.m3u8`, codec: 'other', isStream }
          },
        },
      }),
    )
  })
  afterEach(() => concert.clear())

  /** Another guild, in which something plays already. */
  async function anotherGuild(name: string): Promise<string> {
    const { guildId, channelId } = concert.addGuild(name)
    await until('it plays there', async () => {
      const [played] = await Promise.allSettled([concert.play('C', guildId, channelId)])
      return played?.status === 'fulfilled'
    })
    return guildId
  }

  for (const how of ['hang', 'crash']) {
    it(`is refused after it made the audio thread ${how}, and every player continues`, async () => {
      const threads = concert.threads.length
      const { heard } = await concert.listen()
      await concert.play('A')
      await hear(heard, 20)
      const guildId = await anotherGuild(how)
      await concert.play(`${how} B`, guildId)
      concert.music.skip(concert.scope, guildId).catch(() => undefined)
      const told = await eventually(
        () => concert.told(guildId),
        (all) => all.length >= 4,
      )
      expect(told).to.deep.equal(['trackStarted', 'trackEnded replaced', 'trackEnded loadFailed', 'trackStarted'])
      expect(concert.threads).to.have.length(threads + 1)
      await hear(heard, heard.length + MANY_FRAMES)
      expect(concert.told()).to.deep.equal(['trackStarted'])
      await concert.play(how, guildId)
      expect(await concert.music.skip(concert.scope, guildId)).to.deep.equal({ track: null })
      expect(concert.threads).to.have.length(threads + 1)
      expect(await concert.music.players(concert.scope)).to.have.length(2)
    })
  }

  it('does not hold up the frames of others by a live playlist that takes long to parse', async () => {
    const threads = concert.threads.length
    const { heard } = await concert.listen()
    await concert.play('A')
    await hear(heard, 20)
    const guildId = await anotherGuild('live')
    await concert.play('live', guildId)
    concert.music.skip(concert.scope, guildId).catch(() => undefined)
    await until('the playlist was loaded again', () => liveReloads > 2)
    const from = heard.length
    await hear(heard, from + MANY_FRAMES)
    const gaps = heard.slice(from).map(({ atMs }, i) => atMs - (heard[from + i - 1]?.atMs ?? atMs))
    // A thread that parses is silent for minutes, until it is replaced.
    expect(Math.max(...gaps)).to.be.below(1500)
    expect(concert.threads).to.have.length(threads)
  })
})
