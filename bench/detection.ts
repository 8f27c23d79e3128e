/**
 * How often language detection is right, and whether its confidence says so. Fits the weights of
 * `upstream/local/calibration.ts` to every other line of a folder and measures them on the lines between.
 *
 *     node bench/detection.ts <folder> [model]
 *
 * The folder holds `<kind>/<ISO 639-1>.txt` with one text a line, as do the test data of the detector Lingua.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { evidenceIn, factorsOf, likelihoodOf, type Evidence, type Weights } from '../upstream/local/calibration.ts'
import { importDetector, type Detector } from '../upstream/local/detect.ts'
import { DETECTION_MODELS, type DetectionModel } from '../upstream/local/protocol.ts'
import { pureText, scriptLanguage, withoutStrangers } from '../upstream/local/script.ts'

interface Sample {
  readonly kind: string
  readonly text: string
  /** Null for what is in no language. */
  readonly language: string | null
}

interface Guess {
  readonly kind: string
  readonly isRight: boolean
  /** Null if the script alone decided. */
  readonly evidence: Evidence | null
}

/** Norwegian is one to the detector. Bosnian is left out: next to nothing tells it from Croatian. */
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' }

function readSamples(folder: string): Sample[] {
  const kinds = readdirSync(folder)
  const files = kinds.flatMap((kind) => readdirSync(path.join(folder, kind)).map((file) => ({ kind, file })))
  const real = files
    .filter(({ file }) => file !== 'bs.txt')
    .flatMap(({ kind, file }) => {
      const code = path.basename(file, '.txt')
      const lines = readFileSync(path.join(folder, kind, file), 'utf8').split('\n')
      const texts = lines.map((line) => line.trim()).filter((line) => line !== '')
      return texts.map((text): Sample => ({ kind, text, language: SAME[code] ?? code }))
    })
  return [...real, ...Array.from({ length: 3000 }, mash)]
}

/** Keys hit at random, the same in every run. */
function mash(_: unknown, at: number): Sample {
  let seed = at * 7919 + 1
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const word = () => Array.from({ length: 2 + next(8) }, () => 'asdfghjklqwertyuiopzxcvbnm'[next(26)]).join('')
  return { kind: 'meaningless', text: Array.from({ length: 1 + next(4) }, word).join(' '), language: null }
}

function guess(detector: Detector, { text, language }: Sample, kind: string): Guess[] {
  const letters = pureText(text)
  if (letters === '') return []
  const certain = scriptLanguage(letters)
  if (certain) return [{ kind, isRight: certain.language === language, evidence: null }]
  const words = withoutStrangers(letters)
  const scores = Object.entries(detector.detect(words).getScores()).toSorted(([, a], [, b]) => b - a)
  return [{ kind, isRight: scores[0]?.[0] === language, evidence: evidenceIn(words, scores) }]
}

/** Logistic regression by Newton's method: five weights take a dozen steps. */
function fit(guesses: readonly Guess[]): Weights {
  const rows = guesses.flatMap(({ evidence, isRight }) =>
    evidence ? [{ x: factorsOf(evidence), y: isRight ? 1 : 0, evidence }] : [],
  )
  let weights: Weights = [0, 0, 0, 0, 0]
  for (let step = 0; step < 25; step++) {
    const gradient = weights.map(() => 0)
    const curvature = weights.map((_, at) => weights.map((__, other) => (at === other ? 1e-6 : 0)))
    for (const { x, y, evidence } of rows) {
      const p = likelihoodOf(evidence, weights)
      addTo(gradient, x, y - p)
      for (const [at, line] of curvature.entries()) addTo(line, x, (x[at] ?? 0) * p * (1 - p))
    }
    const change = solve(curvature, gradient)
    weights = weights.map((weight, at) => weight + (change[at] ?? 0)) as unknown as Weights
  }
  return weights
}

function addTo(sums: number[], values: readonly number[], times: number): void {
  for (const [at, value] of values.entries()) sums[at] = (sums[at] ?? 0) + value * times
}

/** Gaussian elimination; the matrix is positive definite. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, at) => [...line, right[at] ?? 0])
  for (const [at, pivot] of rows.entries()) {
    for (const [other, line] of rows.entries()) {
      const factor = other === at ? 0 : (line[at] ?? 0) / (pivot[at] ?? 1)
      for (const column of line.keys()) line[column] = (line[column] ?? 0) - factor * (pivot[column] ?? 0)
    }
  }
  return rows.map((line, at) => (line.at(-1) ?? 0) / (line[at] ?? 1))
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

function report(held: readonly Guess[], weights: Weights): void {
  const judged = held.map((it) => ({ ...it, p: it.evidence ? likelihoodOf(it.evidence, weights) : 1 }))
  for (const [kind, of] of Map.groupBy(judged, (it) => it.kind)) {
    const named = of.filter(({ p }) => p >= 0.5)
    const right = percent(named.filter((it) => it.isRight).length, of.length)
    const wrong = percent(named.filter((it) => !it.isRight).length, of.length)
    console.log(`${kind}: ${right} right, ${wrong} wrong, ${percent(of.length - named.length, of.length)} undetermined`)
  }
  const decided = judged.filter(({ evidence }) => evidence !== null)
  for (const [bucket, of] of [...Map.groupBy(decided, ({ p }) => Math.floor(p * 10))].toSorted(([a], [b]) => a - b)) {
    const meant = of.reduce((sum, { p }) => sum + p, 0) / of.length
    console.log(
      `confidence ${bucket / 10}: ${of.length} texts, ${meant.toFixed(2)} said, ${percent(of.filter((it) => it.isRight).length, of.length)} right`,
    )
  }
}

const [folder = '.', only] = process.argv.slice(2)
const samples = readSamples(folder)
for (const model of DETECTION_MODELS.filter((name): name is DetectionModel => only === undefined || name === only)) {
  const from = performance.now()
  const memory = process.memoryUsage().rss
  const detector = await importDetector(model)
  const megabytes = Math.round((process.memoryUsage().rss - memory) / 2 ** 20)
  console.log(`\n${model}: loaded in ${Math.round(performance.now() - from)} ms, ${megabytes} MiB`)
  const known = new Set(
    Object.values((detector as unknown as { info(): { Languages: Record<string, string> } }).info().Languages),
  )
  const isKnown = ({ language }: Sample) => language === null || known.has(language)
  const kindOf = (sample: Sample) => (isKnown(sample) ? sample.kind : `other languages, ${sample.kind}`)
  const guesses = samples.map((sample) => guess(detector, sample, kindOf(sample)))
  const weights = fit(guesses.filter((_, at) => at % 2 === 0).flat())
  console.log(`weights: [${weights.map((weight) => weight.toFixed(3)).join(', ')}]`)
  report(guesses.filter((_, at) => at % 2 === 1).flat(), weights)
}
