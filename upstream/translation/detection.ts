import { languageName } from './language-names.ts'
import type { DetectionModel } from '../local/protocol.ts'
import type { Detected } from './schemas.ts'
import type { LocalWorker } from '../local/worker-handle.ts'

export type Detection = ReturnType<typeof createDetection>

/** Below this the best guess is more often wrong than right. */
const LIKELY = 0.5

export function createDetection(worker: LocalWorker, model: DetectionModel) {
  return {
    /** Needs no network. */
    async detect(text: string): Promise<Detected> {
      const candidates = await worker.ask({ task: 'detect', text, model })
      const { language: best, confidence } = candidates[0] ?? { language: 'und', confidence: 0 }
      const language = confidence >= LIKELY ? best : 'und'
      return { language, name: languageName(language), confidence, candidates }
    },
  }
}
