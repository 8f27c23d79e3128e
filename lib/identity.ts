import { createRequire } from 'node:module'
import { assetFile } from './installation.ts'

interface Manifest {
  readonly version: string
  readonly homepage: string
}

const { version, homepage } = createRequire(import.meta.url)(assetFile('package.json')) as Manifest

export const VERSION = version

/** Address of the project: the contact for outside services where the operator names none. */
export const HOMEPAGE = homepage

/** Returns the user agent that outside services want: the product, its version, and a contact. */
export function userAgent(contact: string = HOMEPAGE): string {
  return `Bandstand/${VERSION} (${contact}; self-hosted Discord bot)`
}

/** The same for Discord, which blocks clients that name themselves in another form. */
export const DISCORD_USER_AGENT = `DiscordBot (${HOMEPAGE}, ${VERSION})`
