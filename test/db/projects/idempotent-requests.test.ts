import { expect } from 'chai'
import sql from 'sql-template-tag'
import { createSavedPlayers } from '../../../bot/player/saved-players.ts'
import { createPlayerStates, type SavedPlayer } from '../../../db/music/players.ts'
import { createIdempotentRequests } from '../../../db/projects/idempotent-requests.ts'
import { createShardLeases } from '../../../db/shard-leases.ts'
import type { Store } from '../../../db/engine/store.ts'
import { createEffect, declareEffect } from '../../../lib/idempotency/effect.ts'
import type { FinishedAnswer, IdempotentRequests } from '../../../lib/idempotency/requests.ts'
import { createLog } from '../../../lib/log.ts'
import { runInContext, type RequestContext } from '../../../lib/request-context.ts'
import { closing } from '../../support/closing.ts'
import { insertProject } from '../../support/store-rows.ts'
import { addProject, describeOnEachEngine } from '../../support/stores.ts'
import { temporaryDatabase } from '../../support/database.ts'

const BOT = '900000000000000001'
const PROJECT = 'prj_one'
const DAY_MS = 24 * 3_600_000

function digestOf(text: string): Buffer {
  return Buffer.alloc(32, text)
}

/** Saves a player in the context of a request. */
async function saveAs(store: Store, id: number, act: (save: () => void) => void): Promise<void> {
  const origin: RequestContext = { fields: {}, isOver: false, effect: createEffect(id) }
  const player: SavedPlayer = {
    projectId: PROJECT,
    botId: BOT,
    guildId: '100000000000000001',
    channelId: '200000000000000001',
    current: 'token',
    queue: [],
    past: [],
    recommendation: null,
    requesterIds: [null],
    positionMs: 0,
    volume: 100,
    muted: false,
    volumeBeforeMute: null,
    paused: false,
    loop: 'off',
    nextTrack: null,
    sleep: null,
    filters: {},
  }
  const saved = createSavedPlayers({ states: createPlayerStates(store), log: createLog('silent') })
  await runInContext(origin, async () => {
    act(() => saved.save(player))
    await saved.written(player)
  })
}

describeOnEachEngine('what is kept of requests that may come twice', (opened) => {
  const projectId = PROJECT
  let nowMs: number
  beforeEach(async () => {
    nowMs = Date.now()
    await insertProject(opened.store, PROJECT, [BOT])
  })

  /** Opens the requests like the folder's next process after a crash. */
  const open = () => createIdempotentRequests(opened.store, () => nowMs, 'process')
  const asked = (key: string, what = 'a') => ({ projectId, owner: BOT, key, digest: digestOf(what) })
  const count = async () =>
    (await opened.store.find<{ count: number }>(sql`SELECT count(*) AS count FROM idempotent_request`))?.count

  it('is run again after a crash before its effect, and known as done after one behind it', async () => {
    const before = open()
    const early = await before.claim(asked('early'))
    const late = await before.claim(asked('late'))
    if (early.is !== 'begun' || late.is !== 'begun') throw new Error('Both are new.')
    // A join saves the player, too, and is not what was asked for.
    await saveAs(opened.store, early.id, (save) => save())
    await saveAs(opened.store, late.id, (save) => {
      declareEffect(() => ({ position: 3 }))
      save()
      declareEffect(() => ({ position: 4 }))
      save()
    })
    expect([(await before.claim(asked('early'))).is, (await before.claim(asked('late'))).is]).to.deep.equal([
      'running',
      'running',
    ])
    const after = open()
    expect((await after.claim(asked('early'))).is).to.equal('begun')
    expect(await after.claim(asked('late'))).to.deep.include({ is: 'done', effect: '{"position":3}', answer: null })
    expect((await after.claim(asked('late', 'other'))).is).to.equal('another')
  })

  const finish = async (requests: IdempotentRequests, key: string, kept: Partial<FinishedAnswer>) => {
    const claim = await requests.claim(asked(key))
    if (claim.is !== 'begun') throw new Error('It is new.')
    await requests.finish(claim.id, { status: 200, answer: null, effect: null, etag: null, ...kept })
  }

  it('is answered with the answer that was kept, or with what it changed where that was too long', async () => {
    const requests = open()
    await finish(requests, 'short', { answer: 'x'.repeat(16_384), etag: '"1"' })
    await finish(requests, 'long', { effect: '{"id":1}' })
    const [short, long] = [await open().claim(asked('short')), await open().claim(asked('long'))]
    expect(short).to.deep.equal({ is: 'done', status: 200, answer: 'x'.repeat(16_384), effect: null, etag: '"1"' })
    expect(long).to.deep.include({ is: 'done', answer: null, effect: '{"id":1}' })
  })

  it('keeps long answers of the newest 256 of a project alone, and knows the older ones as done', async () => {
    const requests = open()
    await finish(requests, 'long', { answer: 'x'.repeat(16_384) })
    await finish(requests, 'effect', { effect: JSON.stringify('x'.repeat(50_000)) })
    await finish(requests, 'short', { answer: 'x'.repeat(1000) })
    for (let i = 0; i < 254; i++) await requests.claim(asked(`new ${i}`))
    expect((await requests.claim(asked('long'))).is === 'done').to.equal(true)
    const known = async (key: string) => {
      const claim = await requests.claim(asked(key))
      return claim.is === 'done' ? [claim.answer?.length ?? null, claim.effect?.length ?? null] : claim.is
    }
    expect([await known('long'), await known('effect')]).to.deep.equal([
      [null, null],
      [null, 50_002],
    ])
    await requests.claim(asked('one more'))
    expect([await known('effect'), await known('short')]).to.deep.equal([
      [null, null],
      [1000, null],
    ])
  })

  it('may be sent again once it was released', async () => {
    const requests = open()
    const claim = await requests.claim(asked('k'))
    if (claim.is === 'begun') await requests.release(claim.id)
    expect((await requests.claim(asked('k', 'other'))).is).to.equal('begun')
  })

  it('is kept for a day, and of a project the newest 10,000', async () => {
    const requests = open()
    await requests.claim(asked('old'))
    nowMs += DAY_MS
    await requests.sweep()
    expect(await count()).to.equal(0)
    await opened.store.run(sql`
      INSERT INTO idempotent_request (project_id, owner, key, digest, process, created_at_ms)
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10063)
      SELECT ${projectId}, ${BOT}, 'key ' || n, ${digestOf('a')}, 'another', ${nowMs} FROM numbers`)
    for (let i = 0; i < 64; i++) await requests.claim(asked(`new ${i}`))
    expect(await count()).to.be.within(10_000, 10_063)
    expect((await requests.claim(asked('new 0'))).is).to.equal('running')
    expect((await requests.claim(asked('key 0'))).is).to.equal('begun')
  })

  it('belongs to its project, where another bot asks for something else, and goes with the project', async () => {
    const requests = open()
    await requests.claim(asked('k'))
    const other = await addProject(opened.store, 'prj_other')
    expect((await requests.claim({ ...asked('k'), owner: 'pol_1' })).is).to.equal('another')
    expect((await requests.claim({ ...asked('k', 'b'), projectId: other })).is).to.equal('begun')
    await opened.store.run(sql`DELETE FROM project WHERE id = ${other}`)
    expect(await count()).to.equal(1)
  })
})

