import { expect } from 'chai'
import sql from 'sql-template-tag'
import { brokenRule } from '../../../db/engine/open.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

interface Named {
  readonly id: string
  readonly name: string
}

const failing = () => Promise.reject(new Error('on purpose'))
const outcome = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describeOnEachEngine('A store', (opened) => {
  const add = (id: string) =>
    opened.store.run(
      sql`INSERT INTO project (id, name, plan, created_at_ms) VALUES (${id}, ${id}, 'free', ${1_700_000_000_000})`,
    )
  const names = async () => {
    const rows = await opened.store.all<Named>(sql`SELECT id, name FROM project ORDER BY id`)
    return rows.map(({ id }) => id)
  }

  it('gives numbers, bytes and texts as they were', async () => {
    const [digest, prefix] = [Buffer.alloc(32, 7), '0badcafe']
    await add('prj_one')
    await opened.store.run(
      sql`INSERT INTO api_key (id, project_id, prefix, digest, created_at_ms)
          VALUES ('key_one', 'prj_one', ${prefix}, ${digest}, ${9_007_199_254_740_991})`,
    )
    const key = await opened.store.find(
      sql`SELECT prefix, digest, created_at_ms AS "createdAtMs", name FROM api_key WHERE digest = ${digest}`,
    )
    expect(key).to.deep.equal({ prefix, digest, createdAtMs: 9_007_199_254_740_991, name: null })
    const sums = await opened.store.find(sql`SELECT count(*) AS count, sum(created_at_ms) AS total FROM project`)
    expect(sums).to.deep.equal({ count: 1, total: 1_700_000_000_000 })
    expect(await opened.store.find(sql`SELECT id FROM project WHERE id = 'prj_none'`)).to.equal(undefined)
  })

  it('says how many rows a change had, and gives back those that are asked for', async () => {
    await add('prj_one')
    await add('prj_two')
    expect(await opened.store.run(sql`UPDATE project SET plan = 'scale'`)).to.equal(2)
    const removed = await opened.store.all<Named>(sql`DELETE FROM project WHERE id = 'prj_one' RETURNING id, name`)
    expect(removed).to.deep.equal([{ id: 'prj_one', name: 'prj_one' }])
    expect(await names()).to.deep.equal(['prj_two'])
  })

  it('undoes a transaction that throws, with what was nested in it', async () => {
    await add('prj_before')
    const failure = await outcome(
      opened.store.atomically(async () => {
        await add('prj_one')
        await opened.store.durably(() => add('prj_two'))
        expect(await names()).to.deep.equal(['prj_before', 'prj_one', 'prj_two'])
        await failing()
      }),
    )
    expect(failure).to.be.an('error').with.property('message', 'on purpose')
    expect(await names()).to.deep.equal(['prj_before'])
  })

  it('shows others nothing of a transaction before its end', async () => {
    const { promise: isInside, resolve: goIn } = Promise.withResolvers<void>()
    const changing = opened.store.atomically(async () => {
      await add('prj_one')
      goIn()
      await add('prj_two')
    })
    await isInside
    expect(await names()).to.deep.equal(['prj_one', 'prj_two'])
    await changing
  })

  it('runs transactions that decide by what they read one after the other', async () => {
    const addIfFew = async (id: string) =>
      opened.store.atomically(async () => {
        const { length } = await names()
        if (length < 3) await add(id)
      })
    await Promise.all(Array.from({ length: 10 }, (_, i) => addIfFew(`prj_${i}`)))
    expect(await names()).to.have.length(3)
  })

  it('takes what goes on after a transaction as no part of it', async () => {
    const late = Promise.withResolvers<void>()
    let after: Promise<unknown> = Promise.resolve()
    await opened.store.atomically(async () => {
      await add('prj_one')
      after = late.promise.then(() => opened.store.atomically(() => add('prj_late')))
    })
    late.resolve()
    await after
    expect(await names()).to.deep.equal(['prj_late', 'prj_one'])
  })

  it('names the rule that a write breaks, and goes on', async () => {
    await add('prj_one')
    const bot = '700000000000000001'
    const failure = await outcome(
      opened.store.durably(() =>
        opened.store.run(
          sql`INSERT INTO api_key (id, project_id, prefix, digest, bot_id, created_at_ms)
              VALUES ('key_one', 'prj_one', '0badcafe', ${Buffer.alloc(32)}, ${bot}, 0)`,
        ),
      ),
    )
    expect(brokenRule(failure)).to.equal('bot_not_of_this_project')
    await add('prj_two')
    expect(await names()).to.deep.equal(['prj_one', 'prj_two'])
  })
})
