import { expect } from 'chai'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:tls'
import { request } from 'undici'
import { Fault, unprocessable } from '../../../lib/errors.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import type { Lookup } from '../../../upstream/egress/dns.ts'
import { closing } from '../../support/closing.ts'
import { hostileZone } from '../../support/hostile-addresses.ts'
import { faultOf, listen, serve } from '../../support/web.ts'

const SERVICE_PORTS = [
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045, 4190,
  4369, 5060, 5061, 5432, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6514, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10_080, 10_250, 11_211, 15_672, 26_379, 27_017, 27_018, 27_019,
]
const toLoopback: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
const PUBLIC = '93.184.216.34'

describe('the rules of egress', () => {
  const own = closing()
  const out = (lookup: Lookup = hostileZone()) => own(createEgress({ allowHosts: [], lookup }))
  const local = () => own(createEgress({ allowHosts: ['127.0.0.1'] }))

  it('admits the ports of the web and of radio, and none that belongs to another service', async () => {
    const egress = out()
    for (const port of [80, 443, 1024, 8000, 65_535]) {
      expect(await egress.admit(PUBLIC, port)).to.deep.equal([{ address: PUBLIC, family: 4 }])
    }
    expect(await egress.admit('2606:4700::1111', 80)).to.deep.equal([{ address: '2606:4700::1111', family: 6 }])
    for (const port of [0, 22, 81, 442, 1023, ...SERVICE_PORTS]) {
      const fault = await faultOf(egress.admit(PUBLIC, port))
      expect(fault.message).to.equal(`Port ${port} is blocked, since it isn't a usual port for music or web pages.`)
    }
  })

  it('takes URLs of 2,048 characters, and of three times as many once they are encoded', async () => {
    const egress = out()
    const start = 'http://attacker.test/'
    for (const [url, isTaken] of [
      [start.padEnd(2048, 'a'), true],
      [start.padEnd(2049, 'a'), false],
      [`${start}${'é'.repeat(1020)}aaa`, true],
      [`${start}${'é'.repeat(1020)}aaaa`, false],
    ] as const) {
      const outcome = await egress.check(url).then(
        () => true,
        (fault: Fault) => fault.code !== 'validation_error',
      )
      expect(outcome, `${url.length} characters`).to.equal(isTaken)
    }
  })

  it('refuses a user name and a password, each separately', async () => {
    for (const url of ['http://user@attacker.test/', 'http://:pass@attacker.test/']) {
      expect((await faultOf(out().check(url))).message).to.equal(
        'The URL contains a username or a password. Remove it.',
      )
    }
  })

  it('asks no name server for names that mean a machine inside', async () => {
    const asked: string[] = []
    const egress = out(async (host) => {
      asked.push(host)
      return [{ address: PUBLIC, family: 4 }]
    })
    for (const host of ['printer', 'nas.local', 'a.localhost']) {
      expect((await faultOf(egress.admit(host, 80))).code).to.equal('validation_error')
    }
    await egress.admit('attacker.test', 80)
    expect(asked).to.deep.equal(['attacker.test'])
  })

  it('looks allowed names up as the system does, and knows them with a dot at their end', async () => {
    const egress = own(createEgress({ allowHosts: ['localhost'] }))
    expect((await egress.admit('localhost', 80)).length).to.be.greaterThan(0)
    const named = own(
      createEgress({ allowHosts: ['radio.lan'], lookup: async () => [{ address: '10.0.0.1', family: 4 }] }),
    )
    expect((await named.check('http://radio.lan./')).host).to.equal('radio.lan.')
    const fault = await faultOf(
      own(createEgress({ allowHosts: [] })).check('http://nowhere.invalid/', { timeoutMs: 500 }),
    )
    expect(fault.cause).not.to.be.instanceOf(TypeError)
    expect(() => createEgress({ allowHosts: [''] })).to.throw('must be a host')
  })

  it('takes 80 and 443 for the ports of URLs that name none', async () => {
    for (const [scheme, port] of [
      ['http', 80],
      ['https', 443],
    ] as const) {
      const egress = own(createEgress({ allowHosts: [`127.0.0.1:${port}`] }))
      const url = `${scheme}://127.0.0.1/`
      expect((await egress.check(url)).href).to.equal(url)
      const error: unknown = await request(url, { dispatcher: egress.dispatcher }).then(
        ({ body }) => body.destroy(),
        (it: unknown) => it,
      )
      expect(error, url).not.to.be.instanceOf(Fault)
      const other = own(createEgress({ allowHosts: [`127.0.0.1:${523 - port}`] }))
      expect((await faultOf(other.check(url))).code).to.equal('validation_error')
      expect((await faultOf(request(url, { dispatcher: other.dispatcher }))).code).to.equal('validation_error')
    }
  })

  it('follows the five redirects and no other answer with a location', async () => {
    const server = own(
      await serve(({ url }, response) => {
        if (url === '/end') return response.end('here')
        return response.writeHead(Number(url?.slice(1)), { location: '/end' }).end()
      }),
    )
    const statuses = []
    for (const status of [301, 302, 303, 307, 308, 300, 304]) {
      const answer = await local().open(`${server.url}/${status}`)
      statuses.push(answer.status)
      answer.body.destroy()
    }
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 300, 304])
  })

  it('closes the answer of a redirect, and the request that it gave up', async () => {
    const closed: Promise<unknown>[] = []
    const noted = (response: ServerResponse) => closed.push(once(response, 'close'))
    const server = own(
      await serve(({ url }, response) => {
        if (url === '/end') return response.end('here')
        noted(response)
        if (url === '/endless') response.writeHead(302, { location: '/end' }).write('first')
      }),
    )
    const { body } = await local().open(`${server.url}/endless`)
    body.destroy()
    await faultOf(local().open(`${server.url}/mute`, { timeoutMs: 60 }))
    expect(closed).to.have.length(2)
    await Promise.all(closed)
  })

  it('does nothing for a caller who has given up before', async () => {
    let asked = 0
    const egress = out(async () => {
      asked++
      return []
    })
    const signal = AbortSignal.abort(new Error('left'))
    const reason: unknown = await egress
      .check('http://attacker.test/', { signal })
      .catch((error: Error) => error.message)
    expect([reason, asked]).to.deep.equal(['left', 0])
  })

  it('says in its reason that it refused, and passes faults of the name servers on', async () => {
    expect((await faultOf(out().check('http://127.0.0.1/'))).reason).to.equal('address_refused')
    const said = unprocessable('address_refused', 'Not this.')
    const away = new Fault('service_unavailable', 'The name servers are away.')
    for (const fault of [said, away]) {
      const egress = out(async () => {
        throw fault
      })
      expect(await faultOf(egress.check('http://attacker.test/'))).to.equal(fault)
    }
  })

  it('says which host is unreachable, and why to the log alone', async () => {
    const gone = await serve(() => {})
    await gone.close()
    const fault = await faultOf(local().open(gone.url))
    expect(fault.message).to.equal(`127.0.0.1:${gone.port} is unreachable.`)
    expect(fault.cause).to.have.property('code', 'ECONNREFUSED')
  })

  it('tells names that are not there from name servers that are away', async () => {
    for (const [code, expected] of [
      ['ENOTFOUND', 'validation_error'],
      ['ENODATA', 'validation_error'],
      ['ESERVFAIL', 'service_unavailable'],
    ] as const) {
      const egress = out(() => Promise.reject(Object.assign(new Error(code), { code })))
      const fault = await faultOf(egress.check('http://attacker.test/'))
      const words = expected === 'validation_error' ? 'public address' : 'DNS lookup'
      expect([fault.code, fault.message.includes(words)], code).to.deep.equal([expected, true])
    }
  })

  it('shows servers the name of the URL, no matter what the Host header says, and no name for an address', async () => {
    const names: string[] = []
    const tls = createServer({
      SNICallback(name, done) {
        names.push(name)
        done(new Error('No certificate is needed here.'))
      },
    })
    const { port } = own(await listen(tls))
    tls.on('tlsClientError', () => {})
    const egress = own(createEgress({ allowHosts: ['radio.lan', '127.0.0.1'], lookup: toLoopback }))
    for (const host of ['radio.lan', 'radio.lan.', '127.0.0.1']) {
      const asked = egress.open(`https://${host}:${port}/`, { headers: { host: 'evil.test' } })
      expect((await faultOf(asked)).code).to.equal('service_unavailable')
    }
    expect(names).to.deep.equal(['radio.lan', 'radio.lan'])
  })
})
