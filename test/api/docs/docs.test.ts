import { expect } from 'chai'
import { routes } from '../../../api/routes/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'

describe('the pages beside the API', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  const read = (path: string, headers = {}) => api.call('GET', path, { key: null, headers })

  it('give the OpenAPI document of every route, with the address callers use', async () => {
    const { status, headers, body } = await read('/openapi.json')
    expect(status).to.equal(200)
    expect(headers.get('access-control-allow-origin')).to.equal('*')
    expect(body.openapi).to.equal('3.1.0')
    expect(body.info.version).to.equal('1.2.3')
    expect(body.servers).to.deep.equal([{ url: api.baseUrl }])
    for (const { url, method, id } of routes) {
      expect(body.paths[url][method.toLowerCase()].operationId).to.equal(id)
    }
    expect(Object.keys(body['x-events'])).to.deep.equal([
      'ready',
      'trackStarted',
      'trackEnded',
      'chapterStarted',
      'segmentSkipped',
      'queueEmptied',
      'playerClosed',
      'botStopped',
      'sourceChanged',
      'ping',
    ])
    for (const { $ref } of Object.values<any>(body['x-events'])) {
      expect(body.components.schemas).to.have.property($ref.split('/').at(-1))
    }
  })

  it('show every route, with a command line to paste, and link to nothing that is not there', async () => {
    const { status, body } = await read('/docs')
    expect(status).to.equal(200)
    for (const { id, summary } of routes) {
      expect(body).to.contain(`id="${id}"`)
      expect(body).to.contain(summary.replaceAll("'", '&#39;'))
    }
    expect(body).to.contain(`curl &#39;${api.baseUrl}/v1/music/search?q=night%20ferry&amp;limit=5&#39;`)
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(ids, target).to.include(target)
  })

  it('load nothing from anywhere else, and allow nothing else', async () => {
    for (const path of ['/', '/docs']) {
      const { body, headers } = await read(path)
      expect(headers.get('content-security-policy')).to.match(/default-src 'none'/)
      for (const [, url] of body.matchAll(/(?:src|href)="([^"]+)"/g)) {
        expect(url).to.match(/^(?:\/(?!\/)|#|data:)/)
        if (url.startsWith('/')) expect((await read(url)).status, url).to.equal(200)
      }
      expect(body).not.to.match(/ style=| on\w+=|<script>|<style>/)
    }
  })

  it('are compressed and not sent twice', async () => {
    for (const path of ['/', '/docs', '/docs/style.css', '/docs/script.js', '/openapi.json']) {
      const { headers, status, body } = await read(path, { 'accept-encoding': 'gzip' })
      // The first page is short.
      const coding = path === '/' ? null : 'gzip'
      expect([status, headers.get('content-encoding')], path).to.deep.equal([200, coding])
      const best = await read(path, { 'accept-encoding': 'gzip, deflate, br' })
      expect([best.headers.get('content-encoding'), best.body], path).to.deep.equal([coding && 'br', body])
      const again = await read(path, { 'accept-encoding': 'gzip', 'if-none-match': headers.get('etag') ?? '' })
      expect([again.status, again.body], path).to.deep.equal([304, ''])
    }
  })

  it('answer what they are not with the error body', async () => {
    for (const path of [
      '/favicon.ico',
      '/docs/',
      '/docs/../package.json',
      '/docs/%2e%2e/page.ts',
      '/index.html',
      '/%',
      '/admin',
    ]) {
      expect((await read(path)).status, path).to.equal(404)
    }
    expect((await api.call('DELETE', '/')).status).to.equal(405)
  })
})
