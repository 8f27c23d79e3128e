import { ApplicationCommandType, Routes, type Client, type RESTPostAPIApplicationCommandsJSONBody } from 'discord.js'

type Definition = RESTPostAPIApplicationCommandsJSONBody

/** Fields that Discord adds to a command. */
const ADDED = new Set(['id', 'application_id', 'version', 'guild_id', 'dm_permission', 'nsfw'])

/**
 * Tells Discord of the commands unless it knows them as they are: a change counts against a daily limit and takes a while
 * to reach the members. @returns whether anything had changed.
 */
export async function putCommands(
  { rest }: Client,
  botId: string,
  commands: readonly { readonly definition: Definition }[],
): Promise<boolean> {
  const route = Routes.applicationCommands(botId)
  const wanted = commands.map(({ definition }) => definition)
  const query = new URLSearchParams({ with_localizations: 'true' })
  const known = (await rest.get(route, { query })) as Definition[]
  // Discord makes one for an app with Activities, and refuses a list without it as a whole (50240).
  const entry = known.filter(({ type }) => type === ApplicationCommandType.PrimaryEntryPoint)
  if (fingerprint(known) === fingerprint([...wanted, ...entry])) return false
  await rest.put(route, { body: [...wanted, ...entry] })
  return true
}

/** Equal for equivalent lists: ignores order, and treats absent and empty fields alike. */
function fingerprint(commands: readonly Definition[]): string {
  const sorted = commands.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return JSON.stringify(sorted.map((command) => essence(command)))
}

/** A menu may have a command of the same name as a slash command. */
function nameOf({ type = 1, name }: Definition): string {
  return `${type} ${name}`
}

function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([key, inner]) => !ADDED.has(key) && !isEmpty(inner))
    .map(([key, inner]) => [key, essence(inner)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === '' || isEmptyList(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
