import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { openHlsBytes } from '../../../bot/audio/hls-bytes.ts'
import { PLAIN } from '../../../bot/audio/timbre.ts'
import { createEgress } from '../../../upstream/egress.ts'
import { useOpener } from '../../support/opener.ts'
import { amplitude, decode, longestSilenceMs, slice } from '../../support/sound.ts'
import { drain } from './draining.ts'
import { tempFolder } from './folder.ts'
import { toOgg } from './to-ogg.ts'

/** 400 Hz in the first three seconds, then 100 Hz more in each of the next ones. */
const STEPS = 'aevalsrc=0.3*sin(2*PI*t*(400+100*floor(t/3)))|0.3*sin(2*PI*t*(400+100*floor(t/3))):s=48000:d=12'

/** The loudest of the five tones in each second. */
async function tones(frames: readonly Buffer[]): Promise<number[]> {
  const sound = await decode(toOgg(frames))
  expect(longestSilenceMs(slice(sound, 0.2, sound.seconds - 0.2))).to.be.below(20)
  return Array.from({ length: Math.floor(sound.seconds) }, (_, second) => {
    const { left } = slice(sound, second + 0.3, second + 0.7)
    const level = (hz: number) => amplitude(left, hz)
    return [400, 500, 600, 700].toSorted((one, another) => level(another) - level(one))[0]!
  })
}

describe('a track in HLS segments', function () {
  this.timeout(20_000)
  const folder = tempFolder()
  const { openAtOnce } = useOpener(0)
  const asked: string[] = []
  /** What is answered instead of the file. */
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
    const wish = { startSamples: startMs * 48, timbre: PLAIN, onTitle: () => undefined }
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

  it('goes on with a live playlist as it grows, from near its end until it is over', async () => {
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
        const bytes = await openHlsBytes({ egress, url, isStream: false, onTrouble: () => undefined })
        for await (const chunk of bytes.read(0)) expect(chunk.length).to.equal(0)
      }
      expect(await read().catch((error: unknown) => error), url).to.have.property('code', 'validation_error')
    }
    await egress.close()
  })
})
