import { Argument, Command, Option } from 'commander'
import { SOURCE_STATE_WORDS } from '../../../bot/sources/source-state.ts'
import { createSourceFailures } from '../../../db/music/source-failures.ts'
import { createSourceSwitches } from '../../../db/music/source-switches.ts'
import type { AdminContext, Json } from '../context.ts'
import { isSandboxAlone, readSources } from '../doctor/sources.ts'
import { fields, table } from '../words.ts'
import { rollBackYtDlp, updateYtDlp } from '../yt-dlp-release.ts'

const EXAMPLES = `
Examples:
  npm run admin -- source list
  npm run admin -- source update yt-dlp
  npm run admin -- source rollback yt-dlp

The service uses the new yt-dlp from the next track on, without a restart. With YTDLP_UPDATES, it runs this daily. If YTDLP_PATH is a
path, the service uses that program instead.`

type UpdateFlags = Json & {
  readonly untried?: boolean
  readonly ifNew?: boolean
  readonly channel?: 'stable' | 'nightly'
}

const SANDBOX_NOTE = 'The sandbox asks no music site. Register a bot, or name sources in MUSIC_SOURCES.'

/** Commands for the sources of music, and for the program that one of them needs. */
export function sourceCommand(context: AdminContext): Command {
  const source = new Command('source')
    .description('list music sources, and update yt-dlp for YouTube')
    .addHelpText('after', EXAMPLES)
  source
    .command('list')
    .description('list the music sources and their state')
    .action(async (options: Json) => {
      const config = context.config()
      const failures = await createSourceFailures(context.local()).list()
      const hasRealBot = (await context.bots().listAll()).some((bot) => !bot.sandbox)
      const off = await createSourceSwitches(context.store()).listOff()
      const sources = readSources(config, { failures, hasRealBot, off })
      const rows = sources.map(({ name, title, state }) => [name, title, SOURCE_STATE_WORDS[state]])
      context.show(options, sources, table(['source', 'plays from', 'state'], rows))
      if (isSandboxAlone(config, hasRealBot)) context.note(SANDBOX_NOTE)
    })
  source
    .command('update')
    .description('download, verify and test the latest release, and keep the previous one')
    .addArgument(programArgument())
    .option('--untried', 'install it even if its test against YouTube fails')
    .option('--if-new', 'do nothing if the present one is the newest')
    .addOption(
      new Option('--channel <name>', 'stable or nightly; default: YTDLP_UPDATES').choices(['stable', 'nightly']),
    )
    .action(async (_program: string, { untried, ifNew, channel, ...options }: UpdateFlags) => {
      const config = context.config()
      const byDefault = config.music.places.youTube.updates === 'nightly' ? 'nightly' : 'stable'
      const how = { isTried: untried !== true, ifNew: ifNew === true, channel: channel ?? byDefault }
      const update = await updateYtDlp(config, how)
      context.show(options, update, fields({ ...update }))
    })
  source
    .command('rollback')
    .description('go back to the previous release')
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
