import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { openHlsBytes } from '../../../../bot/audio/input/hls-bytes.ts'
import type { TrackAccess } from '../../../../bot/audio/input/open-bytes.ts'
import { PLAIN } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import type { ReadHlsWindow } from '../../../../bot/sources/hls/hls-windows.ts'
import { Fault } from '../../../../lib/errors.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { closing } from '../../../support/closing.ts'
import { useOpener } from '../../../support/opener.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { amplitude, decodeFrames, longestSilenceMs, slice } from '../../../support/sound.ts'
import { serve } from '../../../support/web.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'

/** 400 Hz in the first three seconds, then 100 Hz more in each of the next ones. */
const STEPS = 'aevalsrc=0.3*sin(2*PI*t*(400+100*floor(t/3)))|0.3*sin(2*PI*t*(400+100*floor(t/3))):s=48000:d=12'

/** The loudest of the five tones in each second. */
async function tones(frames: readonly Buffer[]): Promise<number[]> {
  const sound = await decodeFrames(frames)
  expect(longestSilenceMs(slice(sound, 0.2, sound.seconds - 0.2))).to.be.below(20)
  return Array.from({ length: Math.floor(sound.seconds) }, (_, second) => {
    const { left } = slice(sound, second + 0.3, second + 0.7)
    const level = (hz: number) => amplitude(left, hz)
    return [400, 500, 600, 700].toSorted((one, another) => level(another) - level(one))[0]!
  })
}

