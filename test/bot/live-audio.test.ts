import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { expect } from 'chai'
import { readOggPackets } from '../../packages/sandbox/test/voice/ogg-reader.ts'
import { until } from '../support/bots.ts'
import { hear, startConcert, type Concert } from '../support/playing-service.ts'

const SILENCE = 'f8fffe'

describe('listening along', () => {
  let concert: Concert
  /** Frames of the track by what they hold. */
  let frames: ReadonlyMap<string, number>

  before(async () => {
    concert = await startConcert()
    frames = new Map(readOggPackets(readFileSync(concert.path)).map(({ bytes }, at) => [bytes.toString('hex'), at]))
  })
  after(() => concert.close())
  afterEach(() => concert.clear())

  it('brings the very frames that the bot sends, which a member hears as before', async () => {
    const { heard } = await concert.listen()
    await concert.play()
    const along = collect(await concert.music.listen(concert.scope, concert.guild.id))
    await until('a second has been heard', () => along.packets().filter((hex) => frames.has(hex)).length > 50)
    along.stream.destroy()
    const own = along
      .packets()
      .map((hex) => frames.get(hex))
      .filter((at) => at !== undefined)
    expect(own).to.deep.equal(own.map((_, index) => (own[0] ?? 0) + index))
    await hear(heard, 60)
    const gaps = heard.map(({ frame }, index) => frame - index)
    expect(new Set(gaps).size, 'the member misses nothing').to.equal(1)
  })

  it('is a file that a decoder plays, silent while the player pauses', async () => {
    await concert.play()
    const along = collect(await concert.music.listen(concert.scope, concert.guild.id))
    await until('sound has come', () => along.packets().length > 20)
    await concert.music.patch(concert.scope, concert.guild.id, { paused: true })
    await until('silence goes on', () => along.packets().filter((hex) => hex === SILENCE).length > 40)
    const ended = once(along.stream, 'close')
    await concert.music.close(concert.scope, concert.guild.id)
    await ended
    const decode = ['-v', 'error', '-xerror', '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-']
    const probe = execFileSync('ffmpeg', decode, { input: along.bytes() })
    expect(probe.length / 2 / 48_000).to.be.closeTo(along.packets().length * 0.02, 0.05)
  })

  it('ends with the audio thread, and lets four listen and no more', async () => {
    await concert.play()
    const open = () => concert.music.listen(concert.scope, concert.guild.id)
    const four = (await Promise.all([open(), open(), open(), open()])).map(collect)
    const refused = await open().catch((error: unknown) => error)
    expect(refused).to.have.property('code', 'service_unavailable')
    const [first, ...others] = four
    const gone = first && once(first.stream, 'close')
    first?.stream.destroy()
    await gone
    const fifth = collect(await open())
    const ended = Promise.all([...others, fifth].map(({ stream }) => once(stream, 'close')))
    await concert.threads.at(-1)?.terminate()
    await ended
    await until('the thread is back', () => concert.node.isAlive)
  })
})

/** Reads what comes. */
function collect(stream: Readable) {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const bytes = () => Buffer.concat(chunks)
  return { stream, bytes, packets: () => readOggPackets(bytes()).map(({ bytes: packet }) => packet.toString('hex')) }
}
