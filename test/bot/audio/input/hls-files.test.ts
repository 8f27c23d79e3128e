import { execFileSync } from 'node:child_process'
import { createCipheriv } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { PLAIN } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { openHlsBytes } from '../../../../bot/audio/input/hls-bytes.ts'
import { closing } from '../../../support/closing.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decodeFrames, longestSilenceMs, slice } from '../../../support/sound.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { serve } from '../../../support/web.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'

const KEY = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const IV = '0f0e0d0c0b0a09080706050403020100'
const TONES = [440, 660, 880, 957, 1320]
/** Sound and encoding by the first letter of the segments. */
const MADE = {
  a: { hz: 440, args: '-ar 48000 -ac 2 -c:a aac', mp4: true },
  b: { hz: 880, args: '-ar 44100 -ac 2 -c:a aac', mp4: true },
  c: { hz: 1320, args: '-ar 22050 -ac 1 -c:a aac', mp4: true },
  t: { hz: 440, args: '-ar 48000 -ac 2 -c:a aac', mp4: false },
  u: { hz: 880, args: '-ar 44100 -ac 1 -c:a libmp3lame', mp4: false },
  v: { hz: 660, args: '-ar 32000 -ac 1 -c:a aac', mp4: false },
} as const
type Letter = keyof typeof MADE

const mapOf = (letter: Letter) => `#EXT-X-MAP:URI="${letter}-init.mp4"`
const segment = (name: string) => ['#EXTINF:3,', name]
const ofMp4 = (letter: Letter, at: number) => segment(`${letter}${at}.m4s`)
const ofTs = (letter: Letter, at: number) => segment(`${letter}${at}.ts`)
const [cut, end] = ['#EXT-X-DISCONTINUITY', '#EXT-X-ENDLIST']