describe('a request whose change fails, on SQLite', () => {
  const keep = closing()

  it('has its effect together with what it changed, or neither', async () => {
    const { db, store } = keep(temporaryDatabase())
    await insertProject(store, PROJECT, [BOT])
    const open = () => createIdempotentRequests(store)
    const request = { projectId: PROJECT, owner: BOT, key: 'k', digest: digestOf('a') }
    const requests = open()
    const claim = await requests.claim(request)
    if (claim.is !== 'begun') throw new Error('It is new.')
    db.exec("CREATE TRIGGER no_player BEFORE INSERT ON player BEGIN SELECT RAISE(ABORT, 'no'); END")
    const failed = saveAs(store, claim.id, (save) => {
      declareEffect()
      save()
    })
    expect(await failed.catch((error: Error) => error.message)).to.include("isn't saved")
    expect((await open().claim(request)).is).to.equal('begun')
  })
})

describeOnEachEngine('a request that comes twice to two services', (opened) => {
  it('begins at one, is known to run at the other, and has one answer', async () => {
    const projectId = await addProject(opened.store)
    const request = { projectId, owner: BOT, key: 'k', digest: digestOf('a') }
    const [one, other] = [createIdempotentRequests(opened.store), createIdempotentRequests(opened.store)]
    const begun = await one.claim(request)
    expect(begun.is).to.equal('begun')
    expect((await one.claim(request)).is).to.equal('running')
    if (begun.is !== 'begun') return
    await one.finish(begun.id, { status: 200, answer: '{}', effect: null, etag: null })
    expect(await other.claim(request)).to.deep.equal({
      is: 'done',
      effect: null,
      status: 200,
      answer: '{}',
      etag: null,
    })
  })

  it('begins again elsewhere as soon as its service gave no sign of life for 10 s, and not before', async function () {
    // A folder has one service, whose end is known by the next one.
    if (opened.store.engine === 'sqlite') this.skip()
    const projectId = await addProject(opened.store)
    const request = { projectId, owner: BOT, key: 'k', digest: digestOf('a') }
    const [one, other] = ['one', 'other'].map((id) => createIdempotentRequests(opened.store, Date.now, id))
    expect((await one!.claim(request)).is).to.equal('begun')
    const beatAgo = (agoMs: number) =>
      createShardLeases(opened.store, { serviceId: 'one', lifeMs: 3000, now: () => Date.now() - agoMs }).renew([], 0)
    await beatAgo(0)
    expect((await other!.claim(request)).is).to.equal('running')
    await beatAgo(20_000)
    expect((await other!.claim(request)).is).to.equal('begun')
    expect((await one!.claim(request)).is).to.equal('running')
  })
})