describe('a track in HLS segments', () => {
  const folder = tempFolder()
  const { openAtOnce } = useOpener(0)
  const asked: string[] = []
  /** Responses that replace the files. */
  const other = new Map<string, () => { status: number; body: string }>()
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').slice(1)
    asked.push(path)
    const instead = other.get(path)?.()
    if (instead) return response.writeHead(instead.status).end(instead.body)
    try {
      const file = readFileSync(folder.path(path))
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
      if (from === undefined) return response.end(file)
      return response.writeHead(206).end(file.subarray(Number(from), Number(to) + 1))
    } catch {
      return response.writeHead(404).end()
    }
  })
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    writeFileSync(folder.path('key.bin'), Buffer.from('0123456789abcdef'))
    writeFileSync(folder.path('key.info'), `key.bin\n${folder.path('key.bin')}\n`)
    pack('ts', '-hls_key_info_file', folder.path('key.info'))
    pack('mp4', '-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'mp4-init.mp4')
    pack('one', '-hls_flags', 'single_file')
  })
  beforeEach(() => {
    asked.length = 0
    other.clear()
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  function pack(name: string, ...options: string[]) {
    const input = ['-v', 'error', '-y', '-f', 'lavfi', '-i', STEPS, '-c:a', 'aac', '-b:a', '128k']
    const hls = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0', '-hls_playlist_type', 'vod', ...options]
    execFileSync('ffmpeg', [...input, ...hls, `${name}.m3u8`], { cwd: folder.path('.') })
  }

  function open(name: string, { startMs = 0, isStream = false } = {}) {
    const wish = { startSamples: startMs * 48, filterGraph: PLAIN, onTitle: () => undefined }
    const track = { kind: 'hls', url: `${base()}/${name}.m3u8`, codec: 'other', isStream } as const
    return openAtOnce(track, wish, new AbortController().signal)
  }

  for (const [name, what] of [
    ['ts', 'encrypted'],
    ['mp4', 'in fragmented MP4'],
    ['one', 'as parts of one file'],
  ] as const) {
    it(`plays to its end, ${what}`, async () => {
      const frames = await drain(await open(name))
      expect(frames.length).to.be.within(598, 606)
      const heard = await tones(frames)
      expect(heard.slice(0, 11)).to.deep.equal([400, 400, 400, 500, 500, 500, 600, 600, 600, 700, 700])
    })

    it(`begins anywhere and fetches nothing of what lies before, ${what}`, async () => {
      const frames = await drain(await open(name, { startMs: 6500 }))
      expect(frames.length).to.be.within(270, 280)
      expect((await tones(frames)).slice(0, 5)).to.deep.equal([600, 600, 700, 700, 700].slice(0, 5))
      expect(asked.some((path) => /(?:ts|mp4)[01]\.(?:ts|m4s)$/.test(path))).to.equal(false)
    })
  }

  it('continues with a live playlist as it grows, from near its end until it is over', async () => {
    const files = readdirSync(folder.path('.')).filter((one) => /^mp4\d\.m4s$/.test(one))
    expect(files.length).to.be.within(6, 7)
    let loads = 0
    other.set('live.m3u8', () => {
      // One segment more with each look, and the first ones gone.
      const to = Math.min(4 + loads++, files.length)
      const first = Math.max(0, to - 4)
      const lines = files.slice(first, to).flatMap((file) => ['#EXTINF:2,', file])
      const end = to === files.length ? ['#EXT-X-ENDLIST'] : []
      const head = ['#EXTM3U', '#EXT-X-TARGETDURATION:1', `#EXT-X-MEDIA-SEQUENCE:${first}`]
      const text = [...head, '#EXT-X-MAP:URI="mp4-init.mp4"', ...lines, ...end].join('\n')
      return { status: loads === 2 ? 503 : 200, body: text }
    })
    const frames = await drain(await open('live', { isStream: true }))
    expect(await tones(frames)).to.include.members([400, 500, 600, 700])
    expect(asked.filter((path) => path.endsWith('.m4s'))).to.deep.equal(files.slice(1))
    expect(frames.length).to.be.within(495, 510)
  })

  it('bridges a segment that fails for a moment, and tells when one is gone for good', async () => {
    let failures = 2
    other.set('mp43.m4s', () => (failures-- > 0 ? { status: 500, body: '' } : undefined) as never)
    expect((await drain(await open('mp4'))).length).to.be.within(598, 606)
    other.set('mp43.m4s', () => ({ status: 404, body: '' }))
    const source = await open('mp4')
    const failure = await drain(source).catch((error: unknown) => error)
    expect(failure).to.have.property('code', 'not_found')
  })

  it('reaches nothing that the egress guard does not allow: no playlist, no segment, no key', async () => {
    const egress = createEgress({ allowHosts: [`127.0.0.1:${new URL(base()).port}`] })
    const head = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n'
    const lists = {
      segment: `${head}#EXTINF:2,\nhttp://127.0.0.1:1/a.ts\n#EXT-X-ENDLIST\n`,
      key: `${head}#EXT-X-KEY:METHOD=AES-128,URI="http://169.254.169.254/"\n#EXTINF:2,\nts0.ts\n#EXT-X-ENDLIST\n`,
      init: `${head}#EXT-X-MAP:URI="http://[::1]:9000/"\n#EXTINF:2,\nmp40.m4s\n#EXT-X-ENDLIST\n`,
    }
    for (const [name, body] of Object.entries(lists)) other.set(`${name}.m3u8`, () => ({ status: 200, body }))
    for (const url of [...Object.keys(lists).map((name) => `${base()}/${name}.m3u8`), 'http://10.0.0.1/x.m3u8']) {
      const read = async () => {
        const bytes = await openHlsBytes({ ...trackAccess(egress), url, isStream: false, onTrouble: () => undefined })
        for await (const chunk of bytes.read(0)) expect(chunk.length).to.equal(0)
      }
      expect(await read().catch((error: unknown) => error), url).to.have.property('code', 'validation_error')
    }
    await egress.close()
  })
})

