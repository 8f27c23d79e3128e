import { expect } from 'chai'
import sql from 'sql-template-tag'
import { createRecoveryCodes, RECOVERY_CODES, type RecoveryCodes } from '../../../db/people/recovery-codes.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

describeOnEachEngine('Recovery codes', (opened) => {
  let codes: RecoveryCodes

  beforeEach(async () => {
    for (const id of ['usr_mara', 'usr_ben']) {
      await opened.store.run(sql`INSERT INTO account (id, name, created_at_ms) VALUES (${id}, ${id}, 0)`)
    }
    codes = createRecoveryCodes(opened.store)
  })

  it('work once each, however they are typed', async () => {
    const [first = '', second = ''] = await codes.make('usr_mara')
    expect(await codes.count('usr_mara')).to.equal(RECOVERY_CODES)
    expect(await codes.use('usr_mara', ` ${first.toUpperCase().replaceAll('-', ' ')} `)).to.equal(true)
    expect(await codes.use('usr_mara', first)).to.equal(false)
    expect(await codes.use('usr_mara', second)).to.equal(true)
    expect(await codes.count('usr_mara')).to.equal(RECOVERY_CODES - 2)
  })

  it('work for their account alone', async () => {
    const [code = ''] = await codes.make('usr_mara')
    await codes.make('usr_ben')
    expect(await codes.use('usr_ben', code)).to.equal(false)
    expect(await codes.count('usr_ben')).to.equal(RECOVERY_CODES)
  })

  it('end when new ones are made', async () => {
    const [old = ''] = await codes.make('usr_mara')
    await codes.make('usr_mara')
    expect(await codes.use('usr_mara', old)).to.equal(false)
    expect(await codes.count('usr_mara')).to.equal(RECOVERY_CODES)
  })

  it('stay when making new ones fails', async () => {
    await codes.make('usr_mara')
    const failure = await opened.store
      .atomically(async () => {
        await codes.make('usr_mara')
        await codes.make('usr_unknown')
      })
      .catch((error: unknown) => error)
    expect(failure).to.be.an('error')
    expect(await codes.count('usr_mara')).to.equal(RECOVERY_CODES)
  })
})
