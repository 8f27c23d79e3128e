import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { decodeToken } from '../../bot/tracks/track-token.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { enterVoice, getGuild } from 'bandstand-sandbox/world'
import { admin } from '../support/admin.ts'
import { closing } from '../support/closing.ts'
import { eventually, fetchJson, launchService, makeDataDir, type RunningService } from '../support/service.ts'
import { amplitude, decode } from '../support/sound.ts'
import { startBandcamp } from '../support/upstreams/bandcamp.ts'
import { makeFakeYtDlp } from '../support/upstreams/fake-ytdlp.ts'
import { startItunes, startSpotify } from '../support/upstreams/link-sites.ts'
import { startDeezer } from '../support/upstreams/song-lore.ts'
import { startSoundCloud, type SoundCloudStandIn } from '../support/upstreams/soundcloud.ts'
import type { StandIn } from '../support/upstreams/stand-in.ts'
import { freePort, serve } from '../support/web.ts'
import { ffmpegOnce } from '../support/made-once.ts'
import { upstreamUrls } from '../../tools/stage/upstream-addresses.ts'

/** Long enough that no track ends before the test skips it. */
const SONG = 'sine=frequency=440:sample_rate=48000:duration=240'
/** Address of sources without a stand-in, which must get no request outside this machine. */
const CLOSED = 'http://127.0.0.1:1'

