// Fails where a package in production has no build for 64-bit ARM, or for musl (Alpine). A package may do without if it is
// optional itself, since what needs it then works without. No package may count on a script of its own: images and musl
// systems install without.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './imports.ts'

interface Locked {
  readonly dev?: boolean
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
/** Its script fetches Node for glibc. Images and musl systems have their own. */
const NODE = 'node_modules/node'

function faultsOf(path: string, locked: Locked): readonly string[] {
  if (locked.dev || locked.optional || path === NODE) return []
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
