import { expect } from 'chai'
import { unpackRequests } from '../../../db/requests/packed-requests.ts'
import { loggedRequest, packRequests } from '../../support/example-requests.ts'

describe('requests packed into bytes', () => {
  it('come out as they went in, with any text of callers', () => {
    const texts = ['', 'a\nb"\\', '\0', '日本語 🎵', '/v1/' + 'é'.repeat(5000)]
    const requests = texts.map((path, i) =>
      loggedRequest({ id: 2 ** 52 + i, path, durationMs: 0.1 * i, traceId: null }),
    )
    expect(unpackRequests(packRequests(requests))).to.deep.equal(requests)
    expect(unpackRequests(packRequests([]))).to.deep.equal([])
  })
})