describe('the windows of an HLS playlist', () => {
  const own = closing()
  const LINES = Array.from({ length: 100 }, (_, i) => `#EXTINF:2,\n/${i}.ts\n`)

  async function serveText(text: () => string) {
    let asked = 0
    const web = own(
      await serve((request, response) => {
        if (!request.url?.endsWith('.m3u8')) return void response.end(request.url)
        asked += 1
        response.end(text())
      }),
    )
    return { url: `${web.url}/a.m3u8`, asked: () => asked }
  }

  async function read(options: { url: string; isStream?: boolean; fromMs?: number; access?: TrackAccess }) {
    const { url, isStream = false, fromMs = 0, access = trackAccess() } = options
    const troubles: string[] = []
    const onTrouble = (text: string) => void troubles.push(text)
    const source = own(await openHlsBytes({ ...access, url, isStream, onTrouble }))
    const entered = await source.readFromTime?.(fromMs)
    const parts: string[] = []
    for await (const part of entered!.bytes) parts.push(part.toString())
    return { parts, fromMs: entered?.fromMs, troubles }
  }

  it('follow each other to the end of a long recording, from any moment, with one look at the playlist', async () => {
    const { url, asked } = await serveText(() => `#EXTM3U\n${LINES.join('')}#EXT-X-ENDLIST\n`)
    const sizes: number[] = []
    const { egress, readHlsWindow } = trackAccess()
    const counted: ReadHlsWindow = async (request, signal) => {
      const window = await readHlsWindow(request, signal)
      sizes.push(window.segments.length)
      return window
    }
    const access = { egress, readHlsWindow: counted }
    expect((await read({ url, access })).parts).to.deep.equal(LINES.map((_, i) => `/${i}.ts`))
    expect(sizes).to.deep.equal([32, 32, 32, 4])
    const late = await read({ url, access, fromMs: 181_000 })
    expect(late.fromMs).to.equal(180_000)
    expect(late.parts).to.deep.equal(Array.from({ length: 10 }, (_, i) => `/${i + 90}.ts`))
    expect(asked()).to.equal(2)
  })

  it('are asked for again while the thread that reads them is away, without a gap', async () => {
    let loads = 0
    const { url } = await serveText(() => {
      const to = Math.min(6, 3 + loads++)
      return `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${LINES.slice(0, to).join('')}${to === 6 ? '#EXT-X-ENDLIST\n' : ''}`
    })
    const { egress, readHlsWindow } = trackAccess()
    let failures = 0
    const shaky: ReadHlsWindow = async (request, signal) => {
      if (loads === 2 && failures++ < 3) throw new Fault('service_unavailable', 'The thread was replaced.')
      return readHlsWindow(request, signal)
    }
    const { parts, troubles } = await read({ url, isStream: true, access: { egress, readHlsWindow: shaky } })
    expect(parts).to.deep.equal(['/0.ts', '/1.ts', '/2.ts', '/3.ts', '/4.ts', '/5.ts'])
    expect(troubles).to.have.length(3)
  })

  it('begin again when a live server counts from the start', async () => {
    let loads = 0
    const { url } = await serveText(() => {
      loads += 1
      if (loads === 1) return `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:90\n${LINES.slice(90).join('')}`
      return `#EXTM3U\n${LINES.slice(0, 2).join('')}#EXT-X-ENDLIST\n`
    })
    const { parts } = await read({ url, isStream: true })
    expect(parts).to.deep.equal(['/97.ts', '/98.ts', '/99.ts', '/0.ts', '/1.ts'])
  })

  it('end with a failure that says so where a live playlist lists nothing new any more, all of it heard', async () => {
    const { url } = await serveText(() => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${LINES.slice(0, 3).join('')}`)
    let at = 0
    const options = { ...trackAccess(), url, isStream: true, onTrouble: () => undefined, now: () => (at += 3000) }
    const source = own(await openHlsBytes(options))
    const parts: string[] = []
    const reading = async () => {
      for await (const part of source.read(0)) parts.push(part.toString())
    }
    const failure = await reading().catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Fault).with.property('reason', 'unplayable')
    expect(String(failure)).to.match(/nothing new for 1\d seconds/)
    expect(parts).to.deep.equal(['/0.ts', '/1.ts', '/2.ts'])
  })

  it('are refused where a live playlist is larger than 512 KiB', async () => {
    const { url } = await serveText(() => `#EXTM3U\n${'#EXT-X-NOTE:a\n'.repeat(40_000)}${LINES.join('')}`)
    const failure = await read({ url, isStream: true }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Fault)
  })
})
