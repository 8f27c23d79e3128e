import { expect } from 'chai'
import PQueue from 'p-queue'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { probeUrl } from '../../../../bot/sources/http/probe.ts'
import { normalizeTitle } from '../../../../bot/sources/http/text.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { ODD_SOUNDS, oddSounds, type OddSound } from '../../../support/odd-sounds.ts'
import { MANNERS, type MannerName } from '../../../support/odd-hosts.ts'
import { useOpener } from '../../../support/opener.ts'
import { serve, type Listening } from '../../../support/web.ts'
import { createBench } from '../../audio/playback/track-player-bench.ts'

const SOUND = { volume: 100, muted: false, paused: false }
/** Content of a container box that does not end. */
const REST = Buffer.alloc(65_536, 0x55)
/** A decoder that waits for a processor for half a minute counts as stalled. */
const AT_ONCE = 4
const { signal } = new AbortController()

describe('any sound from any host', () => {
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  // Time passes faster than ffmpeg works: the whole track is there before it begins.
  const opener = useOpener(10_000)
  let server: Listening
  let folder = ''
  let requests: string[] = []
  let next: { readonly kind: 'file'; readonly path: string; readonly codec: 'ogg-opus' }

  before(async () => {
    folder = await oddSounds()
    const files = new Map(ODD_SOUNDS.map(({ file }) => [file, readFileSync(join(folder, file))]))
    next = { kind: 'file', path: join(folder, 'opus.opus'), codec: 'ogg-opus' }
    server = await serve((asked, answer) => {
      requests.push(asked.url ?? '')
      const [, manner = '', file = ''] = decodeURIComponent(asked.url ?? '').split('/')
      MANNERS[manner as MannerName](files.get(file) ?? Buffer.alloc(0), asked, answer)
    })
  })
  after(async () => {
    await server.close()
    await egress.close()
  })

  /** Plays two tracks, one behind the other, and tells how the first one went. */
  async function play(manner: MannerName, { file }: OddSound) {
    const url = `${server.url}/${encodeURIComponent(manner)}/${file}`
    const probed = await probeUrl(url, { egress, signal })
    if (probed.kind !== 'audio') throw new Error(`It is a ${probed.kind}.`)
    const { facts, isStream } = probed
    const playable = { kind: 'http', url, codec: facts.codec, isStream } as const
    const bench = createBench(opener.open)
    const track = { botId: '1', guildId: '2', playable, positionMs: 0, ...SOUND }
    await bench.deck.play({ ...track, playId: 1 })
    bench.tick(1000)
    const ended = bench.events.filter(({ type }) => type === 'trackEnded')
    const frames = bench.sent.length
    await bench.deck.play({ ...track, playable: next, playId: 2 })
    bench.tick(10)
    const started = bench.events.filter(({ type }) => type === 'trackStarted')
    await bench.deck.stop()
    return { facts, isStream, ended, started, seconds: (frames - 5) / 50 }
  }

  it('reads of a long file no more than its tags and its beginning where its host knows no ranges', async () => {
    for (const file of ['xing.mp3', 'constant.mp3', 'speech.mp3', 'flac.flac', 'wave.wav', 'front.m4a', 'adts.aac']) {
      const start = readFileSync(join(folder, file))
      let sent = 0
      const long = await serve((_, answer) => {
        answer.writeHead(200, { 'content-length': 100_000_000 }).write(start)
        const more = () => {
          while (!answer.destroyed && sent < 90_000_000 && answer.write(REST)) sent += REST.length
          sent += REST.length
        }
        answer.on('drain', more)
        more()
      })
      const probed = await probeUrl(long.url, { egress, signal })
      await long.close()
      expect(probed, file).to.have.property('kind', 'audio')
      expect(sent, file).to.be.below(16_000_000)
    }
  })

  for (const manner of Object.keys(MANNERS) as MannerName[]) {
    it(`plays once to its end, is named and measured, and makes way for the next: ${manner}`, async () => {
      requests = []
      const outcomes = await new PQueue({ concurrency: AT_ONCE }).addAll(
        ODD_SOUNDS.map((sound) => async () => ({
          sound,
          ...(await play(manner, sound).catch((error: unknown) => ({ error }))),
        })),
      )
      for (const { sound, ...outcome } of outcomes) {
        const { file } = sound
        if ('error' in outcome) throw new Error(`${file}: ${String(outcome.error)}`)
        const { facts, isStream, ended, started, seconds } = outcome
        expect(isStream, file).to.equal(false)
        expect(normalizeTitle(facts.title), file).to.equal(sound.title)
        if (facts.lengthMs > 0) expect(facts.lengthMs, file).to.be.closeTo(sound.seconds * 1000, 120)
        expect(seconds, file).to.be.closeTo(sound.seconds, 0.15)
        expect(ended, file).to.have.length(1)
        expect(ended[0], file).to.include({ reason: 'finished', playId: 1 })
        expect(started, file).to.have.length(2)
      }
      expect(requests.length).to.be.below(ODD_SOUNDS.length * 22)
    })
  }
})
