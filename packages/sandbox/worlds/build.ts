import { GatewayIntentBits, type APIApplicationCommand } from 'discord-api-types/v10'
import { setActivities } from '../world/activities.ts'
import { createApplication } from '../world/applications.ts'
import { CommandDraft, setCommands } from '../world/commands.ts'
import { DiscordError } from '../world/errors.ts'
import type { Application, World } from '../world/world.ts'
import { buildGuild, type Seat } from './build-guild.ts'
import { createNames } from './names.ts'
import { WorldError, type WorldProblem } from './read.ts'
import type { ApplicationFile, WorldFile } from './schema.ts'

/**
 * Puts what a file describes into a world that is empty but for the bots of an earlier run.
 * @returns who sits in which voice channel.
 * @throws {WorldError} with every reference that leads nowhere.
 */
export function buildWorld(world: World, file: WorldFile, source = 'The world'): readonly Seat[] {
  const problems: WorldProblem[] = []
  const note = (problem: WorldProblem) => void problems.push(problem)
  if (file.clock) {
    const atMs = Date.parse(file.clock.at)
    if (file.clock.frozen) world.clock.freeze(atMs)
    else world.clock.set(atMs)
  }
  checkIds(file, note)
  const applications = file.applications.map((one, i) =>
    buildApplication(world, one, { path: `applications.${i}`, note }),
  )
  const names = createNames('application', applications, note)
  const seats = file.guilds.flatMap((guild, i) =>
    buildGuild({ world, applications: names, note }, guild, `guilds.${i}`),
  )
  if (problems.length > 0) throw new WorldError(source, problems)
  return seats
}

interface Noting {
  readonly path: string
  readonly note: (problem: WorldProblem) => void
}

function buildApplication(world: World, file: ApplicationFile, { path, note }: Noting): Application {
  const { commands, intents, id, token, activities, ...facts } = file
  const known = id === undefined ? undefined : world.applications.get(id)
  const privileged = intents.reduce((all, name) => all | GatewayIntentBits[name], 0)
  const given = { ...facts, privileged, ...(id === undefined ? {} : { id }), ...(token === undefined ? {} : { token }) }
  const application = known ?? createApplication(world, given)
  const drafts = commands.flatMap((command, i) => {
    const parsed = CommandDraft.safeParse(command)
    if (parsed.success) return parsed.data
    for (const { path: at, message } of parsed.error.issues)
      note({ path: [path, 'commands', i, ...at].join('.'), message })
    return []
  })
  try {
    const made = drafts.length > 0 ? setCommands(world, application, null, drafts) : []
    for (const [i, command] of made.entries()) rename(application, command, drafts[i]?.id)
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error
    note({ path: `${path}.commands`, message: `${error.message} ${JSON.stringify(error.errors ?? {})}` })
  }
  // Last, since the file need not name the entry point.
  setActivities(world, application, activities)
  return application
}

/** Gives a command the ID that it has in its file. */
function rename({ commands }: Application, command: APIApplicationCommand, id: string | undefined): void {
  if (id === undefined) return
  commands.delete(command.id)
  command.id = id
  commands.set(id, command)
}

/** IDs name one thing each, in all of Discord; a member may be in several guilds. */
function checkIds({ applications, guilds }: WorldFile, note: Noting['note']): void {
  const seen = new Map<string, string>()
  const claim = (id: string | undefined, path: string) => {
    if (id === undefined) return
    const first = seen.get(id)
    if (first !== undefined) note({ path: `${path}.id`, message: `${first} already has this ID.` })
    else seen.set(id, path)
  }
  const each = (all: readonly { id?: string | undefined }[], path: string) => {
    for (const [i, one] of all.entries()) claim(one.id, `${path}.${i}`)
  }
  each(applications, 'applications')
  each(guilds, 'guilds')
  for (const [i, { roles, channels, members }] of guilds.entries()) {
    each(roles, `guilds.${i}.roles`)
    each(channels, `guilds.${i}.channels`)
    const twice = members.findIndex(
      ({ id }, at) => id !== undefined && members.findIndex((other) => other.id === id) < at,
    )
    if (twice !== -1)
      note({ path: `guilds.${i}.members.${twice}.id`, message: 'A member of this guild already has this ID.' })
  }
}
