import { expect } from 'chai'
import { startApi, type TestApi } from '../../support/api.ts'

const accept = 'application/json, text/event-stream'

describe('what POST /mcp is sent', () => {
  let test: TestApi
  before(async () => (test = await startApi()))
  after(() => test.close())

  it('refuses a cursor of the list of tools, since it gave none', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    for (const cursor of ['', 'x', 'queue:5']) {
      const asked = { body: { ...list, params: { cursor } }, headers: { accept } }
      const { status, body } = await test.call('POST', '/mcp', asked)
      expect([status, body.error.code], cursor).to.deep.equal([200, -32_602])
    }
    const whole = await test.call('POST', '/mcp', { body: list, headers: { accept } })
    expect(whole.body.result.tools).to.have.length.greaterThan(100)
  })

  it('names an argument that is nested deeper than anything is, wherever it goes', async () => {
    const deep = '['.repeat(6000) + ']'.repeat(6000)
    for (const [name, argument] of [
      ['play', 'track'],
      ['getQueue', 'guildId'],
      ['translate', 'text'],
    ] as const) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{"${argument}":${deep}}}}`
      const { status, body: told } = await test.call('POST', '/mcp', { body, headers: { accept } })
      expect([status, told.result.isError], name).to.deep.equal([200, true])
      expect(told.result.content[0].text).to.equal(`${argument}: This is nested more than 64 levels deep.`)
    }
    const around = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":${deep}}}}`
    const { status } = await test.call('POST', '/mcp', { body: around, headers: { accept } })
    expect(status).to.be.below(500)
  })
})
