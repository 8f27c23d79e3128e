import { Argument, Command } from 'commander'
import { SOURCE_STATE_WORDS } from '../../bot/sources/source-state.ts'
import { createSourceFailures } from '../../db/music/source-failures.ts'
import type { AdminContext } from '../context.ts'
import { readSources } from '../doctor/sources.ts'
import { fields, table } from '../words.ts'
import { rollBackYtDlp, updateYtDlp } from '../yt-dlp-release.ts'

interface Json {
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  npm run admin -- source list
  npm run admin -- source update yt-dlp
  npm run admin -- source rollback yt-dlp

A program that was fetched here is used by the next song; the service need not start again. It is never fetched without
this command. YTDLP_PATH with a path goes before it.`

/** Where music comes from, and the program that one of these places needs. */
export function sourceCommand(context: AdminContext): Command {
  const source = new Command('source')
    .description('list the music sources, and fetch the program that YouTube needs')
    .addHelpText('after', EXAMPLES)
  source
    .command('list')
    .description('list the music sources, with what the running service knows of them')
    .action((options: Json) => {
      const sources = readSources(context.config(), createSourceFailures(context.database()).list())
      const rows = sources.map(({ name, title, state }) => [name, title, SOURCE_STATE_WORDS[state]])
      context.show(options, sources, table(['source', 'plays from', 'state'], rows))
    })
  source
    .command('update')
    .description('fetch the newest release, verify and try it, and keep the former one')
    .addArgument(programArgument())
    .option('--untried', 'use it even where YouTube does not let it search and open a video now')
    .action(async (_program: string, options: Json & { untried?: boolean }) => {
      const update = await updateYtDlp(context.config(), { isTried: options.untried !== true })
      context.show(options, update, fields({ ...update }))
    })
  source
    .command('rollback')
    .description('use the former one again')
    .addArgument(programArgument())
    .action(async (_program: string, options: Json) => {
      const present = await rollBackYtDlp(context.config())
      context.show(options, present, fields({ ...present }))
    })
  return source
}

function programArgument(): Argument {
  return new Argument('<program>').choices(['yt-dlp'])
}
