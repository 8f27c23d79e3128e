import type { Candidate, DetectionModel } from './protocol.ts'

/** The detector's own score of a language, 0 to 1, which says little of how likely it is right. */
export type Score = readonly [language: string, score: number]

/** What tells a right guess from a wrong one. */
interface Evidence {
  /** Natural logarithm of the number of letters. */
  readonly length: number
  /** Of the best score over the next. */
  readonly lead: number
  readonly score: number
}

/** Constant, length, lead, lead times length, score: weights of a logistic regression. */
type Weights = readonly [number, number, number, number, number]

/** Fitted to sentences of known languages, and held against others in test/upstream/local/detection.test.ts. */
const WEIGHTS: Readonly<Record<DetectionModel, Weights>> = {
  large: [-15.126, 0.529, 6.322, 0.31, 17.758],
  medium: [-13.974, 0.479, -0.561, 1.893, 16.589],
  small: [-13.412, 0.456, -0.966, 2.038, 15.951],
  extrasmall: [-11.251, 0.444, -2.163, 2.283, 13.277],
}

/** Scores, best first, as the likelihoods that a text is in each of these languages. */
export function calibrate(model: DetectionModel, words: string, scores: readonly Score[]): Candidate[] {
  const best = scores[0]
  if (!best) return []
  const likelihood = likelihoodOf(evidenceIn(words, scores), WEIGHTS[model])
  // The rest is shared out among the others by how near they come.
  const shares = scores.slice(1).map(([, score]) => Math.exp((score - best[1]) * NEARNESS))
  const sum = shares.reduce((total, share) => total + share, 0)
  const others = scores.slice(1).map(([language], at) => ({
    language,
    confidence: Math.min(likelihood, ((1 - likelihood) * (shares[at] ?? 0)) / sum),
  }))
  return [{ language: best[0], confidence: likelihood }, ...others]
}

/** How steeply the likelihood of others falls with their score. */
const NEARNESS = 30

function evidenceIn(words: string, scores: readonly Score[]): Evidence {
  const score = scores[0]?.[1] ?? 0
  return { length: Math.log(words.match(/\p{L}/gu)?.length ?? 1), lead: score - (scores[1]?.[1] ?? 0), score }
}

function likelihoodOf(evidence: Evidence, weights: Weights): number {
  const sum = factorsOf(evidence).reduce((total, factor, at) => total + factor * (weights[at] ?? 0), 0)
  return 1 / (1 + Math.exp(-sum))
}

/** In the order of the weights. */
function factorsOf({ length, lead, score }: Evidence): Weights {
  return [1, length, lead, lead * length, score]
}
