import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { DEMO_TRACKS } from '../../service/demo/demo-tracks.ts'
import { launchBrowser, openTab } from '../support/browser.ts'
import { eventually, startService, type Demo, type RunningService } from '../support/service.ts'
import { amplitude, decibels, decode, heardAtBest, longestSilenceMs, slice, type Sound } from '../support/sound.ts'

const run = promisify(execFile)

/** Asserts that the sound has the tones of the file at its level, each on its side, and no gap. */
function assertSame(heard: Sound, file: Sound, { leftHz, rightHz }: (typeof DEMO_TRACKS)[number]): void {
  for (const [side, own, other] of [
    ['left', leftHz, rightHz],
    ['right', rightHz, leftHz],
  ] as const) {
    const level = amplitude(heard[side], own)
    expect(Math.abs(decibels(level, amplitude(file[side], own))), side).to.be.below(1)
    expect(decibels(level, amplitude(heard[side], other)), side).to.be.above(6)
  }
  expect(longestSilenceMs(heard)).to.be.below(40)
}

/** Steps of a newcomer with the output of `npm start`. */
describe('the sandbox as a newcomer meets it', () => {
  let service: RunningService
  before(async () => {
    service = await startService({ hasRenderer: true, hasTracks: false })
  })
  after(() => service.stop())

  const guild = () => `/v1/music/guilds/${service.demo.guildId}`
  const listenUrl = (channelId = service.demo.voiceChannelId) =>
    `${service.demo.sandboxUrl}/sandbox/guilds/${service.demo.guildId}/channels/${channelId}/listen.ogg`

  it('is heard in the browser after three actions: the page that is printed first, Try, and Listen', async () => {
    const url = await eventually(
      () => /http:\/\/\S+/.exec(service.output().split('Bandstand is ready').at(1) ?? '')?.[0] ?? '',
      (found) => found !== '',
    )
    const browser = await launchBrowser()
    try {
      const { page, complaints } = await openTab(browser, { viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
      await page.goto(url)
      const { queries } = service.demo
      await eventually(
        () => service.call('GET', `/v1/music/search?q=${encodeURIComponent(queries.at(-1) ?? '')}`),
        ({ body }) => body.data?.length === 1,
      )
      // A first look without a fault.
      expect(await page.locator('.tab .count').count()).to.equal(0)
      await page.getByRole('button', { name: '/library album Seaside Concert' }).click()
      await page.getByRole('button', { name: 'Listen', exact: true }).click()
      const { body } = await eventually(
        () => service.call('GET', `${guild()}/player`),
        ({ body }) => body.data?.loop === 'queue',
      )
      expect([body.data.current, ...body.data.queue].map(({ title }: { title: string }) => title)).to.deep.equal(
        DEMO_TRACKS.map(({ title }) => title),
      )
      expect(body.data.current.artworkUrl).to.be.a('string')
      // However long a busy machine takes, the track continues.
      await service.call('PATCH', `${guild()}/player`, { body: { loop: 'track' } })
      await page.locator('.listen-line', { hasText: 'Audio from The Pier' }).waitFor()
      // The browser has decoded it: its meter moves.
      await page.locator('[role=meter]:not([aria-valuenow="0"])').waitFor()
      await page.getByText('End-to-end encrypted').waitFor()
      const { leftHz, rightHz } = DEMO_TRACKS[0]!
      await heardAtBest(async () => {
        const heard = await decode(listenUrl(), 2)
        expect(amplitude(heard.left, leftHz)).to.be.above(amplitude(heard.left, rightHz))
        expect(amplitude(heard.right, rightHz)).to.be.above(amplitude(heard.right, leftHz))
      })
      for (const name of ['/queue', 'Aiko asks: /skip', '/filter nightcore']) {
        await page.getByRole('button', { name, exact: true }).click()
      }
      // Another member votes, and the vote passes.
      await page.getByText('2 of 2').waitFor()
      expect(await page.getByText('Nothing is playing').count()).to.equal(0)
      await page.getByRole('button', { name: 'Stop', exact: true }).first().click()
      await page.getByText('Press Listen to hear').waitFor()
      expect(await page.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).to.equal(
        service.demo.dashboardUrl,
      )
      expect(complaints).to.deep.equal([])
    } finally {
      await browser.close()
    }
    // The next test begins with silence.
    await service.call('DELETE', `${guild()}/player`)
  })

  it('plays a demo track when the three printed lines are pasted, and the channel hears it as it is in the file', async function () {
    const printed = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('curl '))
    const lines = await eventually(printed, ({ length }) => length === 3)
    const answers = []
    for (const line of lines) answers.push(JSON.parse((await run('bash', ['-c', line])).stdout))
    const [found, played, player] = answers
    expect(found.data).to.have.length(1)
    expect(played.data).to.include({ position: 0, added: 1 })
    expect(player.data.current.title).to.equal(found.data[0].title)

    const track = DEMO_TRACKS.find(({ title }) => title === played.data.track.title)!
    await eventually(
      async () => (await service.call('GET', `${guild()}/player`)).body.data.positionMs,
      (ms) => ms > 1500,
    )
    const file = slice(await decode(join(service.dataDir, 'demo', track.file)), 3, 8)
    await heardAtBest(async () => {
      const heard = await decode(listenUrl(), 5)
      // The first moments of a listener are the page headers and the pre-roll.
      assertSame(slice(heard, 0.2, heard.seconds), file, track)
    })
  })

  it('finds exactly one demo track by each of its queries', async () => {
    expect(service.demo.queries.length).to.be.at.least(4)
    for (const query of service.demo.queries) {
      const { body } = await service.call('GET', `/v1/music/search?q=${encodeURIComponent(query)}`)
      expect(body.data, query).to.have.length(1)
    }
  })

  it('refuses music to the key without a bot and serves it everything else', async () => {
    const { unlinked } = service.demo.keys
    const refused = await service.call('GET', `${guild()}/player`, { key: unlinked })
    expect([refused.status, refused.body.error.code]).to.deep.equal([403, 'forbidden'])
    const encoded = await service.call('GET', '/v1/tools/binary/encode?text=A', { key: unlinked })
    expect(encoded.body).to.deep.equal({ error: false, data: { text: '01000001', error: '' } })
    expect(encoded.headers.get('x-ratelimit-plan')).to.equal('scale')
  })

  it('keeps what it tells about the demo from other users of the machine', () => {
    expect(statSync(join(service.dataDir, 'demo.json')).mode & 0o777).to.equal(0o600)
  })

  describe('and starts again after kill -9 in the middle of a track, beside a program that has the port', () => {
    const taken = createServer()
    let port: string
    let first: Demo
    before(async () => {
      first = service.demo
      const [query] = first.queries
      await service.call('POST', `${guild()}/play`, { body: { query, channelId: first.voiceChannelId } })
      await service.kill('SIGKILL')
      await once(taken.listen(0, '127.0.0.1'), 'listening')
      port = String((taken.address() as AddressInfo).port)
      service = await startService({ dataDir: service.dataDir, env: { SANDBOX_PORT: port } })
    })
    after(() => taken.close())

    it('takes up the same project, bot and keys', async () => {
      const { baseUrl: _first, sandboxUrl: _firstSandbox, dashboardUrl: _firstEntry, ...before } = first
      const { baseUrl: _second, sandboxUrl: _secondSandbox, dashboardUrl: _secondEntry, ...now } = service.demo
      expect(now).to.deep.equal(before)
      expect((await service.call('GET', '/v1/music/players', { key: first.keys.linked })).status).to.equal(200)
    })

    it('takes another port for the sandbox, and says which setting to change for the API', async () => {
      expect(new URL(service.demo.sandboxUrl).port).not.to.equal(port)
      const refusal = await startService({ env: { PORT: port } }).catch((error: Error) => error.message)
      expect(refusal).to.match(/is in use by .+\. Stop it, or set PORT to a free port\./)
    })
  })
})
