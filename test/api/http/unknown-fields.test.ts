import { expect } from 'chai'
import { describeApi } from '../../../api/docs/openapi.ts'
import { routes } from '../../../api/routes/index.ts'
import { PlayerPatch } from '../../../bot/player/inputs.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { guildId } from '../../support/fake-music.ts'

const document = describeApi(routes, { version: '1.2.3', baseUrl: 'http://127.0.0.1' }) as any
const guild = `/v1/music/guilds/${guildId}`

/** Every object of a schema refuses properties that it does not declare. */
function assertClosed(node: any, what: string): void {
  if (typeof node !== 'object' || node === null) return
  if (node.properties) {
    expect(node.additionalProperties, `${what}: ${Object.keys(node.properties).join()}`).to.equal(false)
  }
  if (node.$ref) assertClosed(document.components.schemas[node.$ref.split('/').at(-1)], what)
  for (const value of Object.values(node)) assertClosed(value, what)
}

describe('a field of a JSON body that the route does not know', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  const refusal = async (method: string, path: string, sent: unknown) => {
    const { status, body } = await api.call(method, path, { body: sent })
    expect([status, body.error?.code], `${method} ${path}`).to.deep.equal([422, 'validation_error'])
    return body.error.details.map(({ field, message }: any) => `${field}: ${message}`)
  }
  const ofPlayer = (body: unknown) => refusal('PATCH', `${guild}/player`, body)

  it('is refused by every route that reads a body', async () => {
    const withBody = routes.filter(({ body }) => body !== undefined)
    expect(withBody.map(({ id }) => id)).to.include.members(['play', 'updatePlayer', 'mute', 'moveInQueue'])
    for (const { method, url, example } of withBody) {
      const path = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => example.path?.[name] ?? '')
      const [only, ...more] = await refusal(method, path, { ...(example.body as object), unheardOf: 1 })
      expect(only, url).to.match(/^body\.unheardOf: Unknown field\. Known fields: /)
      expect(more).to.deep.equal([])
    }
  })

  it('is refused at any depth, as the document of every route says', () => {
    for (const [url, operations] of Object.entries<any>(document.paths)) {
      for (const { requestBody } of Object.values<any>(operations)) {
        assertClosed(requestBody?.content['application/json']?.schema, url)
      }
    }
  })

  it('is named together with the nearest known field', async () => {
    expect(await ofPlayer({ position: 10 })).to.deep.equal(['body.position: Unknown field. Did you mean positionMs?'])
    expect(await ofPlayer({ Volume: 80, colour: 1, paused: 'no' })).to.deep.equal([
      'body.paused: Must be true or false, not a string.',
      'body.Volume: Unknown field. Did you mean volume?',
      `body.colour: Unknown field. Known fields: ${Object.keys(PlayerPatch.shape).join(', ')}.`,
    ])
    expect(await ofPlayer({ filters: { timescale: { sped: 2 } } })).to.deep.equal([
      'body.filters.timescale.sped: Unknown field. Did you mean speed?',
    ])
    expect(await refusal('POST', `${guild}/play`, { track: { encode: 'x', encoded: 'y' } })).to.deep.equal([
      'body.track.encode: Unknown field. Did you mean encoded?',
    ])
  })

  it('costs a short answer, however many there are and however long its name is', async () => {
    expect(await ofPlayer('{"__proto__": {"volume": 3}}')).to.have.length(1)
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`field${at}`, at]))
    expect(await ofPlayer(many)).to.have.length(20)
    const [long] = await ofPlayer({ ['x'.repeat(60_000)]: 1 })
    expect(long).to.have.length.lessThan(300)
  })
})
