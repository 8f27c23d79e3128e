import { Command } from 'commander'
import { MAX_POOL_BOTS, MAX_POOLS, type Pool } from '../../db/projects/pools.ts'
import { Fault } from '../../lib/errors.ts'
import type { AdminContext } from '../context.ts'
import { fields, isoTime, parseList, table } from '../words.ts'

interface Json {
  readonly json?: boolean
}

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
  npm run admin -- pool create "All of ours" --project prj_… --bots 123456789012345678,234567890123456789
  npm run admin -- pool change pol_… --add 345678901234567890
  npm run admin -- key create --project prj_… --pool pol_… --name "my program"

A program plays with whichever bot of the pool is free. The first bot is asked first.`

/** Pools: bots of a project behind one key. */
export function poolCommand(context: AdminContext): Command {
  const pool = new Command('pool')
    .description('make, list, change and remove pools of bots')
    .addHelpText('after', EXAMPLES)
  pool
    .command('create')
    .description(`make a pool; a project holds up to ${MAX_POOLS}`)
    .argument('<name>', 'what you call it')
    .requiredOption('--project <id>', 'the project that its bots play for')
    .requiredOption('--bots <ids>', `its bots, with commas, up to ${MAX_POOL_BOTS}`, parseList)
    .action((name: string, options: CreateOptions) => {
      const { project, bots } = options
      showOne(context, options, context.pools().create({ projectId: project, name, botIds: bots }))
    })
  pool
    .command('list')
    .description('list the pools of a project')
    .requiredOption('--project <id>', 'the project')
    .action((options: Json & { project: string }) => {
      const pools = context.pools().list(context.projects().get(options.project).id).map(toJson)
      const rows = pools.map(({ id, name, botIds }) => [id, botIds.join(' '), name])
      context.show(options, pools, table(['id', 'bots', 'name'], rows))
    })
  addChange(pool, context)
  pool
    .command('remove')
    .description('remove a pool; its bots stay, and keys that are linked to it control nothing')
    .argument('<id>', 'the pool')
    .action((id: string, options: Json) => {
      const projectId = ownerOf(context, id)
      context.pools().remove(projectId, id)
      context.show(options, { id, projectId, removed: true }, [`removed  ${id}`])
    })
  return pool
}

function addChange(pool: Command, context: AdminContext): void {
  pool
    .command('change')
    .description('rename a pool, or change its bots; its keys follow within a second')
    .argument('<id>', 'the pool')
    .option('--name <name>', 'what you call it')
    .option('--bots <ids>', 'its bots from now on, with commas', parseList)
    .option('--add <ids>', 'further bots', parseList)
    .option('--drop <ids>', 'bots that leave it', parseList)
    .action((id: string, options: ChangeOptions) => {
      const projectId = ownerOf(context, id)
      const { name, bots, add = [], drop = [] } = options
      const before = bots ?? context.pools().get(projectId, id).botIds
      const botIds = [...before, ...add].filter((botId) => !drop.includes(botId))
      showOne(context, options, context.pools().change(projectId, id, { name, botIds }))
    })
}

function showOne(context: AdminContext, options: Json, pool: Pool): void {
  const shown = toJson(pool)
  context.show(options, shown, fields({ ...shown, botIds: shown.botIds.join(' ') }))
}

function ownerOf(context: AdminContext, id: string): string {
  const projectId = context.pools().projectOf(id)
  if (projectId === null) throw new Fault('not_found', `There is no pool ${id}.`)
  return projectId
}

function toJson({ id, projectId, name, botIds, createdAtMs }: Pool) {
  return { id, projectId, name, botIds, createdAt: isoTime(createdAtMs) }
}
