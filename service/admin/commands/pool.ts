import { Command } from 'commander'
import { MAX_POOL_BOTS, MAX_POOLS, type Pool } from '../../../db/projects/pools.ts'
import { Fault } from '../../../lib/errors.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields, isoTime, parseList, table } from '../words.ts'

interface CreateOptions extends Json {
  readonly project: string
  readonly bots: readonly string[]
}

interface ChangeOptions extends Json {
  readonly name?: string
  readonly bots?: readonly string[]
  readonly add?: readonly string[]
  readonly drop?: readonly string[]
}

const EXAMPLES = `
Examples:
  npm run admin -- pool create "All bots" --project prj_… --bots 123456789012345678,234567890123456789
  npm run admin -- pool change pol_… --add 345678901234567890
  npm run admin -- key create --project prj_… --pool pol_… --name "my program"

Each request to play uses the first free bot of the pool, in the order of the list.`

/** Pools: bots of a project behind one key. */
export function poolCommand(context: AdminContext): Command {
  const pool = new Command('pool')
    .description('create, list, change and remove pools of bots')
    .addHelpText('after', EXAMPLES)
  pool
    .command('create')
    .description(`create a pool; a project can have ${MAX_POOLS}`)
    .argument('<name>', 'name of the pool')
    .requiredOption('--project <id>', 'project of the pool')
    .requiredOption('--bots <ids>', `bot IDs, comma-separated, up to ${MAX_POOL_BOTS}`, parseList)
    .action(async (name: string, options: CreateOptions) => {
      const { project, bots } = options
      showOne(context, options, await context.pools().create({ projectId: project, name, botIds: bots }))
    })
  pool
    .command('list')
    .description("list a project's pools")
    .requiredOption('--project <id>', 'project ID')
    .action(async (options: Json & { project: string }) => {
      const pools = (await context.pools().list((await context.projects().get(options.project)).id)).map(toJson)
      const rows = pools.map(({ id, name, botIds }) => [id, botIds.join(' '), name])
      context.show(options, pools, table(['id', 'bots', 'name'], rows))
    })
  addChange(pool, context)
  pool
    .command('remove')
    .description('remove a pool and keep its bots; keys of the pool no longer control any bot')
    .argument('<id>', 'pool ID')
    .action(async (id: string, options: Json) => {
      const projectId = await ownerOf(context, id)
      await context.pools().remove(projectId, id)
      context.show(options, { id, projectId, removed: true }, [`removed  ${id}`])
    })
  return pool
}

function addChange(pool: Command, context: AdminContext): void {
  pool
    .command('change')
    .description('rename a pool or change its bots; takes effect within one second')
    .argument('<id>', 'pool ID')
    .option('--name <name>', 'name of the pool')
    .option('--bots <ids>', 'replace all bots with these, comma-separated', parseList)
    .option('--add <ids>', 'bots to add, comma-separated', parseList)
    .option('--drop <ids>', 'bots to remove, comma-separated', parseList)
    .action(async (id: string, options: ChangeOptions) => {
      const projectId = await ownerOf(context, id)
      const { name, bots, add = [], drop = [] } = options
      const before = bots ?? (await context.pools().get(projectId, id)).botIds
      const botIds = [...before, ...add].filter((botId) => !drop.includes(botId))
      showOne(context, options, await context.pools().change(projectId, id, { name, botIds }))
    })
}

function showOne(context: AdminContext, options: Json, pool: Pool): void {
  const shown = toJson(pool)
  context.show(options, shown, fields({ ...shown, botIds: shown.botIds.join(' ') }))
}

async function ownerOf(context: AdminContext, id: string): Promise<string> {
  const projectId = await context.pools().projectOf(id)
  if (projectId === null)
    throw new Fault('not_found', `There is no pool ${id}. List all: npm run admin -- pool list --project <id>`)
  return projectId
}

function toJson({ id, projectId, name, botIds, createdAtMs }: Pool) {
  return { id, projectId, name, botIds, createdAt: isoTime(createdAtMs) }
}