describe('an HLS track of several files', () => {
  const own = closing()
  const ownAll = closing(after)
  const folder = tempFolder()
  const { openAtOnce } = useOpener(0)
  const lists = new Map<string, string>()
  let url = ''

  before(async () => {
    for (const letter of Object.keys(MADE) as Letter[]) make(letter)
    writeFileSync(folder.path('key.bin'), KEY)
    for (const name of readdirSync(folder.path('.')).filter((one) => /\.(?:m4s|mp4)$/.test(one))) {
      const cipher = createCipheriv('aes-128-cbc', KEY, Buffer.from(IV, 'hex'))
      const secret = Buffer.concat([cipher.update(readFileSync(folder.path(name))), cipher.final()])
      writeFileSync(folder.path(`secret-${name}`), secret)
    }
    const web = await serve((request, response) => {
      const path = (request.url ?? '/').slice(1)
      response.end(lists.get(path) ?? readFileSync(folder.path(path)))
    })
    url = ownAll(web).url
  })

  /** Six seconds in two segments. */
  function make(letter: Letter): void {
    const { hz, args, mp4 } = MADE[letter]
    const input = ['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=${hz}:duration=6:sample_rate=48000`]
    const form = mp4 ? ['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', `${letter}-init.mp4`] : []
    const names = ['-hls_segment_filename', `${letter}%d.${mp4 ? 'm4s' : 'ts'}`]
    const hls = ['-f', 'hls', '-hls_time', '3', '-hls_playlist_type', 'vod', ...form, ...names, `${letter}.m3u8`]
    execFileSync('ffmpeg', [...input, ...args.split(' '), ...hls], { cwd: folder.path('.') })
  }

  async function hear(lines: readonly string[], startMs = 0) {
    lists.set('list.m3u8', ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, end].join('\n'))
    const wish = { startSamples: startMs * 48, filterGraph: PLAIN, onTitle: () => undefined }
    const track = { kind: 'hls', url: `${url}/list.m3u8`, codec: 'other', isStream: false } as const
    const source = await openAtOnce(track, wish, new AbortController().signal)
    const sound = await decodeFrames(await drain(source))
    const { endSamples } = source
    const middles = Array.from({ length: Math.round(sound.seconds / 3) }, (_, at) => {
      const { left } = slice(sound, at * 3 + 1, at * 3 + 2)
      return TONES.toSorted((one, other) => amplitude(left, other) - amplitude(left, one))[0]
    })
    const silenceMs = longestSilenceMs(slice(sound, 0.2, sound.seconds - 0.2))
    return { middles, seconds: sound.seconds, silenceMs, endSeconds: (endSamples ?? 0) / 48_000 }
  }

  async function stateOf(lines: readonly string[]) {
    lists.set('list.m3u8', ['#EXTM3U', ...lines, end].join('\n'))
    const options = { url: `${url}/list.m3u8`, isStream: false, onTrouble: () => undefined }
    return own(await openHlsBytes({ ...trackAccess(), ...options })).state
  }

  it('is heard at its own rate and whole on both sides of another initialisation, and of a third one', async () => {
    const { middles, seconds, silenceMs, endSeconds } = await hear([
      mapOf('a'),
      ...ofMp4('a', 0),
      cut,
      mapOf('b'),
      ...ofMp4('b', 0),
      ...ofMp4('b', 1),
      cut,
      mapOf('c'),
      ...ofMp4('c', 0),
      cut,
      mapOf('a'),
      ...ofMp4('a', 1),
    ])
    expect(middles).to.deep.equal([440, 880, 880, 1320, 440])
    expect(seconds).to.be.within(14.7, 15.4)
    expect(endSeconds).to.be.within(14.7, 15.4)
    expect(silenceMs).to.be.below(120)
  })

  it('begins anywhere in it, also where an initialisation changes without a word', async () => {
    const lines = [
      mapOf('a'),
      ...ofMp4('a', 0),
      mapOf('b'),
      ...ofMp4('b', 0),
      ...ofMp4('b', 1),
      mapOf('a'),
      ...ofMp4('a', 1),
    ]
    const { middles, seconds } = await hear(lines, 6000)
    expect(middles).to.deep.equal([880, 440])
    expect(seconds).to.be.within(5.6, 6.3)
  })

  it('is heard where the codec, the rate and the channels of a transport stream change', async () => {
    const { middles, seconds } = await hear(
      [ofTs('t', 0), [cut], ofTs('u', 0), ofTs('u', 1), [cut], ofTs('v', 0), [cut], ofTs('t', 1)].flat(),
    )
    expect(middles).to.deep.equal([440, 880, 880, 660, 440])
    expect(seconds).to.be.within(14.6, 15.5)
  })

  it('goes on over a change from transport stream to MP4 and back', async () => {
    const { middles } = await hear([
      ...ofTs('t', 0),
      cut,
      mapOf('b'),
      ...ofMp4('b', 0),
      cut,
      mapOf('a'),
      ...ofMp4('a', 0),
    ])
    expect(middles).to.deep.equal([440, 880, 440])
  })

  it('is decrypted with its initialisation where a key is in force for that, and where it is not', async () => {
    const key = `#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x${IV}`
    const secretMap = '#EXT-X-MAP:URI="secret-a-init.mp4"'
    const secrets = [...segment('secret-a0.m4s'), ...segment('secret-a1.m4s')]
    expect((await hear([key, secretMap, ...secrets])).middles).to.deep.equal([440, 440])
    expect((await hear([mapOf('a'), key, ...secrets])).middles).to.deep.equal([440, 440])
    expect((await hear([key, mapOf('a'), ...secrets])).middles).to.deep.equal([440, 440])
    const ad = [cut, '#EXT-X-KEY:METHOD=NONE', mapOf('b'), ...ofMp4('b', 0)]
    expect((await hear([key, secretMap, ...secrets, ...ad])).middles).to.deep.equal([440, 440, 880])
  })

  it('is never kept as one file', async () => {
    expect(await stateOf([mapOf('a'), ...ofMp4('a', 0), ...ofMp4('a', 1)])).not.to.equal(null)
    expect(await stateOf([mapOf('a'), ...ofMp4('a', 0), mapOf('b'), ...ofMp4('b', 0)])).to.equal(null)
  })
})
