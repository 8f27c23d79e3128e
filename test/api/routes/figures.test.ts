import { expect } from 'chai'
import sharp from 'sharp'
import { prefixOf } from '../../../jobs/queue/store-id.ts'
import { renders } from '../../../jobs/queue/job-types.ts'
import { POSE_SPECS, type Pose } from '../../../packages/figures/model/poses.ts'
import type { Worker } from '../../../jobs/worker/job-consumer.ts'
import { somebody, startJobsApi, type JobsApi } from '../../support/jobs-api.ts'
import { hasRedis } from '../../support/redis.ts'

describe('figures over HTTP, from the request to the picture', () => {
  let at: JobsApi
  let worker: Worker
  before(async function () {
    if (!hasRedis()) this.skip()
    at = await startJobsApi()
    at.world.player = { ...somebody, skin: null, cape: null }
    worker = at.bench.worker({ prefix: prefixOf('test', at.bench.results), jobs: renders, browser: null })
  })
  after(async () => {
    await worker?.close(0)
    await at?.close()
  })

  const figure = async (query: string) => {
    at.api.clock.nowMs += 60_000
    const { status, body } = await at.render(query)
    expect(status, JSON.stringify(body)).to.equal(202)
    const { data } = (await at.get(`/${body.data.jobId}/wait`)).body
    expect(data.status, JSON.stringify(data.error)).to.equal('completed')
    const response = await at.raw(`/v1/jobs/${body.data.jobId}/result`)
    const bytes = Buffer.from(await response.arrayBuffer())
    return { data, bytes, etag: response.headers.get('etag') }
  }

  it('comes in each of the nine poses, at the size that is told, clear around the figure', async () => {
    for (const [pose, { width, height }] of Object.entries(POSE_SPECS)) {
      const { data, bytes } = await figure(`Some_Player?render=${pose}`)
      expect(data.result).to.deep.include({ contentType: 'image/png', width, height, bytes: bytes.length })
      const { data: rgba, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
      expect([info.width, info.height, info.channels], pose).to.deep.equal([width, height, 4])
      const alpha = (x: number, y: number) => rgba[(y * width + x) * 4 + 3]
      expect([alpha(0, 0), alpha(width - 1, 0), alpha(0, height - 1)], pose).to.deep.equal([0, 0, 0])
      expect(alpha(Math.floor(width / 2), Math.floor(height / 2)), pose).to.equal(255)
    }
  })

  it('waves at scale 1 by default, and is the same picture under the same tag whenever it is asked for', async () => {
    const first = await figure('Some_Player')
    const pose: Pose = 'wave'
    expect(first.data.result).to.deep.include({ width: POSE_SPECS[pose].width, height: POSE_SPECS[pose].height })
    // Another label, so that it is another job.
    at.world.player = { ...at.world.player, name: 'Another_One' }
    const again = await figure('Another_One?render=wave&scale=1')
    expect(again.data.jobId).to.not.equal(first.data.jobId)
    expect([again.bytes.equals(first.bytes), again.etag]).to.deep.equal([true, first.etag])
    const large = await figure('Some_Player?scale=4')
    expect(large.data.result.width).to.equal(4 * first.data.result.width)
  })
})
