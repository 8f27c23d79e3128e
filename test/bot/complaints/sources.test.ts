import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { PlayerPatch } from '../../../bot/player/inputs.ts'
import { decodeToken } from '../../../bot/tracks/track-token.ts'
import { until } from '../../support/bots.ts'
import { closing } from '../../support/closing.ts'
import { hear, startConcert, type Concert, type Heard } from '../../support/playing-service.ts'
import { temporaryFolder } from '../../support/database.ts'
import { outsideSources } from '../../support/music-outside.ts'
import { eventually } from '../../support/service.ts'
import { sendBytes, sendRadio } from '../../support/sending.ts'
import { startInnertube, type InnertubeStandIn } from '../../support/upstreams/innertube.ts'
import { startRadioBrowser, type RadioBrowserStandIn } from '../../support/upstreams/radio-browser.ts'
import { faultOf, serve, type Listening } from '../../support/web.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`

/**
 * User complaints about other music bots, as far as the sources cause them. Real bots, a real audio thread and real
 * sources meet the stand-in Discord, a web server and a stand-in YouTube that misbehave on request.
 */
describe('complaints about sources', function () {
  const keep = closing(after)
  const folder = temporaryFolder()
  let concert: Concert
  let web: Listening
  let youTube: InnertubeStandIn
  let radios: RadioBrowserStandIn
  let files: Readonly<Record<string, Buffer>>
  /** Handler of the web server. */
  let answer: (request: IncomingMessage, response: ServerResponse) => void

  before(async () => {
    web = keep(await serve((request, response) => answer(request, response)))
    youTube = keep(await startInnertube())
    radios = keep(await startRadioBrowser())
    const { sources } = await outsideSources(keep, {
      MUSIC_SOURCES: 'http,radio,youtube',
      YOUTUBE_CLIENTS: 'youtubei',
      ...upstreamUrls({ youtube: youTube.url }),
      RADIO_BROWSER_URL: radios.url,
    })
    concert = keep(await startConcert({ sources, allowHosts: ['127.0.0.1'] }))
    const webm = join(folder.path, 'noise.webm')
    execFileSync('ffmpeg', ['-v', 'error', '-i', concert.path, '-c', 'copy', webm])
    files = { '/noise.opus': readFileSync(concert.path), '/noise.webm': readFileSync(webm) }
  })
  beforeEach(() => {
    answer = sendFile
    youTube.closedTo.clear()
  })
  afterEach(() => concert.clear())
  after(() => folder.remove())

  function sendFile(request: IncomingMessage, response: ServerResponse, mostBytes?: number): void {
    sendBytes(files[new URL(request.url ?? '', web.url).pathname], { request, response, mostBytes })
  }

  const play = (query: string) => concert.play(query)
  const onceTheHelperIsUp = () => play('https://www.youtube.com/playlist?list=PLsample').catch(() => null)
  const patch = (wish: PlayerPatch) => concert.music.patch(concert.scope, concert.guild.id, wish)
  const asked = (path: string) => youTube.received.filter((it) => it.path === path).length

  it('“It stops after a minute while the clock runs on”: a host that hangs up again and again takes nothing away', async () => {
    answer = (request, response) => sendFile(request, response, 12_000)
    const { heard } = await concert.listen()
    await play(`${web.url}/noise.opus`)
    await hear(heard, 100)
    expectUnbroken(heard)
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  describe('when an address of sound has expired', () => {
    let expired: Set<string>

    beforeEach(async () => {
      expired = new Set()
      youTube.received.length = 0
      youTube.sound = `${web.url}/noise.webm?key=1`
      answer = (request, response) => {
        const key = new URL(request.url ?? '', web.url).searchParams.get('key') ?? ''
        if (expired.has(key)) response.writeHead(403).end()
        else sendFile(request, response, key === '1' ? 36_000 : Infinity)
      }
    })

    function expire(): void {
      expired.add('1')
      youTube.sound = `${web.url}/noise.webm?key=2`
    }

    it('“It breaks off in the middle”: it continues with a new one, asked for once, and tells no one', async () => {
      const { heard } = await concert.listen()
      await play(watch('eeeeeeeeee1'))
      const { encoded = '' } = (await concert.info()).current ?? {}
      expect(JSON.stringify(decodeToken(encoded)), 'a token holds no address of sound').not.to.include(web.url)
      expire()
      await hear(heard, 220)
      expectUnbroken(heard, 1)
      expect(concert.told()).to.deep.equal(['trackStarted'])
      expect(asked('/youtubei/v1/player')).to.equal(2)
    })

    it('“After a long pause nothing works”: seeking and volume ask for a new one', async () => {
      const { heard } = await concert.listen()
      await play(watch('eeeeeeeeee2'))
      await hear(heard, 5)
      await patch({ paused: true })
      expire()
      expect((await patch({ positionMs: 40_000 })).paused).to.equal(true)
      await patch({ paused: false })
      await until('it plays from there', () => (heard.at(-1)?.frame ?? 0) >= 2000)
      expired.add('2')
      youTube.sound = `${web.url}/noise.webm?key=3`
      expect((await patch({ volume: 50 })).volume).to.equal(50)
      expect((await concert.info()).positionMs).to.be.within(40_000, 60_000)
      expect(concert.told()).to.deep.equal(['trackStarted'])
    })

    it('“It repeats the same error for ever”: what is gone for good is left after one more try', async () => {
      const { heard } = await concert.listen()
      await play(watch('eeeeeeeeee3'))
      await play(`${web.url}/noise.opus`)
      for (const key of ['1', '2']) expired.add(key)
      youTube.sound = `${web.url}/noise.webm?key=2`
      await until('the next track plays', () => concert.told().length > 2)
      await hear(heard, 5)
      expect(concert.told()).to.deep.equal(['trackStarted', 'trackEnded loadFailed', 'trackStarted'])
    })
  })

  it('“One broken playlist hangs the bot”: a hundred dead entries are over in seconds, also when the queue repeats', async () => {
    const dead = Array.from({ length: 120 }, (_, at) => `${web.url}/dead-${at}.mp3`)
    const list = ['/noise.opus', ...dead].join('\n')
    answer = (request, response) =>
      request.url === '/list.m3u' ? void response.end(`#EXTM3U\n${list}`) : sendFile(request, response)
    const { heard } = await concert.listen()
    const { added } = (await play(`${web.url}/list.m3u`)) as { added: number }
    expect(added, 'a hundred at most, without those that were tried at once').to.equal(81)
    await patch({ loop: 'queue' })
    await hear(heard, 5)
    const startedAtMs = performance.now()
    await concert.music.skip(concert.scope, concert.guild.id)
    await until(
      'the one that plays comes round',
      () => concert.told().filter((it) => it === 'trackStarted').length === 2,
    )
    expect(performance.now() - startedAtMs).to.be.below(15_000)
    expect(concert.told().filter((it) => it === 'trackEnded loadFailed')).to.have.length(80)
    expect((await concert.info()).queue).to.have.length(0)
  })

  it('“A playlist with a deleted video fails as a whole”: the others play, in their order', async () => {
    youTube.sound = `${web.url}/noise.webm?key=0`
    const { added } = (await eventually(onceTheHelperIsUp, Boolean)) as { added: number }
    expect(added).to.equal(2)
    const { current: first, queue } = await concert.info()
    expect([first, ...queue].map((track) => track?.title)).to.deep.equal(['Song aaaaaaaaaaa', 'Song -cccccccccc'])
  })

  it('“It says only ‘error’”: each reason why a video cannot be had is told, and what plays continues', async () => {
    const { heard } = await concert.listen()
    await play(`${web.url}/noise.opus`)
    await hear(heard, 5)
    for (const [id, words] of [
      ['rrrrrrrrrrr', /blocks this video in this country/],
      ['ggggggggggg', /signed-in adults/],
      ['ppppppppppp', /is private/],
      ['mmmmmmmmmmm', /members of its channel/],
      ['uuuuuuuuuuu', /no longer has this video/],
      ['kkkkkkkkkkk', /hasn't started/],
      ['bbbbbbbbbbb', /blocks this service as a bot/],
    ] as const) {
      expect((await faultOf(play(watch(id)))).message, id).to.match(words)
    }
    await hear(heard, 30)
    expectUnbroken(heard)
    expect((await concert.info()).queue).to.have.length(0)
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('“It joins, says there is nothing to play and stays”: what cannot be played is refused before it joins', async () => {
    for (const query of [watch('ggggggggggg'), `${web.url}/gone.mp3`, 'http://10.0.0.1/a.mp3'])
      await faultOf(play(query))
    expect(await concert.music.players(concert.scope)).to.deep.equal([])
  })

  it('“A radio that has ended never leaves the queue”: its titles are shown while it plays, then the next track comes', async () => {
    let times = 0
    answer = (request, response) => {
      if (request.url !== '/radio') return sendFile(request, response)
      // Once to find out what it is, once to play.
      if (times++ > 1) return void response.writeHead(404).end()
      const sound = files['/noise.opus']?.subarray(0, 24_000) ?? Buffer.alloc(0)
      sendRadio(response, { sound, title: 'Quay - It’s Ebb; Flow' })
      setTimeout(() => response.end(), 200)
    }
    radios.stream = `${web.url}/radio`
    const [station] = await concert.music.search({ q: 'harbour', limit: 1, source: 'radio' })
    const { heard } = await concert.listen()
    const { demo } = concert.sandbox
    await concert.music.play(concert.scope, concert.guild.id, {
      encoded: station?.encoded ?? '',
      channelId: demo.voiceChannelId,
    })
    await hear(heard, 5)
    await until('its title is shown', async () => (await concert.info()).streamTitle === 'Quay - It’s Ebb; Flow')
    expect((await faultOf(patch({ positionMs: 1000 }))).message).to.match(/Live streams have no positions/)
    await play(`${web.url}/noise.opus`)
    await eventually(
      () => concert.told(),
      (told) => told.length > 2,
    )
    expect(concert.told()).to.deep.equal(['trackStarted', 'trackEnded loadFailed', 'trackStarted'])
    expect((await concert.info()).streamTitle).to.equal(null)
  })

  it('“It cannot follow a link”: redirects are followed, but neither in a circle nor inside', async () => {
    answer = (request, response) => {
      const hop = /^\/hop-(\d)$/.exec(request.url ?? '')?.[1]
      const to = hop === '1' ? '/noise.opus' : hop ? `/hop-${Number(hop) - 1}` : null
      if (request.url === '/circle') response.writeHead(302, { location: '/circle' }).end()
      else if (request.url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/x.mp3' }).end()
      else if (to) response.writeHead(302, { location: to }).end()
      else sendFile(request, response)
    }
    const { heard } = await concert.listen()
    await play(`${web.url}/hop-5`)
    await hear(heard, 5)
    expect((await faultOf(play(`${web.url}/circle`))).message).to.match(/redirects more than 20 times/)
    expect((await faultOf(play(`${web.url}/inside`))).message).to.match(/(?:has no|isn't a) public address/)
  })

  it('“It refuses a file that every browser plays”: what is in it counts, not what it is called', async () => {
    answer = (request, response) => {
      if (request.url === '/song.mp3')
        return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('<!doctype html>')
      response.setHeader('content-type', 'text/html')
      sendFile(Object.assign(request, { url: '/noise.opus' }), response)
    }
    const { heard } = await concert.listen()
    await play(`${web.url}/page.html`)
    await hear(heard, 5)
    expect((await faultOf(play(`${web.url}/song.mp3`))).message).to.match(/returned a web page, not audio/)
  })

  it('“Two ten-hour tracks take all memory”: no more is read than is needed soon', async () => {
    const lengthBytes = 10 * 3600 * 16_000
    const frame = Buffer.alloc(417)
    frame.writeUInt32BE(0xfffb9000)
    const some = Buffer.alloc(417 * 1000, frame)
    let sentBytes = 0
    answer = ({ headers }, response) => {
      const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
      response.writeHead(206, { 'content-range': `bytes ${from}-${to || lengthBytes - 1}/${lengthBytes}` })
      if (to !== '')
        return void response.end(Buffer.alloc(Number(to) - Number(from) + 1, some.subarray(Number(from) % 417)))
      const more = () => {
        while (!response.destroyed && response.write(some)) sentBytes += some.length
        sentBytes += some.length
      }
      response.on('drain', more)
      more()
    }
    const { member } = await concert.listen()
    await play(`${web.url}/ten-hours.mp3`)
    expect((await concert.info()).current?.lengthMs).to.be.above(35_000_000)
    await until('it is heard', () => member.report.decrypted > 25)
    // Bytes that the system's own buffers have taken until now do not count.
    const before = sentBytes
    await until('it is heard for another second', () => member.report.decrypted > 75)
    expect(sentBytes - before).to.be.below(32 * 1024 * 1024)
  })

  it('“When YouTube blocks the bot, nothing works”: all else does, and the error says what helps', async () => {
    youTube.misbehave('status 429 with Retry-After')
    try {
      const fault = await faultOf(play(watch('eeeeeeeeee4')))
      expect(fault.code).to.equal('service_unavailable')
      expect(fault.message).to.match(/as a bot; the operator can set YTDLP_COOKIES_FILE/)
      const { heard } = await concert.listen()
      await play(`${web.url}/noise.opus`)
      await hear(heard, 5)
    } finally {
      youTube.misbehave(null)
    }
  })
})

/** Nothing was left out and nothing was heard twice, but for one gap where that is allowed. */
function expectUnbroken(heard: readonly Heard[], gaps = 0): void {
  const steps = heard.slice(1).map(({ frame }, index) => frame - (heard[index]?.frame ?? 0))
  expect(steps.filter((step) => step !== 1).length, `steps ${steps.join(' ')}`).to.be.at.most(gaps)
  expect(Math.min(...steps)).to.be.above(0)
}
