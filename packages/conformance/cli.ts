#!/usr/bin/env node
import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { selectChecks } from './checks/index.ts'
import { openDiscord, explainTrust, keepCertificate } from './cli/discord.ts'
import { HELP, parseOptions, UsageError, type Options } from './cli/options.ts'
import { jsonReport } from './report/json.ts'
import { junitReport } from './report/junit.ts'
import { decisive, type RunFacts } from './report/summary.ts'
import { progressLine, textReport } from './report/text.ts'
import type { Check } from './suite/check.ts'
import { runChecks, type Result } from './suite/runner.ts'
import { openSuite } from './suite/suite-context.ts'
import { VERSION } from './suite/version.ts'

const FOLDER = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lavalink-conformance')
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const note = (text: string): void => void process.stderr.write(`${text}\n`)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

try {
  process.exitCode = await main()
} catch (error) {
  note(explain(error))
  process.exitCode = 2
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env['LAVALINK_PASSWORD'])
  const checks = selectChecks(options.only)
  if (checks.length === 0) throw new UsageError(`--only ${options.only.join(',')} names no check; --list shows all.`)
  if (options.command === 'help') say(HELP)
  else if (options.command === 'version') say(VERSION)
  else if (options.command === 'list') list(checks)
  else if (options.command === 'certificate') say(explainTrust((await keepCertificate(FOLDER)).file))
  else if (options.command === 'sandbox') await serveSandbox(options)
  else return run(options, checks)
  return 0
}

function list(checks: readonly Check[]): void {
  for (const { id, level, title, link } of checks) say(`${id} (${level})\n  ${title}\n  ${link}`)
  say(`${checks.length} checks`)
}

async function serveSandbox({ sandboxPort }: Options): Promise<void> {
  const discord = await openDiscord(sandboxPort, FOLDER)
  say(`The stand-in Discord is ready: --sandbox ${discord.url}\nIts page: ${discord.url}/sandbox/\n`)
  say(explainTrust(discord.certificateFile))
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve))
  await discord.close()
}

async function run(options: Options, checks: readonly Check[]): Promise<number> {
  await using open = new AsyncDisposableStack()
  const { url, password, mediaHost: host, mediaPublicHost: publicHost, mediaPort: port } = options
  const sandboxUrl = await findSandbox(options, open)
  const { playlist, search } = options
  const media = { host, publicHost, port }
  const suite = open.adopt(
    await openSuite({ server: { url, password }, sandboxUrl, media, fixtures: { playlist, search } }),
    (it) => it.close(),
  )
  const startedAt = new Date()
  let done = 0
  const onResult = (result: Result) => {
    done++
    if (!options.quiet) note(progressLine(result, done, checks.length))
  }
  const { jobs, seconds, bail, slow } = options
  const results = await runChecks(suite, { checks, jobs, seconds, bail, slow, onResult, signal: stopping.signal })
  const about: RunFacts = {
    url,
    serverVersion: suite.info?.version.semver ?? null,
    suiteVersion: VERSION,
    startedAt,
    ms: Date.now() - startedAt.getTime(),
  }
  report(options, about, results)
  const isCutShort = stopping.signal.aborted
  return isCutShort ? 2 : decisive(results, options.strict).length > 0 ? 1 : 0
}

async function findSandbox(options: Options, open: AsyncDisposableStack): Promise<string | null> {
  if (!options.hasVoice) return null
  if (options.sandboxUrl !== null) return options.sandboxUrl
  const discord = open.adopt(await openDiscord(options.sandboxPort, FOLDER), (it) => it.close())
  if (!options.quiet) note(`${explainTrust(discord.certificateFile)}\n`)
  return discord.url
}

function report(options: Options, about: RunFacts, results: readonly Result[]): void {
  const { json, junit } = options
  if (junit !== null) writeFileSync(junit, junitReport(about, results))
  if (json === '-') return say(jsonReport(about, results).trimEnd())
  if (json !== null) writeFileSync(json, jsonReport(about, results))
  say(textReport(about, results))
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nlavalink-conformance --help shows what there is.`
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
