import { expect } from 'chai'
import { createNameLookup } from '../../../upstream/egress/dns.ts'
import { closing } from '../../support/closing.ts'
import { startNameServer } from '../../support/name-server.ts'

describe('names that callers wrote', () => {
  const own = closing()

  it('wait for no name whose server keeps silent', async () => {
    const server = own(await startNameServer({ 'quick.example': '203.0.113.7' }))
    const lookup = createNameLookup({ servers: [server.address], firstWaitMs: 400 })
    // Far more than there are threads for the system's own look-ups.
    const silent = Array.from({ length: 40 }, (_, i) => lookup(`silent-${i}.example`).catch((error: Error) => error))
    let ended = 0
    for (const one of silent) void one.then(() => ended++)
    expect(await lookup('quick.example')).to.deep.equal([{ address: '203.0.113.7', family: 4 }])
    expect(ended).to.equal(0)
    for (const error of await Promise.all(silent)) expect(error).to.be.an('error').with.property('code', 'ETIMEOUT')
  })

  async function lookUpGone(known: Readonly<Record<string, string>>) {
    const server = own(await startNameServer(known, { isSilent: false }))
    return createNameLookup({ servers: [server.address], firstWaitMs: 400 })('gone.example')
  }

  it('are not there only where the name server knows the internet', async () => {
    expect(await lookUpGone({ com: 'a.gtld-servers.net' })).to.deep.equal([])
    const failure = await lookUpGone({}).catch((error: Error) => error)
    expect(failure).to.be.an('error').with.property('message', 'The name servers resolve no internet names.')
  })
})
