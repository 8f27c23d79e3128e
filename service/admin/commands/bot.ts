import { Command } from 'commander'
import { createSourceFailures } from '../../../db/music/source-failures.ts'
import { createSourceSwitches } from '../../../db/music/source-switches.ts'
import type { BotRecord } from '../../../db/projects/bots.ts'
import { Fault } from '../../../lib/errors.ts'
import type { AdminContext, Json } from '../context.ts'
import { askBotToken } from '../bot-token.ts'
import { readSources, sourceLines } from '../doctor/sources.ts'
import { fields, isoTime, table } from '../words.ts'

const EXAMPLES = `
Examples:
  npm run admin -- bot add --project prj_… < token.txt
  npm run admin -- bot list --project prj_…
  npm run admin -- bot remove 123456789012345678

The command reads the token from standard input, since other users can see command lines. In a terminal, it
prompts for the token and hides the input.`

/** Discord bots that play for a project. */
export function botCommand(context: AdminContext): Command {
  const bot = new Command('bot').description('add, list and remove Discord bots').addHelpText('after', EXAMPLES)
  bot
    .command('add')
    .description('verify a bot token with Discord and store it encrypted; replaces the token of a known bot')
    .requiredOption('--project <id>', 'project of the bot')
    .action((options: Json & { project: string }) => add(context, options))
  bot
    .command('list')
    .description('list the bots of one project or of all projects')
    .option('--project <id>', 'only bots of this project')
    .action(async (options: Json & { project?: string }) => {
      const { project } = options
      const bots = project
        ? await context.bots().list((await context.projects().get(project)).id)
        : await context.bots().listAll()
      const rows = bots
        .map(toJson)
        .map((it) => [it.id, it.projectId, it.sandbox ? 'sandbox' : 'Discord', it.createdAt, it.name])
      context.show(options, bots.map(toJson), table(['id', 'project', 'where', 'added', 'name'], rows))
    })
  bot
    .command('remove')
    .description('log a bot out, and delete its token and players')
    .argument('<id>', 'bot ID')
    .action(async (id: string, options: Json) => {
      const projectId = await context.bots().projectOf(id)
      if (projectId === null) throw new Fault('not_found', `There is no bot ${id}. List all: npm run admin -- bot list`)
      await context.bots().remove(projectId, id)
      context.show(options, { id, projectId, removed: true }, [`removed  ${id}`])
    })
  return bot
}

async function add(context: AdminContext, options: Json & { project: string }): Promise<void> {
  const project = await context.projects().get(options.project)
  const { token, identity, sandbox } = await askBotToken(context)
  const bot = toJson(await context.bots().add({ ...identity, projectId: project.id, token, sandbox }))
  const failures = await createSourceFailures(context.local()).list()
  const off = await createSourceSwitches(context.store()).listOff()
  const sources = readSources(context.config(), { failures, hasRealBot: true, off })
  const lines = [...fields({ id: bot.id, name: bot.name }), '', ...sourceLines(sources)]
  context.show(options, { ...bot, sources }, lines)
}

function toJson({ id, projectId, name, sandbox, createdAtMs }: BotRecord) {
  return { id, name, projectId, sandbox, createdAt: isoTime(createdAtMs) }
}
