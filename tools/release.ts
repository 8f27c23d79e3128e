// Makes a release of the changes under Unreleased: `npm run release -- 1.3.0`. It commits and pushes nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The headings of Keep a Changelog. */
const KINDS: ReadonlySet<string> = new Set(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'])
const UNRELEASED = '## [Unreleased]\n'
const CHANGELOG = 'CHANGELOG.md'
const CHART = 'deploy/helm/Chart.yaml'

interface Release {
  /** The text of the tag: the title, and the changes under their headings. */
  readonly tagText: string
  /** Commands that commit and tag the release. */
  readonly commands: readonly string[]
}

/**
 * Sets the version in the manifest, its lock file and the chart, and dates the changes under Unreleased.
 *
 * @param date `YYYY-MM-DD`
 * @throws {Error} that says what to do; no file has changed then
 */
export function makeRelease(root: string, version: string, date: string): Release {
  assertNewer(version, readVersion(root))
  if (git(root, 'status', '--porcelain') !== '') throw new Error('Commit or stash your changes first.')
  const changelog = read(root, CHANGELOG)
  const changes = readChanges(changelog)
  const notes = resolve(root, git(root, 'rev-parse', '--git-path', `release-${version}.txt`).trim())
  const tagText = `Bandstand ${version}\n\n${changes}\n`

  const flags = ['--no-git-tag-version', '--no-workspaces-update', '--ignore-scripts']
  execFileSync('npm', ['version', version, ...flags], { cwd: root, stdio: 'pipe' })
  write(root, CHART, read(root, CHART).replace(/^appVersion: .*$/m, `appVersion: ${version}`))
  write(root, CHANGELOG, changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`))
  writeFileSync(notes, tagText)
  return {
    tagText,
    commands: [
      `git commit -m 'release: ${version}' package.json package-lock.json ${CHART} ${CHANGELOG}`,
      `git tag --cleanup=whitespace -F '${notes}' v${version}`,
    ],
  }
}

function assertNewer(version: string, current: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version, such as 1.3.0.')
  if (version.localeCompare(current, 'en', { numeric: true }) > 0) return
  throw new Error(`The version must be above ${current}.`)
}

/** Returns the changes under Unreleased, and refuses a section that is empty or has headings of its own. */
function readChanges(changelog: string): string {
  const [, section] = changelog.split(UNRELEASED)
  if (section === undefined) throw new Error(`${CHANGELOG} has no heading [Unreleased].`)
  const changes = (section.split('\n## ')[0] ?? '').trim()
  const [before = '', ...parts] = `\n${changes}`.split('\n### ')
  if (before.trim() !== '' || parts.length === 0) throw new Error(`Put the changes in ${CHANGELOG} under headings.`)
  for (const part of parts) {
    const [kind = '', ...lines] = part.split('\n')
    if (!KINDS.has(kind)) throw new Error(`"${kind}" is no heading of a changelog: use ${[...KINDS].join(', ')}.`)
    if (!lines.some((line) => line.startsWith('- '))) throw new Error(`Nothing is listed under "${kind}".`)
  }
  return changes
}

function readVersion(root: string): string {
  return (JSON.parse(read(root, 'package.json')) as { version: string }).version
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function write(root: string, file: string, text: string): void {
  writeFileSync(join(root, file), text)
}

if (import.meta.main) {
  try {
    const today = new Date().toISOString().slice(0, 10)
    const { tagText, commands } = makeRelease(process.cwd(), process.argv[2] ?? '', today)
    console.log(`${tagText}\nRun the checks, then:\n\n${commands.join('\n')}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
