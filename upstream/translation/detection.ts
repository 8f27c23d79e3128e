import { languageName } from './language-names.ts'
import type { Candidate, DetectionModel } from '../local/protocol.ts'
import type { LocalWorker } from '../local/worker-handle.ts'

export interface Detected {
  /** ISO 639-1, or `und` where the text has no words that could tell. */
  readonly language: string
  /** In English. */
  readonly name: string
  /** 0 to 1, relative to the other candidates. */
  readonly confidence: number
  /** The best first, itself included. */
  readonly candidates: readonly Candidate[]
}

export interface Detection {
  /** Needs no network. */
  detect(text: string): Promise<Detected>
}

export function createDetection(worker: LocalWorker, model: DetectionModel): Detection {
  return {
    async detect(text) {
      const candidates = await worker.ask({ task: 'detect', text, model })
      const { language, confidence } = candidates[0] ?? { language: 'und', confidence: 0 }
      return { language, name: languageName(language), confidence, candidates }
    },
  }
}
