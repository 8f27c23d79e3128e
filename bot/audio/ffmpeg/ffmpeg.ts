import type { Readable } from 'node:stream'
import { Fault } from '../../../lib/errors.ts'
import { createSpawner } from '../../../lib/workers/spawner.ts'
import { readSummary, type Loudness } from '../cache/loudness.ts'
import type { DecoderSandbox } from './decoder-sandbox.ts'
import { startFfmpeg, type FfmpegInput, type FfmpegProcess } from './ffmpeg-process.ts'
import { STALL_TICK_MS } from './stall-watch.ts'
import { number } from './effects.ts'
import { COMMON_GROUND } from './filter-graph.ts'

const URGENT_MS = 1000
const YIELDING_NICE = 10
const IDLE_NICE = 19

/**
 * The only containers that ffmpeg may recognise. Playlists and reference formats (hls, concat, dash …) are left out:
 * with them a harmless-looking file would make ffmpeg open other files and addresses.
 */
const CONTAINERS =
  'mp3,flac,ogg,wav,w64,aiff,au,caf,aac,ac3,eac3,dts,amr,ape,wv,tta,mpc,mpc8,' +
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,asf,avi,flv,mpegts,mpeg'

export interface FfmpegJob {
  readonly input: FfmpegInput
  readonly startSeconds: number
  readonly gainDb: number
  /** Another track, of which so much is encoded before this one in one go, so that the seam is inaudible. */
  readonly lead?: LeadIn
  /** Layers mixed over the track, after its filters. */
  readonly layers: readonly MixedIn[]
  /** Audio filters in ffmpeg's own words, made by us alone; empty for none. */
  readonly graph: string
  /** No caller waits for it. */
  readonly isIdle?: boolean
}

export interface LeadIn {
  readonly input: Exclude<FfmpegInput, { readonly from: 'pipe' }>
  readonly startSeconds: number
  readonly gainDb: number
  readonly samples: number
}

export interface MixedIn {
  readonly input: LeadIn['input']
  readonly startSeconds: number
  readonly delaySamples: number
  readonly gain: number
}

export interface FfmpegRun extends Pick<FfmpegProcess, 'ended' | 'kill'> {
  /** Ogg Opus in 20 ms packets at 48 kHz. */
  readonly output: Readable
  /** The first frames are there: what follows is less urgent than sending them. */
  yield(): void
}

export type Ffmpeg = ReturnType<typeof createFfmpeg>

interface FfmpegOptions {
  /** Null: ffmpeg sees what the service sees. */
  readonly sandbox?: DecoderSandbox | null
  /** Interval of the stall checks; shortened by tests only. */
  readonly stallTickMs?: number
}

export function createFfmpeg({ sandbox = null, stallTickMs = STALL_TICK_MS }: FfmpegOptions = {}) {
  const spawner = createSpawner(sandbox?.namespaces)
  const start = (args: readonly string[], input: FfmpegInput, nice: number) =>
    startFfmpeg({ args, input, nice, sandbox, spawner, stallTickMs })
  return {
    /** Has all ready that the first process would wait for. */
    warmUp: (): void => spawner.warmUp(),
    close: (): Promise<void> => spawner.close(),
    /** @throws {Fault} `service_unavailable` when no process can be started. */
    async run(job: FfmpegJob): Promise<FfmpegRun> {
      const child = await start(argumentsOf(job), job.input, job.isIdle ? IDLE_NICE : 0)
      const { output, ended, kill } = child
      const yieldToFrames = () => child.setNice(YIELDING_NICE)
      // A decoder without a frame for this long loses its priority.
      const timer = job.isIdle ? undefined : setTimeout(yieldToFrames, URGENT_MS).unref()
      void ended.then(() => clearTimeout(timer))
      return { output, ended, kill, yield: yieldToFrames }
    },
    /**
     * Measures the loudness of the track in a file. True peaks, between the samples, take as long to find as all the rest.
     * @throws {Fault} when it cannot be decoded.
     */
    async measureLoudness(path: string, peak: 'sample' | 'true', signal: AbortSignal): Promise<Loudness> {
      const input = { from: 'file', path } as const
      const child = await start(meterArguments(input, peak), input, IDLE_NICE)
      child.output.resume()
      signal.addEventListener('abort', child.kill, { once: true })
      if (signal.aborted) child.kill()
      const failure = await child.ended
      signal.removeEventListener('abort', child.kill)
      signal.throwIfAborted()
      if (failure) throw failure
      const loudness = readSummary(child.said())
      if (!loudness) throw new Fault('upstream_failed', 'ffmpeg returned no loudness for this track.')
      return loudness
    },
  }
}

