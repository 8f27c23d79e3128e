import { expect } from 'chai'
import { openKeptBodies, type OpenBodyLog } from '../../../db/requests/kept-bodies.ts'
import { createLoggedRequests } from '../../../db/requests/logged-requests.ts'
import { createLog } from '../../../lib/log.ts'
import { BODIES_KEPT_MS, withoutSecrets } from '../../../lib/request-log/kept-bodies.ts'
import { firstIdAt } from '../../../lib/request-log/request-log.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const KEPT = withoutSecrets('a=1', '{"b":"\\u0000"}', '{}')

describeOnEachEngine('The bodies of requests', (opened) => {
  let nowMs: number
  let bodies: OpenBodyLog
  beforeEach(async () => {
    nowMs = NOW
    bodies = openKeptBodies(opened.store, { log: createLog('silent'), now: () => nowMs })
    for (const projectId of ['first', 'second']) await bodies.keepUntil(projectId, NOW + BODIES_KEPT_MS)
  })
  afterEach(() => bodies.close())

  async function add(projectId: string, count: number) {
    const made = Array.from({ length: count }, (_, i) =>
      loggedRequest({
        id: firstIdAt(NOW + i) + (projectId === 'first' ? 1 : 2),
        projectId,
        requestId: `r${i}`,
        bodies: JSON.stringify(KEPT),
      }),
    )
    await createLoggedRequests(opened.store).add(made)
    return made
  }

  it('come back as they were, to their own project, while they are not too old', async () => {
    const [one = loggedRequest()] = await add('first', 1)
    expect(await bodies.find(one)).to.deep.equal(KEPT)
    expect(await bodies.find({ ...one, projectId: 'second' })).to.equal(null)
    expect(await bodies.find({ ...one, requestId: 'other' })).to.equal(null)
    nowMs += BODIES_KEPT_MS + 1
    expect(await bodies.find(one)).to.equal(null)
  })

  it('are gone for the project that ends it alone, those too that are written a moment later', async () => {
    const [second = loggedRequest()] = await add('second', 1)
    await bodies.keepUntil('first', null)
    const [late = loggedRequest()] = await add('first', 1)
    expect(await bodies.find(late)).to.equal(null)
    await bodies.tidy()
    await bodies.keepUntil('first', NOW + BODIES_KEPT_MS)
    expect(await bodies.find(late)).to.equal(null)
    expect(await bodies.find(second)).to.deep.equal(KEPT)
  })

  it('are the newest 200 of each project', async () => {
    const first = await add('first', 205)
    const second = await add('second', 3)
    await bodies.tidy()
    const found = await Promise.all([...first, ...second].map((one) => bodies.find(one)))
    expect(found.map((one) => one !== null)).to.deep.equal([
      ...Array<boolean>(5).fill(false),
      ...Array<boolean>(203).fill(true),
    ])
  })
})
