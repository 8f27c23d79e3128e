import { Command, Option } from 'commander'
import { KEY_CLASSES } from '../../../db/projects/key-settings.ts'
import { keyState, type ApiKey } from '../../../db/projects/keys.ts'
import { Fault } from '../../../lib/errors.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields, isoTime, parseList, parseSpan, parseTime, table } from '../words.ts'

interface CreateOptions extends Json {
  readonly project: string
  readonly bot?: string
  readonly pool?: string
  readonly name?: string
  readonly expires?: number
  readonly allow?: readonly string[]
  readonly classes?: readonly string[]
}

const DAY_MS = 86_400_000

const EXAMPLES = `
Examples:
  npm run admin -- key create --project prj_… --name "my program" --bot 123456789012345678
  npm run admin -- key create --project prj_… --pool pol_…
  npm run admin -- key create --project prj_… --expires 2027-01-31 --allow 203.0.113.0/24 --classes cheap,fetch
  npm run admin -- key rotate key_… --grace 24h
  npm run admin -- key revoke key_…`

/** API keys: shown once when they are made. */
export function keyCommand(context: AdminContext): Command {
  const key = new Command('key').description('create, list, rotate and revoke API keys').addHelpText('after', EXAMPLES)
  addCreate(key, context)
  key
    .command('list')
    .description("list a project's keys, including revoked and expired ones")
    .requiredOption('--project <id>', 'project ID')
    .action(async (options: Json & { project: string }) => {
      const keys = (await context.keys().list((await context.projects().get(options.project)).id)).map(toJson)
      const rows = keys.map((it) => [
        it.id,
        `svc.${it.prefix}…`,
        it.state,
        it.botId ?? it.poolId,
        it.lastUsedAt,
        it.expiresAt,
        it.name,
      ])
      context.show(options, keys, table(['id', 'key', 'state', 'bot or pool', 'last used', 'expires', 'name'], rows))
    })
  key
    .command('rotate')
    .description('replace a key; the old one expires after the grace period')
    .argument('<id>', 'ID of the old key')
    .addOption(
      new Option('--grace <span>', 'how long the old key still works: 90s, 15m, 24h, 30d, or 0 if it leaked')
        .argParser(parseSpan)
        .default(DAY_MS, '24h'),
    )
    .action(async (id: string, options: Json & { grace: number }) => {
      showNew(context, options, await context.keys().rotate(await ownerOf(context, id), id, options.grace))
    })
  key
    .command('revoke')
    .description('revoke a key permanently, within one second')
    .argument('<id>', 'key ID')
    .action(async (id: string, options: Json) => {
      const shown = toJson(await context.keys().revoke(await ownerOf(context, id), id))
      context.show(options, shown, [`revoked  ${id}`])
    })
  return key
}

function addCreate(key: Command, context: AdminContext): void {
  key
    .command('create')
    .description('create a key; a project can have 25 active keys')
    .requiredOption('--project <id>', 'project whose rate limits the key uses')
    .option('--bot <id>', 'bot of the key; music routes need a bot or a pool')
    .option('--pool <id>', 'pool of the key')
    .option('--name <name>', 'name of the key')
    .option('--expires <time>', 'expiry in ISO 8601: 2027-01-31 or 2027-01-31T18:00:00Z', parseTime)
    .option('--allow <ranges>', 'allowed IP ranges, comma-separated: 203.0.113.0/24,2001:db8::/32', parseList)
    .option('--classes <classes>', `allowed route classes, comma-separated: ${KEY_CLASSES.join(',')}`, parseList)
    .action(async (options: CreateOptions) => {
      const { project, bot, pool, name, expires, allow, classes } = options
      const input = { projectId: project, botId: bot, poolId: pool, name, expiresAtMs: expires, allow, classes }
      showNew(context, options, await context.keys().create(input))
    })
}

function showNew(context: AdminContext, options: Json, created: ApiKey & { readonly key: string }): void {
  const { id, prefix, ...rest } = toJson(created)
  const shown = { id, key: created.key, prefix, ...rest }
  context.show(options, shown, fields({ id, key: created.key }))
  if (!options.json) context.note("Copy the key now. Bandstand stores only its hash and can't show it again.")
}

async function ownerOf(context: AdminContext, id: string): Promise<string> {
  const projectId = await context.keys().projectOf(id)
  if (projectId === null)
    throw new Fault('not_found', `There is no key ${id}. List all: npm run admin -- key list --project <id>`)
  return projectId
}

function toJson(key: ApiKey) {
  const { id, prefix, projectId, name, botId, poolId, allow, classes } = key
  return {
    id,
    prefix,
    projectId,
    name,
    botId,
    poolId,
    allow,
    classes,
    state: keyState(key, Date.now()),
    createdAt: isoTime(key.createdAtMs),
    expiresAt: isoTime(key.expiresAtMs),
    revokedAt: isoTime(key.revokedAtMs),
    lastUsedAt: isoTime(key.lastUsedAtMs),
  }
}
