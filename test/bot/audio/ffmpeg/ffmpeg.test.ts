import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createFfmpeg } from '../../../../bot/audio/ffmpeg/ffmpeg.ts'
import { createFrameOpener } from '../../../../bot/audio/input/open-frames.ts'
import { createStallWatch } from '../../../../bot/audio/ffmpeg/stall-watch.ts'
import { filterGraphOf } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { Fault } from '../../../../lib/errors.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { descendantsOf, type ProcessFacts } from '../../../support/descendants.ts'
import { madeOnce } from '../../../support/made-once.ts'
import { eventually } from '../../../support/service.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'
import { untilGone } from '../processes.ts'

const run = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args])

async function decoderOf(path: string): Promise<ProcessFacts> {
  const isDecoder = ({ command }: ProcessFacts) => command.startsWith('ffmpeg') && command.includes(path)
  const find = () => descendantsOf(process.pid).find(isDecoder)
  return (await eventually(find, (found) => found !== undefined)) as ProcessFacts
}

describe('an ffmpeg process', () => {
  const folder = tempFolder()
  const egress = createEgress({ allowHosts: [] })
  const opener = createFrameOpener(trackAccess(egress), { ffmpeg: createFfmpeg({ stallTickMs: 100 }) })
  after(async () => {
    await opener.close()
    await egress.close()
  })

  function tone(name: string, seconds: number): string {
    run('-f', 'lavfi', '-i', `sine=f=440:d=${seconds}`, folder.path(name))
    return folder.path(name)
  }
  const open = (path: string) => {
    const playable = { kind: 'file', path, codec: 'other', isStream: false } as const
    const wish = { startSamples: 0, filterGraph: filterGraphOf(100, {}, false), onTitle: () => undefined }
    return opener.open(playable, wish, new AbortController().signal)
  }
  it('is ended, and its track fails, when it stops in the middle of its work', async () => {
    const path = tone('stopped.flac', 300)
    const source = await open(path)
    process.kill((await decoderOf(path)).pid, 'SIGSTOP')
    const failure: unknown = await drain(source).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Fault)
    expect((failure as Fault).message).to.include('ffmpeg stalled')
    await untilGone(path)
  })

  it('plays a track without the memory that its cover asks for', async () => {
    const path = folder.path('cover.mp3')
    // A small file that takes 600 MB to decode, and ten seconds to make.
    const covered = await madeOnce('an MP3 of 300 s with a red cover of 14000 × 14000', (draft) => {
      const [plain, cover] = [join(draft, 'plain.mp3'), join(draft, 'cover.png')]
      run('-f', 'lavfi', '-i', 'color=red:s=14000x14000', '-frames:v', '1', '-compression_level', '1', cover)
      run('-f', 'lavfi', '-i', 'sine=f=440:d=300', plain)
      run('-i', plain, '-i', cover, '-map', '0', '-map', '1', '-c', 'copy', join(draft, 'covered.mp3'))
    })
    copyFileSync(join(covered, 'covered.mp3'), path)
    const source = await open(path)
    const decoder = await decoderOf(path)
    const [, peakKib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${decoder.pid}/status`, 'utf8')) ?? []
    source.close()
    expect(Number(peakKib)).to.be.within(1, 160 * 1024)
  })
})

const watch = () => createStallWatch({ stillTicks: 3, silentTicks: 6 })

describe('the watch over a decoder', () => {
  it('finds it stalled after some ticks without a byte in or out', () => {
    const hasStalled = watch()
    const ticks = [1, 1, 1, 1].map((bytesOut) => hasStalled({ bytesIn: 0, bytesOut, isBlocked: false }))
    expect(ticks).to.deep.equal([false, false, false, true])
  })

  it('finds it stalled later where it reads on and writes nothing', () => {
    const hasStalled = watch()
    const ticks = [1, 2, 3, 4, 5, 6].map((bytesIn) => hasStalled({ bytesIn, bytesOut: 0, isBlocked: false }))
    expect(ticks).to.deep.equal([false, false, false, false, false, true])
  })

  it('waits for as long as the source is silent or the listener needs no more', () => {
    const hasStalled = watch()
    for (let tick = 0; tick < 100; tick++)
      expect(hasStalled({ bytesIn: 1, bytesOut: 1, isBlocked: true })).to.equal(false)
  })
})
