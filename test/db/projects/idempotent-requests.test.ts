import { expect } from 'chai'
import { createSavedPlayers } from '../../../bot/player/saved-players.ts'
import { createPlayerStates, type SavedPlayer } from '../../../db/music/players.ts'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createIdempotentRequests } from '../../../db/projects/idempotent-requests.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createShardLeases } from '../../../db/shard-leases.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { createEffect, declareEffect } from '../../../lib/idempotency/effect.ts'
import { createLog } from '../../../lib/log.ts'
import { runInContext, type RequestContext } from '../../../lib/request-context.ts'
import { closing } from '../../support/closing.ts'
import { addProject, describeOnEachEngine } from '../../support/stores.ts'
import { temporaryDatabase, type TemporaryDatabase } from '../../support/database.ts'

const BOT = '900000000000000001'
const DAY_MS = 24 * 3_600_000

function digestOf(text: string): Buffer {
  return Buffer.alloc(32, text)
}

describe('what is kept of requests that may come twice', () => {
  const keep = closing()
  let nowMs: number
  let projectId: string
  let db: TemporaryDatabase['db']
  let store: TemporaryDatabase['store']
  beforeEach(async () => {
    const opened = keep(temporaryDatabase())
    ;({ db, store } = opened)
    nowMs = Date.UTC(2026, 10, 22)
    projectId = (await createProjects(store).create({ name: 'One', plan: 'free' })).id
    const vault = createVault({ tokenKey: null, dataDir: opened.dataDir })
    await createBotRecords(store, vault).add({ id: BOT, projectId, name: 'Bot', token: 'secret' })
  })

  const open = () => createIdempotentRequests(store, () => nowMs)
  const asked = (key: string, what = 'a') => ({ projectId, owner: BOT, key, digest: digestOf(what) })
  const count = () => db.prepare('SELECT count(*) FROM idempotent_request').pluck().get()

  /** What a player of a request saves. */
  async function saveAs(id: number, act: (save: () => void) => void): Promise<void> {
    const origin: RequestContext = { fields: {}, isOver: false, effect: createEffect(id) }
    const player: SavedPlayer = {
      projectId,
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

  it('is run again after a crash before its effect, and known as done after one behind it', async () => {
    const before = open()
    const early = await before.claim(asked('early'))
    const late = await before.claim(asked('late'))
    if (early.is !== 'begun' || late.is !== 'begun') throw new Error('Both are new.')
    // A join saves the player, too, and is not what was asked for.
    await saveAs(early.id, (save) => save())
    await saveAs(late.id, (save) => {
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

  it('has its effect together with what it changed, or neither', async () => {
    const requests = open()
    const claim = await requests.claim(asked('k'))
    if (claim.is !== 'begun') throw new Error('It is new.')
    db.exec("CREATE TRIGGER no_player BEFORE INSERT ON player BEGIN SELECT RAISE(ABORT, 'no'); END")
    const failed = saveAs(claim.id, (save) => {
      declareEffect()
      save()
    })
    expect(await failed.catch((error: Error) => error.message)).to.include('is not saved')
    expect((await open().claim(asked('k'))).is).to.equal('begun')
  })

  it('is answered with what was kept, without a body that is too long', async () => {
    const requests = open()
    for (const [key, length] of [
      ['short', 16_384],
      ['long', 16_385],
    ] as const) {
      const claim = await requests.claim(asked(key))
      if (claim.is !== 'begun') throw new Error('It is new.')
      await requests.finish(claim.id, { status: 200, answer: 'x'.repeat(length), etag: '"1"' })
    }
    expect(await open().claim(asked('short'))).to.deep.include({ is: 'done', status: 200, etag: '"1"' })
    expect(await open().claim(asked('long'))).to.deep.include({ is: 'done', answer: null })
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
    expect(count()).to.equal(0)
    await store.atomically(async () => {
      for (let i = 0; i < 10_128; i++) await requests.claim(asked(`key ${i}`))
    })
    expect(count()).to.be.within(10_000, 10_063)
    expect((await requests.claim(asked('key 10127'))).is).to.equal('running')
    expect((await requests.claim(asked('key 0'))).is).to.equal('begun')
  })

  it('belongs to its project and bot, and goes with the project', async () => {
    const requests = open()
    await requests.claim(asked('k'))
    const other = (await createProjects(store).create({ name: 'Two', plan: 'free' })).id
    expect((await requests.claim({ ...asked('k', 'b'), owner: 'pol_1' })).is).to.equal('begun')
    expect((await requests.claim({ ...asked('k', 'b'), projectId: other })).is).to.equal('begun')
    db.prepare('DELETE FROM project WHERE id = ?').run(other)
    expect(count()).to.equal(2)
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
    await one.finish(begun.id, { status: 200, answer: '{}', etag: null })
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
