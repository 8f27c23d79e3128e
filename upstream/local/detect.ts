import { calibrate } from './calibration.ts'
import type { Candidate, DetectionModel } from './protocol.ts'
import { pureText, scriptLanguage, withoutStrangers } from './script.ts'

export interface Detector {
  detect(text: string): { getScores(): Record<string, number> }
}

/** A load takes up to a second of a processor, and tens to hundreds of megabytes. */
const DETECTORS: Readonly<Record<DetectionModel, () => Promise<Detector>>> = {
  large: () => import('eld/large').then(({ eld }) => eld),
  medium: () => import('eld/medium').then(({ eld }) => eld),
  small: () => import('eld/small').then(({ eld }) => eld),
  extrasmall: () => import('eld/extrasmall').then(({ eld }) => eld),
}

const MAX_CANDIDATES = 5

export async function importDetector(model: DetectionModel): Promise<Detector> {
  return DETECTORS[model]()
}

/** The languages that a text may be in, best first; none if it has no words. Loads the model where it is needed. */
export async function detectLanguage(
  text: string,
  model: DetectionModel,
  load: (model: DetectionModel) => Promise<Detector>,
): Promise<Candidate[]> {
  const letters = pureText(text)
  if (letters === '') return []
  const certain = scriptLanguage(letters)
  if (certain) return [certain]
  const words = withoutStrangers(letters)
  const scores = Object.entries((await load(model)).detect(words).getScores()).toSorted(([, a], [, b]) => b - a)
  return calibrate(model, words, scores)
    .slice(0, MAX_CANDIDATES)
    .map(({ language, confidence }) => ({ language, confidence: Math.round(confidence * 100) / 100 }))
}
