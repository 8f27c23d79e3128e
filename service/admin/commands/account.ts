import { Command, Option } from 'commander'
import type { Account } from '../../../db/people/accounts.ts'
import { ROLES, type Role } from '../../../db/people/memberships.ts'
import { Fault } from '../../../lib/errors.ts'
import type { AdminContext, Json } from '../context.ts'
import { fields, isoTime, table } from '../words.ts'

const LINK_LIFETIME_MS = 3_600_000

const EXAMPLES = `
Examples:
  npm run admin -- account list
  npm run admin -- account link ada                      # set a new password
  npm run admin -- account grant ada prj_… --role owner
  npm run admin -- account link ada --drop-second-factor # after a lost phone`

/** People who sign in to the dashboard. */
export function accountCommand(context: AdminContext): Command {
  const account = new Command('account')
    .description('list dashboard accounts, reset passwords, and grant roles')
    .addHelpText('after', EXAMPLES)
  account
    .command('list')
    .description('list all accounts')
    .action(async (options: Json) => {
      const accounts = (await context.accounts().list()).map(toJson)
      const rows = accounts.map((it) => [it.id, it.name, it.operator ? 'operator' : '', it.createdAt])
      context.show(options, accounts, table(['id', 'name', '', 'created'], rows))
    })
  account
    .command('link')
    .description('create a one-time password reset link, valid for one hour')
    .argument('<name>', 'account name')
    .option('--drop-second-factor', 'turn two-factor authentication off')
    .action(async (name: string, options: Json & { dropSecondFactor?: boolean }) => {
      const found = await find(context, name)
      if (options.dropSecondFactor) await context.accounts().setTotp(found.id, null)
      const input = {
        kind: 'reset',
        accountId: found.id,
        madeBy: 'command line',
        lifetimeMs: LINK_LIFETIME_MS,
      } as const
      const { api } = context.config()
      const baseUrl = api.baseUrl ?? `http://${api.host}:${api.port}`
      const url = `${baseUrl}/dashboard/enter?token=${await context.entryLinks().make(input)}`
      context.show(options, { name: found.name, url }, [url])
    })
  account
    .command('grant')
    .description('add an account to a project, or change its role')
    .argument('<name>', 'account name')
    .argument('<project>', 'project ID')
    .addOption(new Option('--role <role>', 'role in the project').choices(ROLES).default('viewer'))
    .action(async (name: string, projectId: string, options: Json & { role: Role }) => {
      const found = await find(context, name)
      const project = await context.projects().get(projectId)
      await context.memberships().set(project.id, found.id, options.role)
      const result = { name: found.name, projectId: project.id, role: options.role }
      context.show(options, result, fields(result))
    })
  return account
}

async function find(context: AdminContext, name: string): Promise<Account> {
  const account = await context.accounts().findByName(name)
  if (!account) throw new Fault('not_found', `There is no account ${name}. List all: npm run admin -- account list`)
  return account
}

function toJson({ id, name, isOperator, hasPassword, hasTotp, discordId, createdAtMs }: Account) {
  const facts = { password: hasPassword, secondFactor: hasTotp, discordId }
  return { id, name, operator: isOperator, ...facts, createdAt: isoTime(createdAtMs) }
}
