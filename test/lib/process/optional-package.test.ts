import { expect } from 'chai'
import { loadOptional } from '../../../lib/process/optional-package.ts'
import { faultOf } from '../../support/web.ts'

describe('a capability whose packages may be left out', () => {
  it('is refused by the name of the package that is missing, and what installs it', async () => {
    const name: string = '@nobody/has-this/part.js'
    const fault = await faultOf(loadOptional('Tea', () => import(name)))
    expect(fault.code).to.equal('service_unavailable')
    expect(fault.message).to.contain('Tea needs the package @nobody/has-this').and.to.contain('npm ci')
  })

  it('is there where they are, and fails as it fails otherwise', async () => {
    expect(await loadOptional('Tea', () => Promise.resolve('served'))).to.equal('served')
    const missing: string = './no-such-file.ts'
    for (const load of [() => import(missing), () => Promise.reject(new TypeError('boiled over'))]) {
      const error = await loadOptional('Tea', load).catch((cause: unknown) => cause)
      expect(error).to.be.instanceOf(Error).and.not.to.have.property('reason')
      expect((error as Error).message).not.to.contain('npm ci')
    }
  })
})
