import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createFrameOpener } from '../../../../bot/audio/input/open-frames.ts'
import { filterGraphOf } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { IcyStripper } from '../../../../bot/audio/containers/shoutcast-metadata.ts'
import { TitleQueue } from '../../../../bot/audio/playback/stream-titles.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { readOggPackets } from '../../../../packages/sandbox/test/voice/ogg-reader.ts'
import { amplitude, decibels, decodeFrames, slice } from '../../../support/sound.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const HZ = 700

describe('a track behind an address', () => {
  const folder = tempFolder()
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  const opener = createFrameOpener(trackAccess(egress))
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | null = null
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.range)
    handle?.(request, response)
  })
  let ogg: Buffer = Buffer.alloc(0)
  let m4a: Buffer = Buffer.alloc(0)
  let mp3: Buffer = Buffer.alloc(0)

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ogg = make(folder.path('tone.ogg'), '-c:a', 'libopus', '-b:a', '128k')
    m4a = make(folder.path('tone.m4a'), '-b:a', '128k')
    mp3 = make(folder.path('tone.mp3'), '-b:a', '128k')
  })
  beforeEach(() => void (asked.length = 0))
  after(async () => {
    await opener.close()
    await egress.close()
    server.closeAllConnections()
    server.close()
  })

  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`

  function open(
    codec: 'ogg-opus' | 'other',
    { isStream = false, startMs = 0, volume = 100, titles = [] as string[], more = {} } = {},
  ) {
    const wish = {
      startSamples: startMs * 48,
      filterGraph: filterGraphOf(volume, {}, false),
      onTitle: (title: string) => void titles.push(title),
    }
    return opener.open(
      { kind: 'http', url: url('x?a=1'), codec, isStream, ...more },
      wish,
      new AbortController().signal,
    )
  }

  /** A host that knows Range; `cut` says after how many bytes an answer breaks off. */
  function serve(bytes: Buffer, cut: (answer: number) => number = () => Infinity, ranges = true): void {
    let answers = 0
    handle = (request, response) => {
      const from = ranges ? Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
      const headers = { 'content-length': bytes.length - from, etag: '"1"' }
      const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
      response.writeHead(ranges ? 206 : 200, ranges ? { ...headers, ...range } : headers)
      const most = cut(answers++)
      const part = bytes.subarray(from, from + Math.min(most, bytes.length))
      if (part.length < bytes.length - from) response.write(part, () => setTimeout(() => response.destroy(), 20))
      else response.end(part)
    }
  }

  const expected = () => readOggPackets(ogg).map((packet) => packet.bytes)

  it('loses nothing when the connection breaks off, and asks only for the rest', async () => {
    serve(ogg, (answer) => (answer < 3 ? 60_000 : Infinity))
    const frames = await drain(await open('ogg-opus'))
    expect(Buffer.concat(frames).equals(Buffer.concat(expected()))).to.equal(true)
    expect(asked.length).to.equal(4)
    expect(asked.slice(1).every((range) => range !== 'bytes=0-')).to.equal(true)
  })

  it('loses nothing either when the host cannot resume', async () => {
    serve(ogg, (answer) => (answer < 1 ? 60_000 : Infinity), false)
    const frames = await drain(await open('ogg-opus'))
    expect(Buffer.concat(frames).equals(Buffer.concat(expected()))).to.equal(true)
  })

  it('tells what failed when the host never comes back', async () => {
    let count = 0
    handle = (_, response) => {
      if (count++ > 0) return void response.destroy()
      response.writeHead(200, { 'content-length': ogg.length })
      response.write(ogg.subarray(0, 50_000), () => setTimeout(() => response.destroy(), 20))
    }
    const failure = await drain(await open('ogg-opus')).catch((error: unknown) => error)
    expect(failure).to.include({ name: 'Fault' })
  })

  it('tells what failed where ffmpeg reads it in ranges and takes the break for the end', async () => {
    serve(mp3, (answer) => (answer === 0 ? 50_000 : 0))
    const failure = await open('other')
      .then((source) => drain(source))
      .catch((error: unknown) => error)
    expect(failure).to.include({ name: 'Fault', code: 'upstream_failed' })
  })

  for (const [title, ranges] of [
    ['in ranges', true],
    ['from its start alone', false],
  ] as const) {
    it(`ends as it should where the host promised more than it has, and sends it ${title}`, async () => {
      const promised = ogg.length + 5000
      handle = (request, response) => {
        const from = ranges ? Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
        if (from >= ogg.length) return void response.writeHead(416).end()
        const range = ranges ? { 'content-range': `bytes ${from}-${promised - 1}/${promised}` } : {}
        response.writeHead(ranges ? 206 : 200, { 'content-length': promised - from, ...range })
        response.write(ogg.subarray(from), () => setTimeout(() => response.destroy(), 20))
      }
      const frames = await drain(await open('ogg-opus'))
      expect(Buffer.concat(frames).equals(Buffer.concat(expected()))).to.equal(true)
    })
  }

  it('is refused with the status when the host refuses', async () => {
    for (const [status, code] of [
      [403, 'not_found'],
      [418, 'upstream_failed'],
    ] as const) {
      handle = (_, response) => void response.writeHead(status).end()
      for (const codec of ['ogg-opus', 'other'] as const) {
        const failure = await open(codec).catch((error: unknown) => error)
        expect(failure).to.include({ code })
        expect((failure as Error).message).to.contain(String(status))
      }
    }
  })

  it('is decoded even when its index stands at the end, from the middle, and over drops', async () => {
    serve(m4a, (answer) => (answer === 2 ? 20_000 : Infinity))
    const source = await open('other', { startMs: 10_000 })
    const frames = await drain(source)
    expect(frames.length).to.be.within(499, 504)
    const { left } = slice(await decodeFrames(frames), 1, 9)
    expect(decibels(amplitude(left, HZ), 0.1)).to.be.closeTo(0, 0.5)
  })

  it('is decoded from the middle at another volume when the host cannot jump', async () => {
    serve(mp3, () => Infinity, false)
    const frames = await drain(await open('other', { startMs: 15_000, volume: 50 }))
    expect(frames.length).to.be.within(249, 256)
    const { left } = slice(await decodeFrames(frames), 1, 4)
    expect(decibels(amplitude(left, HZ), 0.05)).to.be.closeTo(0, 0.5)
  })

  it('is asked for from a later second where the host encodes as it sends, and only there', async () => {
    const urls: string[] = []
    handle = (request, response) => {
      urls.push(request.url ?? '')
      const from = Number(new URL(request.url ?? '', url('')).searchParams.get('from') ?? 0)
      response
        .writeHead(200, { 'content-type': 'audio/mpeg' })
        .end(from > 0 ? tailOf(folder.path('tone.mp3'), from) : mp3)
    }
    const more = { offsetParameter: 'from' }
    const frames = await drain(await open('other', { startMs: 12_500, more }))
    expect(frames.length).to.be.within(370, 381)
    expect(urls.at(-1)).to.equal('/x?a=1&from=12')
    // A host that says a length sends a file, and would not begin later.
    serve(mp3, () => Infinity, false)
    expect((await drain(await open('other', { startMs: 12_500, more }))).length).to.be.within(370, 381)
  })

  it('is reached at a private address where the operator configured its host, and only there', async () => {
    serve(mp3)
    const strict = createEgress({ allowHosts: [] })
    const other = createFrameOpener(trackAccess(strict))
    const wish = { startSamples: 0, filterGraph: filterGraphOf(100, {}, false), onTitle: () => undefined }
    const track = { kind: 'http', url: url('x'), codec: 'other', isStream: false } as const
    const operatorHost = new URL(url('')).host
    try {
      const { signal } = new AbortController()
      expect((await drain(await other.open({ ...track, operatorHost }, wish, signal))).length).to.be.above(900)
      const failure = await other.open(track, wish, signal).catch((error: unknown) => error)
      expect(failure).to.include({ code: 'validation_error', reason: 'address_refused' })
    } finally {
      await other.close()
      await strict.close()
    }
  })

  it('plays an internet radio, takes its titles out of the sound and tells them', async () => {
    const titles: string[] = []
    const told = ["StreamTitle='Don't stop; it's on';", "StreamTitle='Zweites Stück';StreamUrl='';"]
    let connections = 0
    handle = (request, response) => {
      expect(request.headers['icy-metadata']).to.equal('1')
      if (connections++ > 0) return
      response.writeHead(200, { 'icy-metaint': '8000', 'content-type': 'audio/mpeg' })
      for (let at = 0, i = 0; at < mp3.length; at += 8000, i++) {
        response.write(mp3.subarray(at, at + 8000))
        const text = Buffer.from(i === 0 || i === 5 ? told[Math.min(i, 1)]! : '')
        const block = Buffer.alloc(1 + Math.ceil(text.length / 16) * 16)
        block[0] = (block.length - 1) / 16
        text.copy(block, 1)
        if (at + 8000 <= mp3.length) response.write(block)
      }
    }
    const source = await open('other', { isStream: true, titles })
    const frames = await drain(source, 700)
    expect(titles).to.deep.equal(["Don't stop; it's on", 'Zweites Stück'])
    const { left } = slice(await decodeFrames(frames), 1, 13)
    expect(decibels(amplitude(left, HZ), 0.1)).to.be.closeTo(0, 0.5)
  })

  it('refuses a radio that sends a title after every few bytes of sound', async () => {
    handle = (_, response) => void response.writeHead(200, { 'icy-metaint': '1' }).end(mp3.subarray(0, 4000))
    const failure = await open('other', { isStream: true }).catch((error: unknown) => error)
    expect(failure).to.have.property('message').that.includes('too often')
  })

  it('keeps one title for each frame that waits, however many come', () => {
    const titles = new TitleQueue()
    for (let i = 0; i < 100_000; i += 1) titles.push(`title ${i}`)
    expect(titles.take(0)).to.equal('title 99999')
    expect(titles.take(1)).to.equal(null)
  })

  it('has its titles found however the bytes are cut, in the Latin-1 of old stations too', () => {
    const text = Buffer.from("StreamTitle='Motörhead';", 'latin1')
    const block = Buffer.alloc(1 + 32)
    block[0] = 2
    text.copy(block, 1)
    const bytes = Buffer.concat([
      Buffer.alloc(100, 1),
      block,
      Buffer.alloc(100, 2),
      Buffer.alloc(1),
      Buffer.alloc(50, 3),
    ])
    for (const size of [1, 3, 33, 1000]) {
      const titles: string[] = []
      const stripper = new IcyStripper(100, (title) => titles.push(title))
      const sound: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) sound.push(...stripper.push(bytes.subarray(at, at + size)))
      expect(titles).to.deep.equal(['Motörhead'])
      const wanted = Buffer.concat([Buffer.alloc(100, 1), Buffer.alloc(100, 2), Buffer.alloc(50, 3)])
      expect(Buffer.concat(sound).equals(wanted)).to.equal(true)
    }
  })

  it('reads ahead into a bounded window and no further', async () => {
    let written = 0
    handle = (_, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && written < 50_000_000) {
          written += mp3.length
          if (!response.write(mp3)) break
        }
      }
      response.on('drain', more)
      more()
    }
    const source = await open('other', { isStream: true })
    try {
      await source.ready(600)
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(source.buffered).to.be.within(500, 1200)
      // Far less than the 50 MB: the window and the socket buffers of both sides.
      expect(written).to.be.below(25_000_000)
    } finally {
      source.close()
    }
  })
})

function make(path: string, ...options: string[]): Buffer {
  const tone = ['-f', 'lavfi', '-i', `aevalsrc=0.1*sin(${HZ}*2*PI*t)|0.1*sin(${HZ}*2*PI*t):s=48000:d=20`]
  ffmpegOnce([...tone, ...options], path)
  return readFileSync(path)
}

/** The file from that second on. */
function tailOf(path: string, seconds: number): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', '-ss', String(seconds), '-i', path, '-f', 'mp3', 'pipe:1'])
}
