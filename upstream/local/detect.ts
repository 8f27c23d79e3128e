import type { Candidate, DetectionModel } from './protocol.ts'
import { pureText, scriptLanguage, withoutStrangers } from './script.ts'

interface Detector {
  detect(text: string): { readonly language: string; getScores(): Record<string, number> }
}

/** Loads on first use: a load takes up to a second of a processor, and tens to hundreds of megabytes. */
const DETECTORS: Readonly<Record<DetectionModel, () => Promise<Detector>>> = {
  large: () => import('eld/large').then(({ eld }) => eld),
  medium: () => import('eld/medium').then(({ eld }) => eld),
  small: () => import('eld/small').then(({ eld }) => eld),
  extrasmall: () => import('eld/extrasmall').then(({ eld }) => eld),
}

const MAX_CANDIDATES = 5

/** The languages that a text may be in, best first; none where it has no words. */
export async function detectLanguage(text: string, model: DetectionModel): Promise<Candidate[]> {
  const letters = pureText(text)
  if (letters === '') return []
  const certain = scriptLanguage(letters)
  if (certain) return [certain]
  const detector = await DETECTORS[model]()
  return Object.entries(detector.detect(withoutStrangers(letters)).getScores())
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_CANDIDATES)
    .map(([language, score]) => ({ language, confidence: Math.round(Math.min(1, score) * 100) / 100 }))
}
