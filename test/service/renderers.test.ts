import { expect } from 'chai'
import type { Machine } from '../support/machine.ts'
import { startMachines, type Machines, type ServiceMachine } from '../support/machines.ts'
import { hasPostgres } from '../support/postgres.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually } from '../support/service.ts'
import { serveSkins } from '../support/skins.ts'
import type { Listening } from '../support/web.ts'

/** Renderers on machines of their own, which meet two services in Redis and their pictures in a bucket. */
describe('three renderers of two services', function () {
  let at: Machines
  let a: ServiceMachine
  let b: ServiceMachine
  let skins: Listening
  let workers: readonly Machine[]
  let key: string
  before(async function () {
    if (!hasRedis() || !hasPostgres()) this.skip()
    skins = await serveSkins()
    const env = { EGRESS_ALLOW_HOSTS: `127.0.0.1:${skins.port}`, CHROMIUM_PATH: 'none', RENDER_CONCURRENCY: '1' }
    at = await startMachines({ plan: 'scale', hasBots: false, env })
    ;({ a, b } = at)
    workers = await Promise.all(['one', 'two', 'three'].map((name) => at.worker(name)))
    ;({ key } = await at.newKey(a))
  })
  after(async () => {
    await at?.close()
    await skins?.close()
  })

  async function render(service: ServiceMachine, name: string): Promise<string> {
    const skinUrl = encodeURIComponent(`${skins.url}/${name}.png`)
    const { status, body } = await service.call(key, 'GET', `/v1/blockgame/render/${name}?skinUrl=${skinUrl}`)
    expect(status, JSON.stringify(body)).to.equal(202)
    return body.data.jobId
  }
  async function wait(service: ServiceMachine, id: string) {
    const { body } = await service.call(key, 'GET', `/v1/jobs/${id}/wait?timeout=30`)
    return body.data
  }
  async function picture(service: ServiceMachine, id: string) {
    const response = await fetch(`${service.baseUrl}/v1/jobs/${id}/result`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const other = (service: ServiceMachine) => (service === a ? b : a)

  it('share the jobs of both, whose pictures both hand out', async () => {
    const asked = await Promise.all(
      Array.from({ length: 18 }, async (_, i) => {
        const service = i % 2 ? a : b
        return { service, id: await render(service, `figure${i}`) }
      }),
    )
    for (const { service, id } of asked) {
      const { status, error } = await wait(other(service), id)
      expect([status, error]).to.deep.equal(['completed', null])
      const [here, there] = await Promise.all([picture(service, id), picture(other(service), id)])
      expect(here.bytes.subarray(1, 4).toString()).to.equal('PNG')
      expect(here.bytes.equals(there.bytes)).to.equal(true)
    }
    // A line of the log may come a moment after what it tells of.
    const done = await eventually(
      async () => workers.map((worker) => worker.output().split('"job completed"').length - 1),
      (counts) => counts.reduce((sum, one) => sum + one, 0) >= 18,
    )
    expect(Math.min(...done), 'jobs that each of them did').to.be.above(0)
    expect(done.reduce((sum, one) => sum + one, 0)).to.equal(18)
    const [ofA, ofB] = await Promise.all([a, b].map((service) => service.call(key, 'GET', '/v1/jobs?limit=50')))
    expect(ofA?.body.data.map(({ jobId }: { jobId: string }) => jobId)).to.have.members(asked.map(({ id }) => id))
    expect(ofB?.body.data).to.have.lengthOf(18)
  })

  it('wait for a store that is away, and lose no picture', async () => {
    const before = await render(a, 'before')
    expect((await wait(a, before)).status).to.equal('completed')
    await at.store.kill()
    const ids = await Promise.all([render(a, 'away-a'), render(b, 'away-b')])
    await eventually(
      async () => (await a.call(key, 'GET', `/v1/jobs/${ids[0]}`)).body.data.status,
      (status) => status === 'processing',
    )
    expect((await picture(a, before)).status).to.equal(503)
    await at.store.start()
    for (const id of ids) expect((await wait(b, id)).status).to.equal('completed')
    for (const id of [before, ...ids]) expect((await picture(b, id)).status).to.equal(200)
  })

  it('leave what they are at to the others when one of them is told to stop', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, i) => render(i % 2 ? a : b, `leaving${i}`)))
    // Not by the last resort, which ends a worker that something keeps alive with 1.
    expect(await workers[0]?.kill('SIGTERM')).to.equal(0)
    for (const id of ids) expect((await wait(a, id)).status).to.equal('completed')
  })
})
