import { PermissionFlagsBits } from 'discord-api-types/v10'
import type { Guild } from '../world/world.ts'
import type { PermissionsFile } from './schema.ts'

const FLAGS = Object.entries(PermissionFlagsBits) as [keyof typeof PermissionFlagsBits, bigint][]

export function toBits(permissions: PermissionsFile): bigint {
  if (typeof permissions === 'string') return BigInt(permissions)
  return permissions.reduce((all, name) => all | PermissionFlagsBits[name], 0n)
}

/** Names of the permissions; a bit without one stays a number. */
export function fromBits(bits: bigint): PermissionsFile {
  const named = new Map(FLAGS.map(([name, bit]) => [bit, name])).entries().filter(([bit]) => (bits & bit) === bit)
  const names = [...named].map(([, name]) => name)
  return toBits(names) === bits ? names : String(bits)
}

/** Gives a bot's own role these permissions, as an invitation does. */
export function permit({ roles }: Guild, applicationId: string, permissions: bigint): void {
  const own = roles.values().find(({ tags }) => tags?.bot_id === applicationId)
  if (own) own.permissions = String(permissions)
}
