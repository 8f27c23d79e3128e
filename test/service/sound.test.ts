import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { PlayerTrace } from '../../bot/player/player-info.ts'
import { eventually, makeDataDir, startService, type RunningService } from '../support/service.ts'
import { amplitude, decibels, decode, heardAtBest, longestSilenceMs, slice, type Sound } from '../support/sound.ts'
import { ffmpegOnce } from '../support/made-once.ts'

interface Tone {
  readonly hz: number
  readonly level: number
  readonly seconds?: number
}

function tone(path: string, title: string, { hz, level, seconds = 30 }: Tone): string {
  const sound = `aevalsrc=${level}*sin(${hz}*2*PI*t)|${level}*sin(${hz}*2*PI*t):s=48000:d=${seconds}`
  const coder = path.endsWith('.opus') ? ['-c:a', 'libopus', '-b:a', '96k'] : []
  const tags = ['-metadata', `title=${title}`]
  ffmpegOnce(['-f', 'lavfi', '-i', sound, ...tags, ...coder], path)
  return path
}

function levelOf({ left }: Sound, hz: number): number {
  return decibels(amplitude(left, hz), 1)
}

/** The whole way, decoded and measured as a member hears it. */
describe('the sound of a call', () => {
  let service: RunningService
  /** Callbacks that send the rest of a track; null sends it immediately. */
  let waiting: (() => void)[] | null = null
  let slow: Buffer
  let slowVersion = 1
  const server = createServer((_, response) => dribble(response))
  before(async () => {
    const dataDir = makeDataDir()
    const library = join(dataDir, 'library')
    mkdirSync(library)
    tone(join(library, 'thunder.mp3'), 'Thunder', { hz: 1000, level: 0.9 })
    tone(join(library, 'whisper.flac'), 'Whisper', { hz: 1000, level: 0.07 })
    tone(join(library, 'bright.opus'), 'Bright', { hz: 4000, level: 0.2 })
    tone(join(library, 'jingle.flac'), 'Jingle', { hz: 2500, level: 0.2, seconds: 8 })
    slow = readFileSync(tone(join(dataDir, 'slow.opus'), 'Slow', { hz: 700, level: 0.2, seconds: 20 }))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const env = { PLAYER_ALONE_SECONDS: '600', EGRESS_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'info' }
    service = await startService({ dataDir, env })
    for (const title of ['thunder', 'whisper', 'bright', 'jingle']) {
      await eventually(
        () => service.call('GET', `/v1/music/search?q=${title}`),
        ({ body }) => body.data?.length > 0,
      )
    }
  })
  after(async () => {
    // First, so that nothing holds the process where the service could not be started.
    server.close()
    server.closeAllConnections()
    await service.stop()
  })

  function dribble(response: ServerResponse): void {
    const head = Math.floor(slow.length / 10)
    response.writeHead(200, { 'content-type': 'audio/ogg', 'content-length': slow.length, etag: `"${slowVersion}"` })
    response.write(slow.subarray(0, head))
    const finish = () => void response.end(slow.subarray(head))
    if (waiting) waiting.push(finish)
    else finish()
  }

  const music = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, `/v1/music/guilds/${service.demo.guildId}${path}`, { body })
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.equal(200)
    return answer.body.data
  }
  const play = (query: string) => music('POST', '/play', { query, channelId: service.demo.voiceChannelId })
  const token = async (query: string) =>
    (await service.call('GET', `/v1/music/search?q=${query}`)).body.data[0].encoded as string
  const metrics = async () => (await fetch(`${service.demo.baseUrl}/metrics`)).text()
  const metric = async (line: string): Promise<number> =>
    Number(
      (await metrics())
        .split('\n')
        .find((one) => one.startsWith(`bandstand_${line}`))
        ?.split(' ')[1] ?? 0,
    )
  const untilAt = (ms: number) =>
    eventually(
      async () => (await music('GET', '/player')).positionMs,
      (at) => at > ms,
    )
  /** Records the channel from now on. */
  const listen = async (seconds: number): Promise<Sound> => {
    const { sandboxUrl, guildId, voiceChannelId } = service.demo
    const sound = await decode(`${sandboxUrl}/sandbox/guilds/${guildId}/channels/${voiceChannelId}/listen.ogg`, seconds)
    // The first moments of a listener are the page headers and the pre-roll.
    return slice(sound, 0.2, sound.seconds)
  }

  const assertLoudness = (seconds: number) =>
    heardAtBest(async () => void expect(levelOf(await listen(seconds), 1000)).to.be.closeTo(-14, 1))

  // Music left by a failed test must not play into the next one, nor into a retry.
  const silence = () => service.call('DELETE', `/v1/music/guilds/${service.demo.guildId}/player`)
  afterEach(silence)

  const trace = (): Promise<PlayerTrace> => music('GET', '/player/trace')
  const texts = async (kind: string) =>
    (await trace()).entries.filter((one) => one.kind === kind).map(({ text }) => text)

  it('is equally loud, no matter what the tracks are, and costs no encoding the second time', async () => {
    for (const [at, query] of ['thunder', 'whisper', 'bright'].entries()) {
      await play(query)
      // Then the first play is set right; the kept copy comes a little later.
      if (query !== 'bright') {
        await eventually(
          () => texts('sound'),
          (all) => all.some((text) => text.includes('loudness measured')),
        )
        await eventually(
          () => metric('audio_tracks_kept_total'),
          (count) => count > at,
        )
      }
      await sleep(500)
      if (query === 'bright') await listen(1.5)
      else await assertLoudness(1.5)
      await music('DELETE', '/player')
    }
    const encoded = await metric('audio_transcodes_total')
    for (const query of ['thunder', 'whisper']) {
      await play(query)
      await music('PATCH', '/player', { positionMs: 20_000 })
      await assertLoudness(1)
      await music('DELETE', '/player')
    }
    expect(await metric('audio_transcodes_total')).to.equal(encoded)
    expect(await metric('audio_cache_hits_total')).to.be.at.least(2)
  })

  it('follows volume, filters and layers without a gap, as soon as the API has answered', () =>
    heardAtBest(async () => {
      await silence()
      await play('bright')
      await untilAt(500)
      const sound = listen(6)
      sound.catch(() => undefined)
      await sleep(700)
      const plain = levelOf(await listen(0.8), 4000)
      await music('PATCH', '/player', { volume: 50 })
      const half = levelOf(await listen(0.8), 4000)
      await music('PATCH', '/player', { volume: 100, filters: { lowPass: { smoothing: 20 } } })
      const dull = levelOf(await listen(0.8), 4000)
      await music('PATCH', '/player', { filters: {} })
      expect(half - plain).to.be.closeTo(-6, 1)
      expect(dull - plain).to.be.below(-12)
      const { id } = await music('POST', '/mix', { track: { encoded: await token('jingle') }, volume: 1 })
      await sleep(400)
      const mixed = await listen(0.8)
      expect(levelOf(mixed, 2500)).to.be.closeTo(decibels(0.2, 1), 1.5)
      expect(levelOf(mixed, 4000) - plain).to.be.closeTo(0, 1)
      await music('DELETE', `/mix/${id}`)
      expect(levelOf(await listen(0.8), 2500)).to.be.below(-50)
      expect(longestSilenceMs(await sound)).to.be.below(40)
    }))

  it('goes from one track to the next-track without a silence', () =>
    heardAtBest(async () => {
      await silence()
      await play('jingle')
      await music('PUT', '/next-track', { track: { encoded: await token('bright') } })
      await untilAt(3500)
      const sound = await listen(7.5)
      expect(levelOf(slice(sound, 0, 1), 2500)).to.be.above(-20)
      expect(levelOf(slice(sound, sound.seconds - 1, sound.seconds), 4000)).to.be.above(-20)
      expect(longestSilenceMs(sound)).to.be.below(20)
    }))

  it('is on record: gaps with their cause, sources that stall, close codes, and what changed it', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slow.opus`
    // The source is looked at before it is played for the first time.
    await play(url)
    await music('DELETE', '/player')
    const held: (() => void)[] = []
    waiting = held
    // Another one than that which is on the disk by now.
    slowVersion++
    await play(url)
    await untilAt(1000)
    await sleep(2500)
    waiting = null
    for (const finish of held) finish()
    const stalled = /^gap of \d+ ms: the source sent nothing$/
    await eventually(
      () => texts('gap'),
      (all) => all.some((text) => stalled.test(text)),
    )
    await music('PATCH', '/player', { volume: 50 })
    // The volume is heard before the source is opened again with it.
    await eventually(
      () => texts('sound'),
      ([first]) => first?.includes('change of volume, filters or layers') === true,
    )
    const { guildId, botId } = service.demo
    await service.sandbox('POST', `/sandbox/guilds/${guildId}/members/${botId}/voice-socket`, { code: 4006 })
    const restored = await eventually(
      () => texts('voice'),
      (all) => all.length >= 3,
    )
    expect(restored.slice(-2)[0]).to.include('Discord closed it with code 4006')
    await eventually(
      () => texts('gap'),
      (all) => all.some((text) => text.includes('reconnecting (close code 4006)')),
    )
    expect(await texts('encryption')).to.include('new keys for end-to-end encryption')
    const { spans, node } = await trace()
    expect(node.id).to.equal('audio-1')
    expect(spans.reduce((sum, { nulled }) => sum + nulled, 0)).to.be.above(10)
    expect(await metric('audio_rejoins_total{node="audio-1",close_code="4006"}')).to.equal(1)
    expect(await metric('audio_joins_total')).to.be.at.least(1)
    const file = await fetch(`${service.demo.baseUrl}/v1/music/guilds/${guildId}/player/trace/file`, {
      headers: { authorization: `Bearer ${service.demo.keys.linked}` },
    })
    expect(file.headers.get('content-disposition')).to.include(`player-${guildId}.txt`)
    expect(await file.text())
      .to.include('the source sent nothing')
      .and.to.include('closed it with code 4006')
  })
})
