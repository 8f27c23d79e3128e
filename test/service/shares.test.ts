import { assert } from 'chai'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '../support/admin.ts'
import { makeAudio } from '../support/audio-files.ts'
import { temporaryFolder } from '../support/database.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'
import { serve, type Listening } from '../support/web.ts'

const HANGING =
  '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>HANG</title></playlist>'

/** Two projects on one service; what the first one does must not cost the second one anything. */
describe('the share of a project', () => {
  let service: RunningService
  let web: Listening
  let other: string
  let otherGuild: { id: string; channelId: string }
  let requests: string[] = []
  const folder = temporaryFolder()

  const answer = (path: string, response: ServerResponse): void => {
    if (path.startsWith('/silent')) return
    if (path.startsWith('/hang')) response.end(HANGING)
    else if (path.startsWith('/bomb')) {
      const entries = Array.from({ length: 100 }, (_, i) => `${path}/${i}.m3u`)
      response.end(`#EXTM3U\n${entries.join('\n')}\n`)
    } else if (path.startsWith('/loop')) response.end('#EXTM3U\nloop.m3u\nloop.m3u?other\n')
    else if (path.startsWith('/album')) {
      response.end(`#EXTM3U\n${Array.from({ length: 60 }, (_, i) => `/hop/2/song.mp3?${i}`).join('\n')}\n`)
    } else if (path.startsWith('/hop/')) {
      const [, , left, name] = path.split('/')
      response.writeHead(302, { location: left === '0' ? `/${name}` : `/hop/${Number(left) - 1}/${name}` }).end()
    } else response.end(readFileSync(join(folder.path, 'song.mp3')))
  }
  const play = (path: string, timeoutMs = 30_000) => {
    const { guildId, voiceChannelId } = service.demo
    const body = { query: web.url + path, channelId: voiceChannelId }
    return Promise.race([
      service.call('POST', `/v1/music/guilds/${guildId}/play`, { body }),
      sleep(timeoutMs).then(() => assert.fail(`No answer within ${timeoutMs} ms.`)),
    ])
  }
  const playOfOther = (path: string) => {
    const body = { query: web.url + path, channelId: otherGuild.channelId }
    return service.call('POST', `/v1/music/guilds/${otherGuild.id}/play`, { body, key: other })
  }

  before(async () => {
    makeAudio(join(folder.path, 'song.mp3'), { seconds: 5 })
    web = await serve(({ url = '' }, response) => {
      requests.push(url)
      answer(url, response)
    })
    const preload = join(import.meta.dirname, '..', 'support', 'hang-on-word.ts')
    const env = { EGRESS_ALLOW_HOSTS: `127.0.0.1:${web.port}`, NODE_OPTIONS: `--import=${preload}` }
    service = await startService({ env })
    const { body: second } = await service.sandbox('POST', '/sandbox/applications', { name: 'Second' })
    const { body: guild } = await service.sandbox('POST', '/sandbox/guilds', { name: 'B', applications: [second.id] })
    otherGuild = { id: guild.id, channelId: guild.channels.find((it: any) => it.type === 'voice').id }
    const { dataDir } = service
    const project = (await admin(['project', 'create', 'Other', '--plan', 'standard', '--json'], { dataDir })).json.id
    const options = { dataDir, stdin: second.token }
    const bot = (await admin(['bot', 'add', '--project', project, '--json'], options)).json.id
    other = (await admin(['key', 'create', '--project', project, '--bot', bot, '--json'], { dataDir })).json.key
    await eventually(
      () => service.call('GET', `/v1/music/guilds/${otherGuild.id}/player`, { key: other }),
      ({ status }) => status === 404,
    )
  })
  beforeEach(() => {
    requests = []
  })
  after(async () => {
    await service.stop()
    await web.close()
    folder.remove()
  })

  it('answers 503 for its own plays beyond 200 of a silent host, while a play of another project works', async () => {
    const silent = Array.from({ length: 210 }, (_, i) => play(`/silent/${i}`))
    const refused = await Promise.race(silent)
    assert.equal(refused.status, 503)
    assert.match(refused.body.error.message, /^Too many concurrent plays and searches in your project\./)
    assert.isNull(refused.headers.get('retry-after'))
    assert.isAbove(refused.body.error.retryAfterMs, 0)
    const allGone = Promise.all(silent).then(() => null)
    const played = await Promise.race([playOfOther('/song.mp3'), allGone])
    assert.equal(played?.status, 200, 'before those that wait are done')
    for (const { status } of await Promise.all(silent)) assert.equal(status, 503)
  })

  it('sends at most 40 requests for a playlist of playlists, and says that there are too many addresses', async () => {
    const { status, body } = await play('/bomb')
    assert.equal(status, 422)
    assert.match(body.error.details[0].message, /leads to too many others/)
    assert.isAtMost(requests.length, 40)
    assert.isAbove(requests.length, 20)
  })

  it('reads a playlist that leads back to itself once', async () => {
    const { status, body } = await play('/loop.m3u')
    assert.deepEqual([status, body.error.details[0].field], [422, 'body.query'])
    assert.deepEqual(requests, ['/loop.m3u', '/loop.m3u?other'])
  })

  it('queues all tracks of a playlist whose redirects use up the requests', async () => {
    const { status, body } = await play('/album.m3u')
    assert.deepEqual([status, body.data.added], [200, 60])
    // The current track is requested again, so only distinct requests count.
    assert.isAtMost(new Set(requests).size, 40)
  })

  // Each attempt hangs the reader with a link of its own, since the previous one stays refused.
  let attempts = 0

  it('gets its reader back within seconds though the caller of the link that hung it left', async () => {
    attempts++
    const link = `/hang.xspf?${attempts}`
    await play('/song.mp3?warm')
    const hanging = play(link)
    const readiness = await eventually(
      async () => (await service.call('GET', '/readyz')).body,
      ({ parts }) => parts.some(({ name, state }: any) => name === 'reader' && state === 'degraded'),
    )
    assert.equal(readiness.status, 'degraded')
    const late = await play('/song.mp3?meanwhile', 9000)
    assert.equal(late.status, 200)
    assert.equal((await hanging).status, 422)
    const startedAtMs = performance.now()
    const again = await play(link)
    assert.isBelow(performance.now() - startedAtMs, 3000)
    assert.deepEqual([again.status, again.body.error.details[0].field], [422, 'body.query'])
    await service.logged('"reader thread replaced"')
    const metrics = await eventually(
      async () => (await fetch(`${service.demo.baseUrl}/metrics`)).text(),
      (text) => text.includes('bandstand_worker_up{worker="reader"} 1'),
    )
    for (const [metric, value] of Object.entries({ up: 1, quarantined: attempts, restarts_total: attempts })) {
      assert.match(metrics, new RegExp(`^bandstand_worker_${metric}\\{worker="reader"\\} ${value}$`, 'm'))
    }
  })
})
