import { Command } from 'commander'
import type { BotRecord } from '../../db/projects/bots.ts'
import { Fault } from '../../lib/errors.ts'
import { identifyBot, type BotIdentity } from '../../upstream/discord/discord.ts'
import type { AdminContext } from '../context.ts'
import { findDiscords } from '../discord-client.ts'
import { fields, isoTime, table } from '../words.ts'

interface Json {
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  npm run admin -- bot add --project prj_… < token.txt
  npm run admin -- bot list --project prj_…
  npm run admin -- bot remove 123456789012345678

The token is read from standard input, never from the command line, where other users could see it. In a terminal it is
asked for and not shown.`

/** Discord bots that play for a project. */
export function botCommand(desk: AdminContext): Command {
  const bot = new Command('bot').description('add, list and remove Discord bots').addHelpText('after', EXAMPLES)
  bot
    .command('add')
    .description('check a bot token with Discord and keep it, encrypted; a bot that is there gets its new token')
    .requiredOption('--project <id>', 'the project that it plays for')
    .action((options: Json & { project: string }) => add(desk, options))
  bot
    .command('list')
    .description('list the bots of a project, or of all')
    .option('--project <id>', 'of this project only')
    .action((options: Json & { project?: string }) => {
      const { project } = options
      const bots = project ? desk.bots().list(desk.projects().get(project).id) : desk.bots().listAll()
      const rows = bots
        .map(toJson)
        .map((it) => [it.id, it.projectId, it.sandbox ? 'sandbox' : 'Discord', it.createdAt, it.name])
      desk.show(options, bots.map(toJson), table(['id', 'project', 'where', 'added', 'name'], rows))
    })
  bot
    .command('remove')
    .description('log a bot out and forget its token and its players')
    .argument('<id>', 'the bot')
    .action((id: string, options: Json) => {
      const projectId = desk.bots().projectOf(id)
      if (projectId === null) throw new Fault('not_found', `There is no bot ${id}.`)
      desk.bots().remove(projectId, id)
      desk.show(options, { id, projectId, removed: true }, [`removed  ${id}`])
    })
  return bot
}

async function add(desk: AdminContext, options: Json & { project: string }): Promise<void> {
  const project = desk.projects().get(options.project)
  const token = readable(await desk.readSecret('Paste the bot token (it is not shown), then press Enter: '))
  const { identity, sandbox } = await identify(desk, token)
  const bot = toJson(desk.bots().add({ ...identity, projectId: project.id, token, sandbox }))
  desk.show(options, bot, fields({ id: bot.id, name: bot.name }))
}

/** As people copy it: with line breaks round it, with the word `Bot` before it. */
function readable(input: string): string {
  const token = input.replace(/^Bot\s+/i, '')
  if (token === '')
    throw new Fault('validation_error', 'No token came in. Give it on standard input: … bot add < token.txt')
  if (!/^[\x21-\x7e]{10,200}$/.test(token)) {
    throw new Fault(
      'validation_error',
      'This is no bot token. Copy it from the page "Bot" of your application in the developer portal.',
    )
  }
  return token
}

/** In the sandbox first, where one runs: it is near, and what it does not know may still be a real bot. */
async function identify(desk: AdminContext, token: string): Promise<{ identity: BotIdentity; sandbox: boolean }> {
  const discords = await findDiscords(desk.config())
  for (const { apiUrl, called, sandbox } of discords) {
    const identity = await identifyBot({ apiUrl, called, token })
    if (!identity) continue
    if (!sandbox && discords.length > 1)
      desk.note('The service runs this bot in Discord now, and its sandbox beside it until it starts again.')
    return { identity, sandbox }
  }
  const who = discords.map(({ called }) => called).join(' and ')
  throw new Fault('validation_error', `${who} did not accept this token. Was it reset? Copy the new one.`)
}

function toJson({ id, projectId, name, sandbox, createdAtMs }: BotRecord) {
  return { id, name, projectId, sandbox, createdAt: isoTime(createdAtMs) }
}
