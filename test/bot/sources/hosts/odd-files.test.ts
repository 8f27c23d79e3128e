import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filterGraphOf } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { fileBytes } from '../../../../bot/sources/http/random-access.ts'
import { probeUrl } from '../../../../bot/sources/http/probe.ts'
import { readFacts, sniffBytes } from '../../../../bot/sources/library/audio-tags.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { MANNERS, type MannerName } from '../../../support/odd-hosts.ts'
import { apeTag, coverFrame, id3, id3WithFooter, textFrame } from '../../../support/odd-sounds.ts'
import { madeOnce } from '../../../support/made-once.ts'
import { useOpener } from '../../../support/opener.ts'
import { faultOf, serve, type Listening } from '../../../support/web.ts'
import { drain } from '../../audio/draining.ts'

const { signal } = new AbortController()
const TITLE = 'Süße Nacht'
const BARE = ['-b:a', '160k', '-write_xing', '0', '-id3v2_version', '0', '-bitexact']
const OPUS = ['-c:a', 'libopus', '-b:a', '160k', '-vbr', 'off']

interface OddFile {
  readonly seconds: number | null
  readonly probe?: string
  readonly title?: string | null
  readonly make: (sound: (name: string) => Buffer) => readonly Buffer[]
}

/** Each by what stands in front of which sound; a length of null is not known. */
const FILES: Readonly<Record<string, OddFile>> = {
  'several ID3 tags in a row': {
    seconds: 5,
    make: (sound) => [id3(textFrame(TITLE)), id3(coverFrame(90_000)), id3(coverFrame(90_000)), sound('bare.mp3')],
  },
  'an ID3v2.4 tag with a footer': {
    seconds: 5,
    make: (sound) => [id3WithFooter(textFrame(TITLE), coverFrame(90_000)), sound('bare.mp3')],
  },
  'an ID3 tag of three megabytes': {
    seconds: 5,
    make: (sound) => [id3(textFrame(TITLE), coverFrame(3_000_000)), sound('bare.mp3')],
  },
  'an APE tag': { seconds: 5, title: null, make: (sound) => [apeTag(150_000), sound('bare.mp3')] },
  'ID3 and APE tags': {
    seconds: 5,
    make: (sound) => [id3(textFrame(TITLE)), apeTag(30_000), sound('bare.mp3')],
  },
  zeros: { seconds: 5, title: null, make: (sound) => [Buffer.alloc(40_000), sound('bare.mp3')] },
  'more zeros than are looked at first': {
    seconds: 5,
    title: null,
    make: (sound) => [Buffer.alloc(200_000), sound('bare.mp3')],
  },
  'an ID3 tag before FLAC': { seconds: 5, probe: 'flac', make: (sound) => [id3(textFrame(TITLE)), sound('bare.flac')] },
  'an ID3 tag with a footer before FLAC': {
    seconds: 5,
    probe: 'flac',
    make: (sound) => [id3WithFooter(textFrame(TITLE)), sound('bare.flac')],
  },
  'an ID3 tag of three megabytes before FLAC': {
    seconds: 5,
    probe: 'flac',
    make: (sound) => [id3(textFrame(TITLE)), id3(coverFrame(3_000_000)), sound('bare.flac')],
  },
  'an ID3 tag before Ogg': { seconds: 5, probe: 'ogg', make: (sound) => [id3(textFrame(TITLE)), sound('a.opus')] },
  'MPEG layer II': { seconds: 5, title: null, make: (sound) => [sound('two.mp2')] },
  'chained Ogg Opus': { seconds: 8, probe: 'ogg', title: null, make: (sound) => [sound('a.opus'), sound('b.opus')] },
  'chained Vorbis': { seconds: 8, probe: 'ogg', title: null, make: (sound) => [sound('a.ogg'), sound('b.ogg')] },
}

