import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { APIApplicationCommand } from 'discord-api-types/v10'
import type { Logger } from 'pino'
import { z } from 'zod'
import { createApplication, PRIVILEGED } from './world/applications.ts'
import type { World } from './world/world.ts'

const State = z.object({
  applications: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      token: z.string(),
      // Files of earlier versions say whether it has all of them.
      privileged: z.union([z.int(), z.boolean().transform((all) => (all ? PRIVILEGED : 0))]),
      activities: z.boolean().default(false),
      shards: z.int().default(1),
      maxConcurrency: z.int().default(1),
      sessionStarts: z.int().default(1000),
      commands: z.array(z.custom<APIApplicationCommand>((value) => typeof value === 'object' && value !== null)),
    }),
  ),
})

/** Why the stand-in cannot start; the message is for the person who starts it. */
export class StartFailure extends Error {}

/**
 * Brings back the bots of an earlier run with their tokens and commands. No file: there was none.
 * @throws {StartFailure} when the file cannot be read or is no state file.
 */
export function loadState(world: World, file: string): void {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    const why = `Reading ${file} failed: ${(error as Error).message}.`
    throw new StartFailure(`${why} Make it readable for this user, or move it away.`, { cause: error })
  }
  const parsed = State.safeParse(parse(text))
  if (!parsed.success) {
    const why = `${file} is ${text.trim() === '' ? 'empty' : 'corrupt'}, so the sandbox can't restore its bots.`
    throw new StartFailure(`${why} Restore it from a backup, or move it away to start with the demo bot.`)
  }
  for (const { commands, activities, ...facts } of parsed.data.applications) {
    const application = createApplication(world, facts)
    for (const command of commands) application.commands.set(command.id, command)
    application.hasActivities = activities
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Keeps the file as the world is, after every change. It holds tokens: only the owner may read it. What cannot be
 * written, as on a full disk, is logged and written with the next change.
 */
export function keepState(world: World, file: string, log: Logger): void {
  const save = () => {
    try {
      write()
    } catch (err) {
      log.warn({ err, file }, 'saving state failed')
    }
  }
  const write = () => {
    mkdirSync(dirname(file), { recursive: true })
    const applications = world.applications
      .values()
      .map(({ hasActivities: activities, commands, ...application }) => {
        const { id, name, token, privileged, shards, maxConcurrency, sessionStarts } = application
        const connections = { shards, maxConcurrency, sessionStarts }
        return Object.assign(connections, { id, name, token, privileged, activities, commands: [...commands.values()] })
      })
      .toArray()
    // Written beside and renamed, so that a crash leaves the old file whole.
    writeFileSync(`${file}.new`, JSON.stringify({ applications }), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  world.notices.on('applications', save)
  save()
}