/** An operator starts a container with nothing but a token, before its network is up; a member types a song. */
describe('a first start with a token', function () {
  this.timeout(180_000)
  const own = closing(after)
  const dataDir = makeDataDir()
  let discord: Sandbox
  let soundCloud: SoundCloudStandIn
  let bandcamp: StandIn
  let media: Awaited<ReturnType<typeof serve>>
  let service: Pick<RunningService, 'process' | 'output' | 'logged' | 'kill'>
  let port: number

  before(async () => {
    discord = await startSandbox({ port: 0, stateFile: null, limits: false, log: pino({ level: 'silent' }) })
    writeFileSync(join(dataDir, 'discord.pem'), discord.certificate)
    const file = join(dataDir, 'song.mp3')
    ffmpegOnce(['-f', 'lavfi', '-i', SONG, '-b:a', '128k'], file)
    media = own(await serve((_, response) => response.end(readFileSync(file))))
    soundCloud = own(await startSoundCloud())
    soundCloud.mediaUrl = media.url
    bandcamp = own(await startBandcamp(new URL(media.url).host))
    const [spotify, deezer, itunes] = [own(await startSpotify()), own(await startDeezer()), own(await startItunes())]
    port = await freePort()
    service = await launchService(dataDir, {
      SANDBOX: 'off',
      DISCORD_TOKEN: discord.demo.botToken,
      DISCORD_API_URL: `http://127.0.0.1:${port}/api`,
      NODE_EXTRA_CA_CERTS: join(dataDir, 'discord.pem'),
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
      MUSIC_SOURCES: '',
      ...upstreamUrls({
        'soundcloud-api': soundCloud.url,
        'soundcloud-web': soundCloud.url,
        bandcamp: bandcamp.url,
        spotify: spotify.url,
        deezer: deezer.url,
        itunes: itunes.url,
        youtube: CLOSED,
      }),
      YOUTUBE_CLIENTS: 'yt-dlp',
      YTDLP_PATH: makeFakeYtDlp(dataDir, media.url).path,
      RADIO_BROWSER_URL: CLOSED,
      LOG_LEVEL: 'info',
      RENDER_CONCURRENCY: '0',
    })
  })
  after(async () => {
    await service.kill('SIGTERM')
    await discord.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function baseUrl(): Promise<string> {
    const output = await eventually(service.output, (text) => text.includes('"service started"'))
    return JSON.parse(output.split('\n').find((text) => text.includes('"service started"')) ?? '{}').baseUrl
  }
  const readiness = async () => (await fetchJson(`${await baseUrl()}/readyz`, 'GET', undefined, {})).body

  async function play(query: string, locale: string): Promise<string> {
    const { guildId, textChannelId: channelId, memberIds } = discord.demo
    const url = `${discord.url}/sandbox/guilds/${guildId}/interactions/command`
    const [userId] = memberIds
    const body = { userId, channelId, command: 'play', options: { query }, waitMs: 30_000, locale }
    // On a busy machine the bot may be later than Discord waits.
    const answer = await eventually(
      () => fetchJson(url, 'POST', body, {}),
      ({ status }) => status < 300,
      60_000,
    )
    return JSON.stringify(answer.body)
  }

  it('runs without its bot while Discord is away, says so, and registers it as soon as Discord answers', async () => {
    const waiting = await readiness()
    const part = waiting.parts.find(({ name }: { name: string }) => name === 'registration')
    expect(part.state).to.equal('degraded')
    expect(part.note).to.match(/^DISCORD_TOKEN: Discord .* is unreachable/)
    await service.logged('"DISCORD_TOKEN check failed, retrying"')
    await service.logged('"soundcloud":"ready"')
    await service.logged('"spotify":"ready"')
    await eventually(service.output, (text) => /SoundCloud +ready\n/.test(text))

    const { host } = new URL(discord.url)
    const door = createHttpServer((asked, answer) => {
      const { method, headers } = asked
      const to = request(discord.url + asked.url, { method, headers: { ...headers, host } }, (got) => {
        got.pipe(answer.writeHead(got.statusCode ?? 500, got.headers))
      })
      asked.pipe(to)
    }).listen(port, '127.0.0.1')
    own({ close: () => door.closeAllConnections() })
    own({ close: () => void door.close() })
    await once(door, 'listening')
    await eventually(service.output, (text) => text.includes('"bot connected"'), 40_000)
    await service.logged('"bot registered from DISCORD_TOKEN"')
    const { parts } = await readiness()
    expect(parts.some(({ name }: { name: string }) => name === 'registration')).to.equal(false)

    const { guildId, voiceChannelId: channelId, memberIds, applicationId } = discord.demo
    const application = discord.world.applications.get(applicationId)
    await eventually(
      () => application?.commands.size ?? 0,
      (size) => size > 0,
    )
    const [userId = ''] = memberIds
    enterVoice(discord.world, getGuild(discord.world, guildId), { userId, channelId, sessionId: 'a session' })
    expect(await play('ebb and flow', 'en-US')).to.include('Ebb & Flow 1')
    const sound = `${discord.url}/sandbox/guilds/${guildId}/channels/${channelId}/listen.ogg`
    await eventually(
      async () => amplitude((await decode(sound, 2)).left, 440),
      (level) => level > 0.01,
      30_000,
    )
  })

  it('plays links of every site that is on by default', async () => {
    const { guildId, applicationId } = discord.demo
    const options = { dataDir, env: { SANDBOX: 'off' } }
    const [bot] = (await admin(['bot', 'list', '--json'], options)).json
    const key = ['key', 'create', '--project', bot.projectId, '--bot', applicationId, '--name', 'test', '--json']
    const headers = { authorization: `Bearer ${(await admin(key, options)).json.key}` }
    const player = `${await baseUrl()}/v1/music/guilds/${guildId}`
    const links = {
      soundcloud: `${soundCloud.url}/quay/ebb-5`,
      bandcamp: `${bandcamp.url}/track/salt`,
      youtube: 'https://www.youtube.com/watch?v=-cccccccccc',
      spotify: `https://open.spotify.com/track/${'a'.repeat(22)}`,
      deezer: 'https://www.deezer.com/track/1',
      applemusic: 'https://music.apple.com/us/album/tides/2?i=3',
      http: `${media.url}/a-station`,
    }
    for (const [sourceName, query] of Object.entries(links)) {
      const played = await fetchJson(`${player}/play`, 'POST', { query }, headers)
      expect(played.status, JSON.stringify(played.body)).to.equal(200)
      const skipped = await fetchJson(`${player}/skip`, 'POST', undefined, headers)
      expect(skipped.status, JSON.stringify(skipped.body)).to.equal(200)
      const sounds = (it: any) =>
        it?.current && decodeToken(it.current.encoded).sourceName === sourceName && it.positionMs > 500
      await eventually(async () => (await fetchJson(`${player}/player`, 'GET', undefined, headers)).body.data, sounds)
    }
  })

  it('tells members in their language why something is not played', async () => {
    expect(await play(`${soundCloud.url}/quay/ebb-3`, 'de')).to.include('SoundCloud: Das ist im Land des Bots')
    expect(await play(`${soundCloud.url}/quay/none`, 'en-US')).to.include('SoundCloud: This link has nothing to play')
    expect(await play('http://10.0.0.1/song.mp3', 'en-US')).to.include('private or local links')
    expect(await play(`${CLOSED}/song.mp3`, 'de')).to.include('nicht erreichbar')
  })
})
