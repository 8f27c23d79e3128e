/** The answer of `GET /v4/info`. */
export interface InfoObject {
  readonly version: VersionObject
  /** Milliseconds since 1970. */
  readonly buildTime: number
  readonly git: { readonly branch: string; readonly commit: string; readonly commitTime: number }
  /** Lavalink's words for what runs it and for what plays. */
  readonly jvm: string
  readonly lavaplayer: string
  /** Sources that are on, by Lavalink's names. */
  readonly sourceManagers: readonly string[]
  readonly filters: readonly string[]
  readonly plugins: readonly PluginObject[]
}

interface VersionObject {
  readonly semver: string
  readonly major: number
  readonly minor: number
  readonly patch: number
  readonly preRelease: string | null
  readonly build: string | null
}

export interface PluginObject {
  readonly name: string
  readonly version: string
}

/** The parts of a semantic version. @throws {RangeError} where it is none */
export function toVersionObject(semver: string): VersionObject {
  const { major, minor, patch, preRelease = null, build = null } = SEMVER.exec(semver)?.groups ?? {}
  if (major === undefined) throw new RangeError(`${semver} isn't a semantic version.`)
  return { semver, major: Number(major), minor: Number(minor), patch: Number(patch), preRelease, build }
}

const SEMVER =
  /^(?<major>\d{1,9})\.(?<minor>\d{1,9})\.(?<patch>\d{1,9})(?:-(?<preRelease>[\da-zA-Z.-]+))?(?:\+(?<build>[\da-zA-Z.-]+))?$/
