import { availableParallelism, totalmem } from 'node:os'

/** Resources that this process may use. */
export interface Machine {
  /** Processors, or what a control group leaves of them; at least 1. */
  readonly cores: number
  readonly memoryMiB: number
  /** Whether a control group allows less memory than there is. */
  readonly isLimited: boolean
}

const MIB = 1024 * 1024
const MIB_EACH = { audioThread: 1024, imageProcess: 512, decoder: 16, page: 1024 } as const
/** A service with players and Redis, and what each decoder holds that no other shares: measured on Debian 12. */
const MIB_BESIDE_DECODERS = 192
const LEAST_MIB_OF_DECODER = 10
const CORES_EACH_AUDIO_THREAD = 4
const MOST_AUDIO_THREADS = 4

interface Figures {
  /** Node.js counts affinity and the quota of a control group. */
  readonly cores: number
  readonly totalBytes: number
  /** Limit of the control group, version 1 or 2; undefined or 0: unknown. Without a limit it is larger than the memory. */
  readonly constrainedBytes: number | undefined
}

/** @param figures those of the system by default */
export function readMachine(
  figures: Figures = {
    cores: availableParallelism(),
    totalBytes: totalmem(),
    constrainedBytes: process.constrainedMemory(),
  },
): Machine {
  const { cores, totalBytes, constrainedBytes = 0 } = figures
  const isLimited = constrainedBytes > 0 && constrainedBytes < totalBytes
  const memoryMiB = Math.floor((isLimited ? constrainedBytes : totalBytes) / MIB)
  return { cores: Math.max(1, cores), memoryMiB, isLimited }
}

/** Numbers of workers that fit on a machine. One of each at least: what does not fit takes turns. */
export function sizesFor({ cores, memoryMiB }: Machine) {
  const fitting = (most: number, mibEach: number) => Math.max(1, Math.min(most, Math.floor(memoryMiB / mibEach)))
  // If memory is scarce, the kernel would end the service for decoders that do not fit beside it.
  const decodersBeside = Math.floor((memoryMiB - MIB_BESIDE_DECODERS) / LEAST_MIB_OF_DECODER)
  const threads = Math.min(MOST_AUDIO_THREADS, Math.floor(cores / CORES_EACH_AUDIO_THREAD))
  return {
    /** Each plays for 50 players and more with an eighth of a core, and takes 40 MiB while it plays. */
    audioThreads: fitting(threads, MIB_EACH.audioThread),
    /** Processes that change pictures. */
    imageProcesses: fitting(cores - 1, MIB_EACH.imageProcess),
    /** Decoders at once; one takes 10 to 16 MiB and 0.1 to 1 % of a core. */
    decoders: fitting(Math.min(256 + 64 * cores, decodersBeside), MIB_EACH.decoder),
    /** Screenshots at once; a page may take 800 MiB. */
    pages: fitting(cores, MIB_EACH.page),
  }
}

/** Describes for people the resources found, and the sizes that follow. */
export function describeMachine(machine: Machine): string {
  const { cores, memoryMiB, isLimited } = machine
  const { audioThreads, imageProcesses, decoders, pages } = sizesFor(machine)
  const found = `${cores} cores, ${memoryMiB} MiB${isLimited ? ' (control group limit)' : ''}`
  return `${found}: audio threads ${audioThreads}, image processes ${imageProcesses}, decoders ${decoders}, pages ${pages}`
}