/** The output is discarded. Writing to the closed pipe ends ffmpeg if we crash. */
function meterArguments(input: FfmpegInput, peak: 'sample' | 'true'): string[] {
  const meter = `aformat=channel_layouts=stereo|mono,ebur128=peak=${peak}:dualmono=1:framelog=verbose`
  // So little that it costs nothing: the first tenth of a second of each five.
  const end = ['-map', '0:a:0', '-af', `${meter},aselect='not(mod(n,50))'`, ...words('-ac 1 -c:a pcm_u8 -f u8 pipe:1')]
  const quiet = words('-hide_banner -nostats -loglevel info -threads 1 -nostdin')
  return [...quiet, ...inputOf(input, 0), ...end]
}

function argumentsOf({ input, startSeconds, gainDb, lead, layers, graph }: FfmpegJob): string[] {
  const own = [...louder(gainDb), ...(graph === '' ? [] : [graph])].join(',')
  return [
    ...words('-hide_banner -loglevel error -threads 1'),
    ...(input.from === 'pipe' ? [] : ['-nostdin']),
    ...(lead ? inputOf(lead.input, lead.startSeconds) : []),
    ...inputOf(input, startSeconds),
    ...layers.flatMap((layer) => inputOf(layer.input, layer.startSeconds)),
    ...words('-map_metadata -1 -filter_threads 1'),
    ...(lead ? joined(graph, gainDb, lead) : layers.length > 0 ? mixed(own, layers) : alone(own)),
    // Pages of ten packets: soon enough for the first, few enough for the rest.
    ...words('-ar 48000 -c:a libopus -b:a 128k -compression_level 7 -frame_duration 20 -threads 1'),
    ...words('-page_duration 200000 -f ogg pipe:1'),
  ]
}

function inputOf(input: FfmpegInput, startSeconds: number): string[] {
  const protocols = { file: 'file', http: 'http,tcp', pipe: 'pipe' }[input.from]
  const source = input.from === 'file' ? `file:${input.path}` : input.from === 'http' ? input.url : 'pipe:0'
  const seconds = startSeconds - (input.from === 'pipe' ? input.fromSeconds : 0)
  const start = seconds > 0 ? ['-ss', seconds.toFixed(6)] : []
  const open = ['-protocol_whitelist', protocols, '-format_whitelist', CONTAINERS]
  if (input.from !== 'pipe') return [...open, ...start, '-i', source]
  // A pipe is not seekable: what comes before the start is decoded and dropped.
  return [...open, '-i', source, ...(input.isLive ? [] : start)]
}

/** Mono stays mono, since ffmpeg would make it 3 dB quieter on its way to two channels; all else becomes stereo. */
function alone(graph: string): string[] {
  return ['-map', '0:a:0', '-af', `${graph}${graph && ','}aformat=channel_layouts=stereo|mono`]
}

/** The lead has its exact length in samples, however its decoder ends it. */
function joined(graph: string, gainDb: number, { samples, gainDb: leadGainDb }: LeadIn): string[] {
  const cut = `apad=whole_len=${samples},atrim=end_sample=${samples}`
  const lead = `[0:a:0]${[COMMON_GROUND, ...louder(leadGainDb), cut].join(',')}[lead]`
  const track = `[1:a:0]${[COMMON_GROUND, ...louder(gainDb)].join(',')}[track]`
  const both = `[lead][track]concat=n=2:v=0:a=1${graph && ','}${graph}[sound]`
  return ['-filter_complex', `${lead};${track};${both}`, '-map', '[sound]']
}

function louder(gainDb: number): string[] {
  return gainDb === 0 ? [] : [`volume=${number(gainDb)}dB`]
}

/** Neither the track nor a layer is made quieter for the others' sake. */
function mixed(graph: string, layers: readonly MixedIn[]): string[] {
  const track = `[0:a:0]${graph && `${graph},`}${COMMON_GROUND}[track]`
  const above = layers.map(
    ({ gain, delaySamples }, i) =>
      `[${i + 1}:a:0]${COMMON_GROUND},adelay=delays=${delaySamples}S:all=1,volume=${number(gain)}[layer${i}]`,
  )
  const names = layers.map((_, i) => `[layer${i}]`).join('')
  const mix = `[track]${names}amix=inputs=${layers.length + 1}:duration=first:normalize=0[sound]`
  return ['-filter_complex', [track, ...above, mix].join(';'), '-map', '[sound]']
}

function words(text: string): string[] {
  return text.split(' ')
}
