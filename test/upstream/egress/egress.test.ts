import { expect } from 'chai'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import type { Lookup } from '../../../upstream/egress/dns.ts'
import { closing } from '../../support/closing.ts'
import { faultOf, listen, serve } from '../../support/web.ts'

/** Every name but one leads to this machine. */
const privateNames: Lookup = async (host) => (host === 'none.test' ? [] : [{ address: '127.0.0.1', family: 4 }])

describe('egress', () => {
  const own = closing()
  const local = () => own(createEgress({ allowHosts: ['127.0.0.1'] }))

  it('reaches allowed hosts by host or by host and port only', async () => {
    const open = own(await serve((_, response) => response.end('yes')))
    const shut = own(await serve((_, response) => response.end('no')))
    const lookup = privateNames

    const byPort = own(createEgress({ allowHosts: [`127.0.0.1:${open.port}`], lookup }))
    expect(await text((await byPort.open(`http://127.0.0.1:${open.port}/`)).body)).to.equal('yes')
    expect((await faultOf(byPort.open(`http://127.0.0.1:${shut.port}/`))).code).to.equal('validation_error')

    const byName = own(createEgress({ allowHosts: ['Radio.LAN'], lookup }))
    expect(await text((await byName.open(`http://radio.lan:${shut.port}/`)).body)).to.equal('no')
    expect((await faultOf(byName.open(`http://tv.lan:${shut.port}/`))).code).to.equal('validation_error')
    expect((await faultOf(byName.open(`http://127.0.0.1:${shut.port}/`))).code).to.equal('validation_error')
  })

  it('keeps what it reaches for the operator from callers, open connections and redirects too', async () => {
    const inner = own(await serve((_, response) => response.end('inner')))
    const configured = own(
      await serve(({ url }, response) => {
        if (url === '/away') response.writeHead(302, { location: inner.url }).end()
        else response.end('configured')
      }),
    )
    const out = own(createEgress({ allowHosts: [] }))
    const wider = out.allowing(`127.0.0.1:${configured.port}`)
    expect(await text((await wider.open(configured.url)).body)).to.equal('configured')
    expect((await faultOf(out.open(configured.url))).reason).to.equal('address_refused')
    expect((await faultOf(wider.open(`${configured.url}/away`))).reason).to.equal('address_refused')
    await out.close()
    expect((await faultOf(wider.open(configured.url))).code).to.equal('service_unavailable')
  })

  it('knows every way to write an allowed host, and says when one is nonsense', async () => {
    const out = own(createEgress({ allowHosts: ['[::1]:9000', '::2', '10.0.0.7'] }))
    for (const url of [
      'http://[::1]:9000/',
      'http://[0:0::2]/',
      'http://[::2]:22/',
      'http://10.7/',
      'http://10.0.0.7:1/',
    ])
      await out.check(url)
    await faultOf(out.check('http://[::1]:9001/'))
    expect(() => createEgress({ allowHosts: ['http://radio.lan/'] })).to.throw('must be a host')
    expect(() => createEgress({ allowHosts: ['a b'] })).to.throw('must be a host')
  })

  it('follows redirects and says where it ended', async () => {
    const server = own(
      await serve(({ url }, response) => {
        if (url === '/end') return response.writeHead(200, { 'X-Twice': ['a', 'b'] }).end('here')
        response
          .writeHead(url === '/1' ? 302 : 308, {
            location: url === '/1' ? '2' : '//127.0.0.1:PORT/end'.replace('PORT', String(server.port)),
          })
          .end()
      }),
    )
    const out = own(createEgress({ allowHosts: [`127.0.0.1:${server.port}`] }))
    const answer = await out.open(`${server.url}/1`)
    expect(answer.url.pathname).to.equal('/end')
    expect(answer.headers['x-twice']).to.equal('a, b')
    expect(await text(answer.body)).to.equal('here')
  })

  it('checks every redirect like the first URL', async () => {
    let hits = 0
    const inner = own(await serve((_, response) => response.end(String(hits++))))
    let location = ''
    const server = own(await serve((_, response) => response.writeHead(302, { location }).end()))
    const out = own(createEgress({ allowHosts: [`127.0.0.1:${server.port}`], lookup: privateNames }))
    for (location of [
      `http://127.0.0.1:${inner.port}/`,
      `//127.0.0.1:${inner.port}/`,
      `http://[::ffff:127.0.0.1]:${inner.port}/`,
      'http://loop.test/',
      'file:///etc/passwd',
      'http://user@attacker.test/',
      'http://[',
    ]) {
      const fault = await faultOf(out.open(server.url))
      expect(fault.code, location).to.equal('validation_error')
    }
    expect(hits).to.equal(0)
  })

  it('gives up on a redirect loop', async () => {
    let hits = 0
    const server = own(await serve((_, response) => response.writeHead(302, { location: `/${hits++}` }).end()))
    const out = local()
    const fault = await faultOf(out.open(server.url, { maxRedirects: 3 }))
    expect(fault.message).to.contain('more than 3 times')
    expect(hits).to.equal(4)
  })

  it('sends the headers it is given and an own user agent', async () => {
    const server = own(await serve((asked, response) => response.end(JSON.stringify(asked.headers))))
    const out = local()
    const answer = await out.open(server.url, { headers: { 'icy-metadata': '1' } })
    const headers = JSON.parse(await text(answer.body))
    expect(headers).to.include({ 'icy-metadata': '1', host: `127.0.0.1:${server.port}` })
    expect(headers['user-agent']).to.match(/^Bandstand\//)
  })

  it('answers with whatever status came', async () => {
    const server = own(await serve((_, response) => response.writeHead(404).end('gone')))
    const answer = await local().open(server.url)
    expect(answer.status).to.equal(404)
    answer.body.destroy()
  })

  it('bounds the wait for headers, and only that', async () => {
    const server = own(
      await serve(({ url }, response) => {
        if (url === '/mute') return
        response.write('first')
        setTimeout(() => response.end(' second'), 600)
      }),
    )
    const out = local()
    const fault = await faultOf(out.open(`${server.url}/mute`, { timeoutMs: 60 }))
    expect(fault.code).to.equal('service_unavailable')
    expect(fault.message).to.contain("didn't respond within 0.06 s")
    const answer = await out.open(`${server.url}/slow`, { timeoutMs: 500 })
    expect(await text(answer.body)).to.equal('first second')
  })

  it('bounds the wait for a name', async () => {
    const out = own(createEgress({ allowHosts: [], lookup: () => new Promise(() => {}) }))
    const fault = await faultOf(out.check('http://slow.test/', { timeoutMs: 30 }))
    expect(fault.code).to.equal('service_unavailable')
  })

  it('tells an unreachable host from a refused one, and neither from a private name', async () => {
    const gone = await serve(() => {})
    await gone.close()
    const dead = await faultOf(local().open(gone.url))
    expect(dead.code).to.equal('service_unavailable')

    const out = own(createEgress({ allowHosts: [], lookup: privateNames }))
    const inside = await faultOf(out.check('http://priv.test/'))
    const nowhere = await faultOf(out.check('http://none.test/'))
    expect(inside.message.replace('priv', 'none')).to.equal(nowhere.message)
    expect(inside.message).not.to.match(/\d/)
  })

  it("ends with the caller's own reason when the caller gives up, before and after the headers", async () => {
    const server = own(
      await serve(({ url }, response) => {
        if (url === '/body') response.write('first')
      }),
    )
    const out = local()
    const first = new AbortController()
    const pending = out.open(server.url, { signal: first.signal })
    first.abort(new Error('left'))
    expect(await pending.catch((error: Error) => error.message)).to.equal('left')

    const second = new AbortController()
    const answer = await out.open(`${server.url}/body`, { signal: second.signal })
    const read = text(answer.body)
    second.abort(new Error('left'))
    expect(await read.catch((error: Error) => error.message)).to.equal('left')
  })

  it('reads the answers of old SHOUTcast servers, however their first bytes are cut', async () => {
    const answer = 'ICY 200 OK\r\nicy-name:Old Radio\r\nContent-Type:audio/mpeg\r\n\r\nmusic'
    for (const cut of [0, 1, 3, 4, 9]) {
      const shoutcast = createServer((socket) => {
        socket.once('data', () => {
          socket.write(answer.slice(0, cut))
          setTimeout(() => socket.end(answer.slice(cut)), 5)
        })
      })
      const server = own(await listen(shoutcast))
      const opened = await local().open(server.url)
      expect(opened.status).to.equal(200)
      expect(opened.headers['icy-name']).to.equal('Old Radio')
      expect(await text(opened.body)).to.equal('music')
    }
  })

  it('ends an answer in pieces of one byte within 2,000 of them, and leaves small frames of a long stream alone', async () => {
    let sent = 0
    const server = own(
      await serve(({ url }, response) => {
        const piece = Buffer.alloc(url === '/frames' ? 60 : 1)
        const drip = (): void => {
          while (!response.destroyed && sent < 20_000) {
            sent++
            if (!response.write(piece)) return void response.once('drain', drip)
          }
          response.end()
        }
        drip()
      }),
    )
    const out = own(createEgress({ allowHosts: [`127.0.0.1:${server.port}`] }))
    const frames = await out.open(`${server.url}/frames`)
    expect((await buffer(frames.body)).length).to.equal(1_200_000)
    sent = 0
    const bytes = await out.open(`${server.url}/bytes`)
    let read = 0
    const ended = (async () => {
      for await (const chunk of bytes.body) read += chunk.length
    })()
    expect(await ended.catch((error: unknown) => error)).to.have.property('name', 'TooManyPieces')
    expect(read).to.be.below(2000)
  })

  it('works inside a worker thread', async () => {
    const server = own(await serve((_, response) => response.end('yes')))
    const file = JSON.stringify(join(import.meta.dirname, '../../../upstream/egress/egress-guard.ts'))
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads')
       import(${file}).then(async ({ createEgress }) => {
         const out = createEgress({ allowHosts: ['127.0.0.1'] })
         const { body } = await out.open('${server.url}/')
         const said = await new Response(body).text()
         const refused = await out.open('http://10.0.0.1/').catch((error) => error.code)
         await out.close()
         parentPort.postMessage([said, refused])
       })`,
      { eval: true },
    )
    const said = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    expect(said).to.deep.equal(['yes', 'validation_error'])
    await worker.terminate()
  })
})
