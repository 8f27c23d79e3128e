import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ControlError } from './route.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 10_000
const OUTPUT_BYTES = 8 * 1024 * 1024

/** A pure tone as Opus packets of 20 ms, made by ffmpeg. */
export async function createTone({ seconds, hz }: { seconds: number; hz: number }): Promise<Buffer[]> {
  const source = `sine=frequency=${hz}:duration=${seconds}:sample_rate=48000`
  const codec = [
    '-ac',
    '2',
    '-c:a',
    'libopus',
    '-b:a',
    '64k',
    '-frame_duration',
    '20',
    '-page_duration',
    '20000',
    '-f',
    'ogg',
    '-',
  ]
  try {
    const options = { encoding: 'buffer', timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES } as const
    const { stdout } = await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...codec], options)
    // The first two packets are headers.
    return oggPackets(stdout).slice(2)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ControlError(503, 'Speaking needs ffmpeg. Install it: apt-get install ffmpeg.')
    throw error
  }
}

const HEAD_BYTES = 27

/** The packets of an Ogg file with one stream (RFC 3533). */
export function oggPackets(file: Buffer): Buffer[] {
  const packets: Buffer[] = []
  let begun: Buffer[] = []
  for (let page = 0; page + HEAD_BYTES <= file.length;) {
    const segments = file.readUInt8(page + HEAD_BYTES - 1)
    const lacing = file.subarray(page + HEAD_BYTES, page + HEAD_BYTES + segments)
    let at = page + HEAD_BYTES + segments
    for (const size of lacing) {
      begun.push(file.subarray(at, at + size))
      at += size
      // A packet ends with the first segment that is not full.
      if (size === 255) continue
      packets.push(Buffer.concat(begun))
      begun = []
    }
    page = at
  }
  return packets
}
