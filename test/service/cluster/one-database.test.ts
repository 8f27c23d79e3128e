import { expect } from 'chai'
import { Fault } from '../../../lib/errors.ts'
import { assertOneDatabase } from '../../../service/start/one-database.ts'

describe('a service with SERVICES_KEY', () => {
  it('is told what to do when the services have no database in common', () => {
    const alone = { servicesKey: 'ab'.repeat(32), database: { url: null } }
    expect(() => assertOneDatabase(alone)).to.throw(Fault, /migrate --to postgres.*remove SERVICES_KEY/)
    assertOneDatabase({ servicesKey: null, database: { url: null } })
    assertOneDatabase({ servicesKey: null, database: { url: 'postgres://db.test/band' } })
  })
})
