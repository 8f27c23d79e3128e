import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../support/database.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'
import { guid, JELLYFIN_KEY, startJellyfin, type JellyfinStandIn } from '../support/upstreams/jellyfin.ts'
import { amplitude, decode, slice } from '../support/sound.ts'
import { startSubsonic, SUBSONIC_PASSWORD, type SubsonicStandIn } from '../support/upstreams/subsonic.ts'
import { ffmpegOnce } from '../support/made-once.ts'

const SECONDS = 40
/** Each half of a song has a tone of its own, so that a position can be heard. */
const [FIRST_HZ, LATER_HZ] = [600, 1700]

/** Covers the path from `POST play` to the sound that a member hears. */
describe('the songs of a Subsonic and of a Jellyfin server in a call', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let server: SubsonicStandIn
  let jellyfin: JellyfinStandIn
  let service: RunningService

  before(async () => {
    const path = join(folder.path, 'song.mp3')
    const half = SECONDS / 2
    const sound = `aevalsrc=0.2*sin(2*PI*t*if(lt(t\\,${half})\\,${FIRST_HZ}\\,${LATER_HZ})):s=48000:d=${SECONDS}`
    ffmpegOnce(['-f', 'lavfi', '-i', sound, '-ac', '2'], path)
    const bytes = readFileSync(path)
    const encodedFrom = (seconds: number) => {
      const coder = ['-ss', String(seconds), '-i', path, '-b:a', '96k', '-f', 'mp3', 'pipe:1']
      return execFileSync('ffmpeg', ['-v', 'error', ...coder], { maxBuffer: 16 * 1024 * 1024 })
    }
    const song = { artist: 'The Quays', seconds: SECONDS, suffix: 'mp3', bytes }
    server = await startSubsonic([
      { ...song, id: 's-1', title: 'Low Tide' },
      { ...song, id: 's-2', title: 'High Tide', encodedFrom },
    ])
    jellyfin = await startJellyfin([
      { id: guid(1), name: 'Ebb and Flow', artist: 'The Quays', seconds: SECONDS, container: 'mp3', bytes },
    ])
    const env = { MUSIC_SOURCES: 'library,http,subsonic,jellyfin', PLAYER_ALONE_SECONDS: '600', LOG_LEVEL: 'trace' }
    service = await startService({ env: { ...env, ...server.env, ...jellyfin.env } })
  })
  after(async () => {
    await service?.stop()
    await server?.close()
    await jellyfin?.close()
    folder.remove()
  })

  const music = (method: string, path: string, body?: unknown) =>
    service.call(method, `/v1/music/guilds/${service.demo.guildId}${path}`, { body })
  const play = (query: string) => music('POST', '/play', { query, channelId: service.demo.voiceChannelId })
  const streams = (title: string) => {
    const { received } = title === 'ebb and flow' ? jellyfin : server
    return received.filter(({ path }) => /\/stream(?:\.view)?$/.test(path))
  }

  /** Levels of both tones, once the player is past a position. */
  async function hear(afterMs: number): Promise<readonly [first: number, later: number]> {
    await eventually(
      async () => (await music('GET', '/player')).body.data.positionMs,
      (at) => at > afterMs,
      20_000,
    )
    const { sandboxUrl, guildId, voiceChannelId } = service.demo
    const heard = await decode(`${sandboxUrl}/sandbox/guilds/${guildId}/channels/${voiceChannelId}/listen.ogg`, 1.5)
    const { left } = slice(heard, 0.4, heard.seconds)
    return [amplitude(left, FIRST_HZ), amplitude(left, LATER_HZ)]
  }

  for (const [title, is] of [
    ['low tide', 'as its file, by ranges'],
    ['high tide', 'while the server encodes it, from a later second'],
    ['ebb and flow', 'of Jellyfin, by ranges'],
  ] as const) {
    it(`sound from the start and from where they are sought: ${is}`, async () => {
      const asked = streams(title).length
      const { status, body } = await play(title)
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.data.track).to.include({ author: 'The Quays', lengthMs: SECONDS * 1000, uri: null })
      expect(body.data.track.artworkUrl).to.match(new RegExp(`^${service.demo.baseUrl}/covers/[\\w-]+$`))
      const start = await hear(700)
      expect(start[0]).to.be.above(0.05)
      expect(start[1]).to.be.below(0.005)
      expect((await music('PATCH', '/player', { positionMs: 25_500 })).status).to.equal(200)
      const sought = await hear(26_000)
      expect(sought[0]).to.be.below(0.005)
      expect(sought[1]).to.be.above(0.05)
      const offsets = streams(title)
        .slice(asked)
        .map(({ query }) => query.get('timeOffset'))
      if (title === 'high tide') expect(offsets).to.include('25')
      else expect(offsets.every((offset) => offset === null)).to.equal(true)
      expect(streams(title)[asked]?.headers.range).to.equal('bytes=0-')
      await music('DELETE', '/player')
    })
  }

  it('are all that callers reach of the server, and its credentials show nowhere', async () => {
    for (const url of [`${server.url}/rest/ping.view`, `${server.url}/song.mp3`]) {
      const refused = await play(url)
      expect(refused.status).to.equal(422)
      expect(refused.body.error.message).to.include('public address')
    }
    const found = await service.call('GET', '/v1/music/search?q=tide')
    expect(found.body.data.map(({ source }: { source: string }) => source)).to.deep.equal(['subsonic', 'subsonic'])
    await play('low tide')
    const answers = [found.body, (await music('GET', '/player')).body, (await music('GET', '/player/trace')).body]
    const tokens = found.body.data.map(({ encoded }: { encoded: string }) =>
      Buffer.from(encoded, 'base64').toString('latin1'),
    )
    const shown = JSON.stringify(answers) + tokens.join('') + service.output()
    const secrets = server.received.flatMap(({ query }) => [query.get('t') ?? '', query.get('s') ?? ''])
    expect(secrets.filter((secret) => secret !== '').length).to.be.above(10)
    for (const secret of [SUBSONIC_PASSWORD, JELLYFIN_KEY, ...secrets])
      if (secret !== '') expect(shown).not.to.include(secret)
    await music('DELETE', '/player')
  })
})