describe('files with something odd in front of their sound, or behind it', () => {
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  const opener = useOpener(10_000)
  const files = new Map<string, Buffer>()
  let folder = ''
  let server: Listening

  before(async () => {
    folder = await madeOnce('odd files 2', (draft) => {
      makeAudio(join(draft, 'bare.mp3'), { seconds: 5, options: BARE })
      makeAudio(join(draft, 'bare.flac'), { seconds: 5 })
      makeAudio(join(draft, 'two.mp2'), { seconds: 5, options: ['-b:a', '192k'] })
      for (const [name, seconds] of [
        ['a', 5],
        ['b', 3],
      ] as const) {
        makeAudio(join(draft, `${name}.opus`), { seconds, options: OPUS })
        makeAudio(join(draft, `${name}.ogg`), { seconds, options: ['-c:a', 'libvorbis', '-q:a', '9'] })
      }
      makeAudio(join(draft, 'behind.m4a'), { seconds: 5, options: ['-c:a', 'aac', '-b:a', '160k'] })
      for (const [name, { make }] of Object.entries(FILES)) {
        writeFileSync(join(draft, name), Buffer.concat(make((file) => readFileSync(join(draft, file)))))
      }
    })
    for (const name of [...Object.keys(FILES), 'behind.m4a', 'a.opus'])
      files.set(name, readFileSync(join(folder, name)))
    server = await serve((asked, answer) => {
      const [, manner = '', name = ''] = decodeURIComponent(asked.url ?? '').split('/')
      MANNERS[manner as MannerName](files.get(name) ?? Buffer.alloc(0), asked, answer)
    })
  })
  after(async () => {
    await server.close()
    await egress.close()
  })

  const urlOf = (manner: MannerName, name: string) => `${server.url}/${manner}/${encodeURIComponent(name)}`

  async function factsOfFile(name: string) {
    const bytes = await fileBytes(join(folder, name))
    try {
      const found = await sniffBytes(bytes)
      return found.kind === 'audio' ? await readFacts(bytes, found, true) : null
    } finally {
      await bytes.close()
    }
  }

  async function open(name: string, { manner = 'ranges' as MannerName, startMs = 0, volume = 100 }) {
    const probed = await probeUrl(urlOf(manner, name), { egress, signal })
    if (probed.kind !== 'audio') throw new Error(`It is a ${probed.kind}.`)
    const playable = { kind: 'http', url: urlOf(manner, name), codec: probed.facts.codec, isStream: false } as const
    const filterGraph = filterGraphOf(volume, {}, false)
    return opener.openAtOnce(playable, { startSamples: startMs * 48, filterGraph, onTitle: () => {} }, signal)
  }

  for (const [name, { seconds, probe = 'mp3', title = TITLE }] of Object.entries(FILES)) {
    it(`tells what it is and how long, on disk and on hosts with and without ranges: ${name}`, async () => {
      const onDisk = await factsOfFile(name)
      expect(onDisk, 'on disk').to.include({ probe, title })
      expect(onDisk?.lengthMs, 'on disk').to.be.closeTo((seconds ?? 0) * 1000, 120)
      for (const manner of ['ranges', 'none', 'chunked'] as const) {
        const probed = await probeUrl(urlOf(manner, name), { egress, signal })
        if (probed.kind !== 'audio') throw new Error(`${manner}: it is a ${probed.kind}.`)
        expect(probed.isStream, manner).to.equal(false)
        expect(probed.facts, manner).to.include({ probe, title })
        const { lengthMs } = probed.facts
        const isKnown = manner === 'ranges' || (manner === 'none' && probe !== 'ogg')
        if (isKnown || lengthMs > 0) expect(lengthMs, manner).to.be.closeTo((seconds ?? 0) * 1000, 120)
      }
    })
  }

  for (const [name, ...manners] of [
    ['MPEG layer II', 'ranges', 'chunked'],
    ['more zeros than are looked at first', 'ranges', 'chunked'],
    ['an APE tag', 'ranges', 'chunked'],
    ['an ID3 tag of three megabytes before FLAC', 'none', 'capped without a total'],
  ] as const) {
    it(`is played to its end: ${name}`, async () => {
      for (const manner of manners) {
        expect((await drain(await open(name, { manner }))).length, manner).to.be.closeTo(250, 4)
      }
    })
  }

  for (const [how, volume] of [
    ['as it is', 100],
    ['decoded', 50],
  ] as const) {
    it(`plays chained Ogg from within its second link, ${how}`, async () => {
      for (const name of volume === 100 ? ['chained Ogg Opus'] : ['chained Ogg Opus', 'chained Vorbis']) {
        expect((await drain(await open(name, { startMs: 6000, volume }))).length, name).to.be.closeTo(100, 3)
        expect((await drain(await open(name, { startMs: 2000, volume }))).length, name).to.be.closeTo(300, 3)
      }
    })
  }

  it('adds up links that count with the same number, too', async () => {
    const one = files.get('a.opus') ?? Buffer.alloc(0)
    const path = join(folder, 'twice.opus')
    writeFileSync(path, Buffer.concat([one, one]))
    expect((await factsOfFile('twice.opus'))?.lengthMs).to.be.closeTo(10_000, 60)
  })

  it('plays an M4A with its index behind from any moment where its host allows no seeking', async () => {
    const frames = await drain(await open('behind.m4a', { manner: 'chunked', startMs: 3000 }))
    expect(frames.length).to.be.closeTo(100, 4)
  })

  it('says that the host allows no seeking where an index behind does not come', async () => {
    const whole = files.get('behind.m4a') ?? Buffer.alloc(0)
    files.set('cut.m4a', whole.subarray(0, 80_000))
    const fault = await faultOf(probeUrl(urlOf('chunked', 'cut.m4a'), { egress, signal }))
    expect(fault.message).to.contain('allows no seeking')
  })
})
