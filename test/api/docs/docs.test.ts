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

  it('show every route on a page of its own, and link to nothing that is not there', async () => {
    const { status, body: index } = await read('/docs')
    expect(status).to.equal(200)
    const { body: schemas } = await read('/docs/schemas')
    const known = new Set<string>()
    const collect = (path: string, body: string) => {
      for (const [, id] of body.matchAll(/ id="([^"]+)"/g)) known.add(`${path}#${id}`)
    }
    collect('/docs', index)
    collect('/docs/schemas', schemas)
    collect('/docs/errors', (await read('/docs/errors')).body)
    for (const { id, summary, method } of routes) {
      const path = `/docs/${id}`
      expect(index).to.contain(`href="${path}"`)
      const { status: found, body } = await read(path)
      expect(found, path).to.equal(200)
      expect(body).to.contain(summary.replaceAll("'", '&#39;')).and.contain(`>${method}</span>`)
      collect(path, body)
      for (const [, target = ''] of body.matchAll(/href="([^"]*#[^"]+)"/g)) {
        const [page, hash] = target.split('#')
        expect(known, `${path}: ${target}`).to.include(`${page === '' ? path : page}#${hash}`)
      }
    }
  })

  it('write what was filled in into ten snippets, and nothing of it as markup', async () => {
    const query = new URLSearchParams({ 'query.q': `"><script>alert(1)</script>'`, 'query.limit': '2' })
    const { body } = await read(`/docs/searchTracks?${query.toString()}`)
    expect(body.match(/data-language="/g)).to.have.length(10)
    expect(body).to.contain(`curl &#39;${api.baseUrl}/v1/music/search?q=%22%3E%3Cscript%3E`)
    expect(body).not.to.contain('<script>alert')
    expect((await read('/docs/openEvents')).body).to.contain('npx wscat')
  })

  it('speak German to those who ask for it, and to those who chose it in the dashboard', async () => {
    for (const headers of [{ 'accept-language': 'de-DE,de;q=0.9' }, { cookie: 'bandstand_language=de' }]) {
      for (const path of ['/docs', '/docs/schemas', '/docs/play']) {
        const { body, headers: answered } = await read(path, headers)
        expect(body).to.contain('<html lang="de">').and.contain('Referenz durchsuchen')
        expect(answered.get('vary')).to.contain('Accept-Language')
      }
    }
    expect((await read('/docs', { 'accept-language': 'fr' })).body).to.contain('<html lang="en">')
  })

  it('load nothing from anywhere else, and allow nothing else', async () => {
    for (const path of ['/', '/docs', '/docs/schemas', '/docs/errors', '/docs/play']) {
      const { body, headers } = await read(path)
      expect(headers.get('content-security-policy'))
        .to.match(/default-src 'none'/)
        .and.not.match(/unsafe|https?:/)
      const urls = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)
      for (const url of new Set(urls)) {
        expect(url).to.match(/^(?:\/(?!\/)|#|data:)/)
        if (url.startsWith('/docs/assets') || url === '/openapi.json')
          expect((await read(url)).status, url).to.equal(200)
      }
      expect(body).not.to.match(/ style=| on\w+=|<script>|<style>/)
    }
  })

  it('say that an address has no page to browsers, and in JSON to programs and below the API', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const path of ['/nothing', '/docs/nope', '/docs/assets/nope.js']) {
      const response = await fetch(api.baseUrl + path, { headers: { ...browser, 'accept-language': 'de' } })
      const type = response.headers.get('content-type')
      expect([response.status, type], path).to.deep.equal([404, 'text/html; charset=utf-8'])
      expect(await response.text())
        .to.contain('<h1>Hier ist nichts</h1>')
        .and.contain('href="/docs"')
      expect((await read(path)).body.error.code, path).to.equal('not_found')
    }
    expect((await read('/v1/nothing', browser)).body.error.code).to.equal('not_found')
    const { status, body } = await read('/', browser)
    expect([status, body.includes('href="/docs"')]).to.deep.equal([200, true])
  })

  it('are compressed and not sent twice', async () => {
    for (const path of [
      '/',
      '/docs',
      '/docs/play',
      '/docs/assets/style.css',
      '/docs/assets/page.js',
      '/openapi.json',
    ]) {
      const { headers, status, body } = await read(path, { 'accept-encoding': 'gzip' })
      expect([status, headers.get('content-encoding')], path).to.deep.equal([200, 'gzip'])
      const best = await read(path, { 'accept-encoding': 'gzip, deflate, br' })
      expect([best.headers.get('content-encoding'), best.body], path).to.deep.equal(['br', body])
      const again = await read(path, { 'accept-encoding': 'gzip', 'if-none-match': headers.get('etag') ?? '' })
      expect([again.status, again.body], path).to.deep.equal([304, ''])
    }
  })

  it('answer what they are not with the error body', async () => {
    for (const path of [
      '/favicon.ico',
      '/docs/',
      '/docs/nothing',
      '/docs/constructor',
      '/docs/../package.json',
      '/docs/assets/%2e%2e/openapi.ts',
      '/index.html',
      '/%',
      '/admin',
    ]) {
      expect((await read(path)).status, path).to.equal(404)
    }
    expect((await api.call('DELETE', '/')).status).to.equal(405)
  })
})
