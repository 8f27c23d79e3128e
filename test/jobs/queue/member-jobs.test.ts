import { expect } from 'chai'
import { Readable } from 'node:stream'
import type { FigureOrder, Jobs } from '../../../jobs/queue/job-service.ts'
import type { JobRecord } from '../../../jobs/queue/job-record.ts'
import { createRenders } from '../../../jobs/queue/member-jobs.ts'
import type { BlockPlayer } from '../../../upstream/blockgame/players.ts'
import { faultOf } from '../../support/web.ts'

const picture = { sha256: '0'.repeat(64), contentType: 'image/png', bytes: 9, width: 1, height: 1 }
const done: Pick<JobRecord, 'result' | 'error'> = { result: picture, error: null }
const jane: BlockPlayer = {
  id: '1',
  name: 'Jane',
  platform: 'java',
  xuid: null,
  skin: { url: 'https://textures.test/a', hash: 'a', model: 'slim' },
  cape: { url: 'https://textures.test/c', hash: 'c' },
  defaultSkin: 'alex',
}
const failed = (code: string) => async () => ({ result: null, error: { code, message: 'No.' } }) as typeof done
const wish = { projectId: 'p1', guildId: 'g1', player: jane, pose: 'sit' } as const
const page = { projectId: 'p1', guildId: 'g1', url: 'https://example.org', device: 'mobile', fullpage: true } as const

describe('renders for members', () => {
  let orders: FigureOrder[]
  let end: () => Promise<Pick<JobRecord, 'result' | 'error'> | null>
  const jobs = {
    figure: async (_project: string, order: FigureOrder) => (orders.push(order), { id: 'job_1' }),
    screenshot: async () => ({ id: 'job_2' }),
    wait: () => end(),
    open: async () => Readable.from([Buffer.from('a pic'), Buffer.from('ture')]),
  } as unknown as Jobs
  beforeEach(() => {
    orders = []
    end = async () => done
  })

  it('hand over the bytes of what was queued for the project, as the player is dressed', async () => {
    const renders = createRenders(jobs)
    expect(Buffer.from(await renders.figure(wish)).toString()).to.equal('a picture')
    expect(Buffer.from(await renders.screenshot(page)).toString()).to.equal('a picture')
    await renders.figure({ ...wish, player: { ...jane, skin: null, cape: null } })
    const common = { render: 'sit', scale: 2 }
    expect(orders).to.deep.equal([
      {
        name: 'Jane',
        named: {},
        request: { ...common, skin: { url: jane.skin?.url }, model: 'slim', capeUrl: jane.cape?.url },
      },
      { name: 'Jane', named: {}, request: { ...common, skin: { byDefault: 'alex' }, model: null, capeUrl: null } },
    ])
  })

  it('fail as the job did, when it is not over in time, and when no message could hold it', async () => {
    const renders = createRenders(jobs)
    const codeOf = async (ending: typeof end) => {
      end = ending
      return (await faultOf(renders.screenshot(page))).code
    }
    expect(await codeOf(failed('upstream_failed'))).to.equal('upstream_failed')
    expect(await codeOf(failed('internal_error'))).to.equal('service_unavailable')
    expect(await codeOf(async () => ({ result: null, error: null }))).to.equal('timed_out')
    expect(await codeOf(async () => ({ ...done, result: { ...picture, bytes: 11 * 1024 * 1024 } }))).to.equal(
      'conflict',
    )
  })

  it('are three at a time for a guild, whichever of its members asks, and free again however they end', async () => {
    const renders = createRenders(jobs)
    const { promise, resolve } = Promise.withResolvers<typeof done>()
    end = () => promise
    const first = [1, 2, 3].map(() => renders.figure(wish))
    expect((await faultOf(renders.screenshot(page))).code).to.equal('rate_limited')
    const elsewhere = renders.figure({ ...wish, guildId: 'g2' })
    resolve(done)
    await Promise.all([...first, elsewhere])
    end = async () => null
    for (let i = 0; i < 4; i++) expect((await faultOf(renders.figure(wish))).code).to.equal('timed_out')
  })
})
