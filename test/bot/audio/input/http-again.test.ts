import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { openHttpBytes } from '../../../../bot/audio/input/http-bytes.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { serve, type Listening } from '../../../support/web.ts'

/** No two of its places are the same. */
const FILE = bytesOf('file', 120_000)

describe('a host that is asked again', () => {
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  let server: Listening
  let asked: (string | undefined)[] = []
  let answer: (response: ServerResponse, number: number, request: IncomingMessage) => void

  before(async () => {
    server = await serve((request, response) => {
      asked.push(request.headers.range)
      answer(response, asked.length, request)
    })
  })
  beforeEach(() => (asked = []))
  after(async () => {
    await server.close()
    await egress.close()
  })

  /** Reads the resource, for up to `ms` or up to about `most` bytes. */
  async function read({ isStream = false, ms = 20_000, most = Infinity }): Promise<Buffer> {
    const quiet = { onTitle: () => undefined, onTrouble: () => undefined }
    const source = await openHttpBytes({ egress, url: server.url, isStream, ...quiet })
    const timer = setTimeout(() => source.close(), ms)
    const chunks: Buffer[] = []
    try {
      let bytes = 0
      for await (const chunk of source.read(0)) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= most) break
      }
    } finally {
      clearTimeout(timer)
      source.close()
    }
    return Buffer.concat(chunks)
  }

  it('ends what was taken for a radio once it begins again with the same', async () => {
    answer = (response) => void response.writeHead(200, { 'icy-name': 'x' }).end(FILE)
    expect((await read({ isStream: true })).equals(FILE)).to.equal(true)
    expect(asked).to.have.length(2)
  })

  it('goes on with a radio that begins again with something else', async () => {
    answer = (response, number) => void response.writeHead(200).end(bytesOf(`part ${number}`, 30_000))
    const heard = await read({ isStream: true, most: 60_000 })
    expect(heard.equals(Buffer.concat([bytesOf('part 1', 30_000), bytesOf('part 2', 30_000)]))).to.equal(true)
  })

  it('goes on with a radio whose connection broke off, even if it begins with the same', async () => {
    answer = (response) => breakOff(response.writeHead(200), FILE.subarray(0, 30_000))
    expect(await read({ isStream: true, most: 60_000 })).to.have.length(60_000)
  })

  it('waits longer each time where answers are empty or odd', async () => {
    for (const odd of [Buffer.alloc(0), Buffer.from('?')]) {
      for (const isStream of [true, false]) {
        asked = []
        // Each differs, so that none is known again, and promises more than it sends.
        answer = (response, number) => {
          response.writeHead(200, isStream ? {} : { 'content-length': 5000 })
          if (isStream) response.end(odd.length > 0 ? `${number}` : '')
          else breakOff(response, odd.length > 0 ? odd : Buffer.from('!'))
        }
        await read({ isStream, ms: 1500 }).catch(() => undefined)
        expect(asked.length, `${odd.length} ${isStream}`).to.be.within(2, 3)
      }
    }
  })

  it('loses nothing of a track without a length that breaks off, though its host cannot resume', async () => {
    answer = (response, number) => {
      response.writeHead(200)
      if (number === 1) breakOff(response, FILE.subarray(0, 50_000))
      else response.end(FILE)
    }
    expect((await read({})).equals(FILE)).to.equal(true)
  })

  it('takes what is sent then where a track without a length turns out to be a radio', async () => {
    answer = (response, number) => {
      response.writeHead(200)
      if (number === 1) breakOff(response, FILE.subarray(0, 50_000))
      else response.end(bytesOf('later', 20_000))
    }
    const heard = await read({})
    expect(heard.subarray(-20_000).equals(bytesOf('later', 20_000))).to.equal(true)
  })

  for (const [how, total, ending] of [
    ['with 416', '*', 416],
    ['with an empty part', '*', 206],
    ['by its total', String(FILE.length), 0],
  ] as const) {
    it(`joins parts of any size and place, and ends ${how}`, async () => {
      answer = (response, number, request) => {
        const wanted = Number(/\d+/.exec(request.headers.range ?? '')?.[0])
        if (wanted >= FILE.length) return void response.writeHead(ending, { 'content-range': `bytes */${total}` }).end()
        // The part starts at a block boundary of the server's disk.
        const from = wanted - (wanted % 4096)
        const part = FILE.subarray(from, Math.min(FILE.length, from + 8192 * number))
        const headers = { 'content-range': `bytes ${from}-${from + part.length - 1}/${total}` }
        response.writeHead(206, { ...headers, 'content-length': part.length }).end(part)
      }
      expect((await read({})).equals(FILE)).to.equal(true)
      expect(asked.length).to.be.below(10)
    })
  }

  it('takes all of it from a host that gives the first part as a part and then all at once', async () => {
    answer = (response, number) => {
      const range = `bytes 0-29999/${FILE.length}`
      if (number > 1) response.writeHead(200).end(FILE)
      else response.writeHead(206, { 'content-range': range }).end(FILE.subarray(0, 30_000))
    }
    expect((await read({})).equals(FILE)).to.equal(true)
  })
})

function breakOff(response: ServerResponse, bytes: Buffer): void {
  response.write(bytes, () => setTimeout(() => response.destroy(), 20))
}

function bytesOf(seed: string, length: number): Buffer {
  const hashes: Buffer[] = []
  for (let i = 0; i * 32 < length; i++) hashes.push(createHash('sha256').update(`${seed} ${i}`).digest())
  return Buffer.concat(hashes).subarray(0, length)
}
