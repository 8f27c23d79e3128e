import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeAudio } from '../../test/support/audio-files.ts'
import { eventually, startService, type RunningService } from '../../test/support/service.ts'
import { IN_STEP, medianMs, type Dimension } from './dimension.ts'
import { mainThreadMs, serviceMiB } from './service.ts'

const SEARCHES = 40
/** Of 20,000 files on a busy machine in a minute. */
const PATIENCE_MS = 600_000
const ALBUM_TRACKS = 12
/** What the start itself leaves behind is collected by then. */
const SETTLE_MS = 20_000

function frame(id: string, text: string): Buffer {
  const body = Buffer.concat([Buffer.from([3]), Buffer.from(text)])
  const head = Buffer.alloc(10)
  head.write(id, 'latin1')
  head.writeUInt32BE(body.length, 4)
  return Buffer.concat([head, body])
}

/** ID3v2.3, whose own length has seven bits a byte. */
function id3(tags: Readonly<Record<string, string>>): Buffer {
  const frames = Buffer.concat(Object.entries(tags).map(([id, text]) => frame(id, text)))
  const size = [21, 14, 7, 0].map((shift) => (frames.length >> shift) & 0x7f)
  return Buffer.concat([Buffer.from('ID3\x03\x00\x00', 'latin1'), Buffer.from(size), frames])
}

/** Albums of tagged MP3s of a fifth of a second. Half of the titles have one word in common. */
export function makeLibrary(folder: string, files: number): void {
  const sound = readFileSync(
    makeAudio(join(folder, 'sound.mp3'), { seconds: 0.2, options: ['-id3v2_version', '0', '-write_xing', '0'] }),
  )
  rmSync(join(folder, 'sound.mp3'))
  for (let i = 0; i < files; i += 1) {
    const album = Math.floor(i / ALBUM_TRACKS)
    const place = join(folder, `artist ${album % 500}`, `album ${album}`)
    if (i % ALBUM_TRACKS === 0) mkdirSync(place, { recursive: true })
    const title = `${i % 2 === 0 ? 'Night' : 'Day'} song number ${i}`
    const tags = {
      TIT2: title,
      TPE1: `Artist ${album % 500}`,
      TALB: `Album ${album}`,
      TRCK: String((i % ALBUM_TRACKS) + 1),
    }
    writeFileSync(join(place, `${i}.mp3`), Buffer.concat([id3(tags), sound]))
  }
}

const search = (service: RunningService, text: string) =>
  service.call('GET', `/v1/music/search?source=library&limit=10&q=${encodeURIComponent(text)}`)

/** Files of the library: reading them, finding one, and the memory of the service behind it. */
export const library: Dimension = {
  name: 'library',
  of: 'audio files',
  sizes: [500, 5000, 50_000],
  bound: '50,000 files; the rest is left out',
  async measure(size) {
    const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
    makeLibrary(folder, size)
    const startedMs = performance.now()
    const service = await startService({ env: { LIBRARY_DIR: folder, LOG_LEVEL: 'info' } })
    try {
      // The last that is written of a scan.
      await eventually(async () => service.output().includes('"library scanned"'), Boolean, PATIENCE_MS)
      const scanMs = performance.now() - startedMs
      await sleep(SETTLE_MS)
      const memory = serviceMiB(service)
      await search(service, 'song number 7')
      const common = await medianMs(SEARCHES, () => search(service, 'night'))
      const held = await mainThreadMs(service, SEARCHES, () => search(service, 'night'))
      return [
        { what: 'start and read all', value: scanMs / 1000, unit: ' s', atMost: IN_STEP, floor: 1 },
        { what: 'memory of the service (PSS) afterwards', value: memory, unit: ' MiB', atMost: 0.15, floor: 1 },
        { what: 'search for a word in half of them', value: common, unit: ' ms', atMost: 1, floor: 2 },
        { what: 'main thread for such a search', value: held, unit: ' ms', atMost: 0.2, floor: 1 },
      ]
    } finally {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
