import { Command, CommanderError } from 'commander'
import { Fault } from '../../lib/errors.ts'
import { clusterCommand } from './cluster/command.ts'
import { accountCommand } from './commands/account.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { botCommand } from './commands/bot.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCommand } from './commands/key.ts'
import { libraryCommand } from './commands/library.ts'
import { migrateCommand } from './commands/migrate.ts'
import { poolCommand } from './commands/pool.ts'
import { projectCommand } from './commands/project.ts'
import { setupCommand } from './commands/setup.ts'
import { scriptureCommand } from './commands/scripture.ts'
import { sourceCommand } from './commands/source.ts'
import { tokenKeyCommand } from './commands/token-key.ts'
import { usageCommand } from './commands/usage.ts'
import { createAdminContext, type AdminContext } from './context.ts'
import type { Streams } from './secret.ts'

const ABOUT = [
  'Manage the projects, keys and bots of a Bandstand service.',
  "The service doesn't have to run. If it does, it picks up changes within one second.",
].join(' ')

const EXAMPLES = `
Examples:
  npm run admin -- project create "My servers" --plan standard
  npm run admin -- key create --project prj_… --name "my program"
  npm run -s admin -- key list --project prj_… --json

All commands read the service's settings; see .env.example.`

/**
 * Runs one command line. Results go to standard output, everything else to standard error.
 * @returns the exit code: 0, or 1 when it could not be done.
 */
export async function runAdmin(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  streams: Streams,
): Promise<number> {
  const context = createAdminContext(env, streams)
  try {
    await createProgram(context, streams).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed its own errors, and the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode
    streams.stderr.write(`error: ${describe(error)}\n`)
    return 1
  } finally {
    await context.close()
  }
}

function createProgram(context: AdminContext, streams: Streams): Command {
  const program = new Command('npm run admin --')
    .description(ABOUT)
    .addHelpText('after', EXAMPLES)
    .addCommand(setupCommand(context))
    .addCommand(projectCommand(context))
    .addCommand(keyCommand(context))
    .addCommand(botCommand(context))
    .addCommand(poolCommand(context))
    .addCommand(accountCommand(context))
    .addCommand(usageCommand(context))
    .addCommand(libraryCommand(context))
    .addCommand(scriptureCommand(context))
    .addCommand(tokenKeyCommand(context))
    .addCommand(sourceCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(clusterCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(doctorCommand(context))
  for (const command of [program, ...descendants(program)]) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => streams.stdout.write(text),
        writeErr: (text) => streams.stderr.write(text),
      })
      .showHelpAfterError('For usage, add --help.')
    if (command.commands.length === 0) command.option('--json', 'print the result as JSON')
  }
  return program
}

function descendants(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)])
}

function describe(error: unknown): string {
  if (error instanceof Fault) return error.message
  return `unexpected error; please report it: ${error instanceof Error ? error.stack : String(error)}`
}
