import { expect } from 'chai'
import { createTokenProvider } from '../../../../bot/sources/youtube/token-provider.ts'
import { closing } from '../../../support/closing.ts'
import { createTestContext } from '../../../support/upstreams/context.ts'
import { startTokenProvider, type TokenProviderStandIn } from '../../../support/upstreams/token-provider.ts'

describe('the provider of YouTube tokens', () => {
  const own = closing()
  let service: TokenProviderStandIn

  beforeEach(async () => {
    service = own(await startTokenProvider())
  })

  const provider = () => createTokenProvider({ ...own(createTestContext()), date: Date.now }, { baseUrl: service.url })

  it('is asked once for each video while the token holds, however many ask at the same time', async () => {
    const { find } = provider()
    const [one, same, other] = await Promise.all([find('aaaaaaaaaaa'), find('aaaaaaaaaaa'), find('bbbbbbbbbbb')])
    expect(same).to.equal(one).and.not.to.equal(other)
    expect(await find('aaaaaaaaaaa')).to.equal(one)
    expect(service.bindings).to.deep.equal(['aaaaaaaaaaa', 'bbbbbbbbbbb'])
  })

  it('is asked for a new token when the former one is refused or expires', async () => {
    const { find } = provider()
    const first = await find('aaaaaaaaaaa')
    expect(await find('aaaaaaaaaaa', true)).not.to.equal(first)
    service.holdsMs = 30_000
    await find('ccccccccccc')
    await find('ccccccccccc')
    expect(service.bindings.filter((it) => it === 'ccccccccccc')).to.have.length(2)
  })

  it('takes the older form of the answer, and does without one that is no token', async () => {
    service.answerAll({ json: { po_token: 'b2xk' } })
    expect(await provider().find('aaaaaaaaaaa')).to.equal('b2xk')
    for (const json of [{ poToken: 'a b&c' }, { error: 'no attestation' }, []]) {
      service.answerAll({ json })
      expect(await provider().find('aaaaaaaaaaa')).to.equal(null)
    }
    service.answerAll({ status: 500 })
    expect(await provider().find('aaaaaaaaaaa')).to.equal(null)
  })
})
