/**
 * Asks each music site for what it is known to have, by our sources and as it is, and names what changed. Meant for a
 * schedule on a machine with a network, with the service's settings in the environment. Ends with 1 where something
 * changed, with 2 where nothing did but a site was out of reach.
 *
 *     npm run sources:check [-- --only spotify,deezer]
 */
import { parseArgs } from 'node:util'
import { outcomeOf } from '../../bot/sources/source-health.ts'
import type { Source } from '../../bot/sources/source.ts'
import { SOURCE_FACTS } from '../../bot/sources/settings.ts'
import { counted } from '../../lib/text.ts'
import { differences } from './compare.ts'
import { openSources } from './open-sources.ts'
import { readShapes, type KnownLink, type RecordedShape, type SourceShapes } from './shapes.ts'

interface Check {
  readonly source: string
  readonly name: string
  readonly outcome: 'ok' | 'changed' | 'unreachable' | 'skipped'
  readonly detail: string
  readonly tookMs: number
}

type Finding = Pick<Check, 'outcome' | 'detail'>

const CHECK_MS = 30_000
const ok = (detail: string): Finding => ({ outcome: 'ok', detail })
const changed = (detail: string): Finding => ({ outcome: 'changed', detail })

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = values.only?.split(',')
await using opened = openSources(process.env)
const checks: Check[] = []
for (const shapes of readShapes()) {
  if (wanted === undefined || wanted.includes(shapes.source)) checks.push(...(await checkSource(shapes)))
}
print(checks)
const has = (outcome: Check['outcome']) => checks.some((check) => check.outcome === outcome)
process.exitCode = has('changed') ? 1 : has('unreachable') ? 2 : 0

async function checkSource({ source: name, links, answers }: SourceShapes): Promise<readonly Check[]> {
  const source = opened.open(name)
  const isSearched = SOURCE_FACTS[name].kind !== 'links'
  const found: Check[] = []
  const run = async (title: string, work: () => Promise<Finding>) => {
    const startedMs = performance.now()
    const finding = await work().catch(failed)
    found.push({ source: name, name: title, ...finding, tookMs: Math.round(performance.now() - startedMs) })
  }
  for (const answer of answers) await run(`answer: ${answer.name}`, () => checkAnswer(answer))
  for (const link of links) await run(`link: ${link.name}`, () => checkLink(source, link))
  if (isSearched) await run('search and open', () => checkSearch(source))
  await source.close()
  return found
}

async function checkAnswer(recorded: RecordedShape): Promise<Finding> {
  const answer = await opened.fetch(recorded)
  if (answer === null) return { outcome: 'skipped', detail: 'needs SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET' }
  const all = differences(recorded.shape, answer)
  return all.length === 0 ? ok('') : changed(all.join('; '))
}

async function checkLink(source: Source, { url, atLeast }: KnownLink): Promise<Finding> {
  const { tracks, total } = await source.resolve(new URL(url), AbortSignal.timeout(CHECK_MS))
  const detail = total ? `${tracks.length} of ${counted(total, 'track')}` : counted(tracks.length, 'track')
  return tracks.length >= atLeast ? ok(detail) : changed(`${detail}, at least ${atLeast} expected`)
}

async function checkSearch(source: Source): Promise<Finding> {
  const signal = AbortSignal.timeout(CHECK_MS)
  const [track] = await source.search('love', 1, signal)
  if (!track) return changed('a search for "love" finds nothing')
  // Opening a station counts as listening.
  if (source.name === 'radio') return ok(track.title)
  const { kind } = await source.open(track, signal, true)
  return ok(`${track.title}, opened as ${kind}`)
}

function failed(error: unknown): Finding {
  const outcome = outcomeOf(error)
  const detail = error instanceof Error ? error.message : String(error)
  // What a site has no more is a change, too: all that is asked for has been there for years.
  return { outcome: outcome === 'changed' || outcome === 'answered' ? 'changed' : 'unreachable', detail }
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length))
}

function print(all: readonly Check[]): void {
  const [sourceWidth, nameWidth] = [widest(all.map(({ source }) => source)), widest(all.map(({ name }) => name))]
  for (const { source, name, outcome, detail, tookMs } of all) {
    const head = `${source.padEnd(sourceWidth)}  ${name.padEnd(nameWidth)}  ${outcome.padEnd(11)}`
    console.log(`${head}  ${String(tookMs).padStart(6)} ms  ${detail}`.trimEnd())
  }
  const count = (outcome: Check['outcome']) => all.filter((check) => check.outcome === outcome).length
  console.log(
    `${all.length} checks: ${count('changed')} changed, ${count('unreachable')} unreachable, ${count('skipped')} skipped.`,
  )
}
