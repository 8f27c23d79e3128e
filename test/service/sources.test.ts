import { expect } from 'chai'
import { admin } from '../support/admin.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'
import { openEvents } from '../support/socket.ts'
import { startBandcamp } from '../support/upstreams/bandcamp.ts'
import { startSoundCloud } from '../support/upstreams/soundcloud.ts'
import type { StandIn } from '../support/upstreams/stand-in.ts'
import { upstreamUrls } from '../../tools/stage/upstream-addresses.ts'

describe('a service whose music source changes its pages', () => {
  const places: StandIn[] = []
  let service: RunningService
  let env: Record<string, string>
  before(async () => {
    const [soundCloud, bandcamp] = await Promise.all([startSoundCloud(), startBandcamp()])
    places.push(soundCloud, bandcamp)
    env = {
      MUSIC_SOURCES: 'soundcloud,bandcamp',
      ...upstreamUrls({ 'soundcloud-api': soundCloud.url, 'soundcloud-web': soundCloud.url, bandcamp: bandcamp.url }),
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
    }
    service = await startService({ env })
  })
  after(async () => {
    await service.stop()
    for (const place of places) await place.close()
  })

  const search = (query: string) => service.call('GET', `/v1/music/search?q=ebb&limit=1${query}`)
  const foundBy = async (query = '') => (await search(query)).body.data?.[0]?.source

  /** State of SoundCloud in the metrics and in doctor. */
  async function told() {
    const metrics = await (await fetch(`${service.demo.baseUrl}/metrics`)).text()
    const { dataDir } = service
    const { json } = await admin(['doctor', '--json'], { dataDir, env: { ...env, PATH: process.env['PATH'] ?? '' } })
    const finding = json.find(({ name }: { name: string }) => name === 'source soundcloud')
    return { metric: /^bandstand_source_up\{source="soundcloud".*$/m.exec(metrics)?.[0], finding }
  }

  it('says so in an event, its metrics and doctor, and until it answers again plays from the others', async function () {
    this.timeout(120_000)
    const events = await openEvents(service.demo.baseUrl, service.demo.keys.linked, '?events=sourceChanged')
    const last = (state: string) =>
      eventually(
        () => events.messages.at(-1),
        (message) => message?.state === state,
      )
    expect(await foundBy()).to.equal('soundcloud')
    expect((await told()).finding).to.include({ verdict: 'ok', found: 'ready' })

    const [soundCloud] = places
    soundCloud?.misbehave('HTML')
    for (let searches = 0; searches < 3; searches += 1) expect(await foundBy()).to.equal('bandcamp')
    const { botId } = service.demo
    expect(await last('changed')).to.deep.equal({
      type: 'sourceChanged',
      botId,
      source: 'soundcloud',
      state: 'changed',
    })
    const failing = await told()
    expect(failing.metric).to.equal('bandstand_source_up{source="soundcloud",state="changed"} 0')
    expect(failing.finding.verdict).to.equal('warn')
    expect(failing.finding.found).to.include('returns unreadable responses since 20')
    const asked = soundCloud?.received.length
    expect(await foundBy()).to.equal('bandcamp')
    expect(soundCloud?.received).to.have.length(asked ?? 0)
    expect((await search('&source=soundcloud')).status, 'asked by its name').to.equal(503)

    soundCloud?.misbehave(null)
    expect(await foundBy('&source=soundcloud')).to.equal('soundcloud')
    await last('ready')
    expect(await told()).to.deep.include({ metric: 'bandstand_source_up{source="soundcloud",state="ready"} 1' })
    expect((await told()).finding.verdict).to.equal('ok')
    expect(await foundBy()).to.equal('soundcloud')
    events.close()
  })
})
