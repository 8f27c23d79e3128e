// Fails where a package in production has no build for 64-bit ARM, or for musl (Alpine). A package may do without if it is
// optional itself, since what needs it then works without. No package may count on a script of its own: images and musl
// systems install without.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './imports.ts'

interface Locked {
  readonly dev?: boolean
  /** For development, or as a peer that may be missing. */
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly cpu?: readonly string[]
  readonly os?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The word for each platform differs from package to package. */
const ARM = /linux(?:musl)?-arm64/
const ARM_MUSL = /linuxmusl-arm64|linux-arm64-musl/
const X64 = /linux(?:musl)?-x64/
/** Packages whose scripts only fetch Node for glibc, where images and musl systems have their own, or spare a start some ms. */
const COMPLETE: ReadonlySet<string> = new Set(['node_modules/node', 'node_modules/esbuild'])
/** Voice packets are sealed by AES-GCM of Node.js where libsodium does not load. */
const MAY_BE_AWAY = /^node_modules\/(?:voice-sodium|bare-[a-z]+)$/

function faultsOf(path: string, locked: Locked): readonly string[] {
  if (locked.dev || locked.devOptional || locked.optional || COMPLETE.has(path) || MAY_BE_AWAY.test(path)) return []
  if (locked.hasInstallScript) return [`${path} is complete only after a script of its own.`]
  const builds = [...Object.keys(locked.optionalDependencies ?? {}), ...prebuildsOf(path)]
  if (!builds.some((name) => X64.test(name))) return isBound(locked) ? [`${path} is for some platforms only.`] : []
  return [
    ...(builds.some((name) => ARM.test(name)) ? [] : [`${path} has no build for linux-arm64.`]),
    ...(builds.some((name) => ARM_MUSL.test(name)) ? [] : [`${path} has no build for musl on arm64.`]),
  ]
}

function isBound({ cpu = [], os = [] }: Locked): boolean {
  return cpu.length > 0 || os.length > 0
}

/** Builds that come inside the package. */
function prebuildsOf(path: string): readonly string[] {
  const folder = join(root, path, 'prebuilds')
  return existsSync(folder) ? readdirSync(folder) : []
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}
const faults = Object.entries(packages).flatMap(([path, locked]) => faultsOf(path, locked))
for (const fault of faults) console.error(fault)
console.log(`${Object.keys(packages).length} packages, ${faults.length} without a build for linux-arm64 or musl.`)
process.exitCode = faults.length > 0 ? 1 : 0
