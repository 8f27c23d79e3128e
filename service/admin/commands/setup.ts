import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { registerBot } from '../../../db/projects/register-bot.ts'
import { findHolder } from '../../../db/engine/lock.ts'
import { keyState } from '../../../db/projects/keys.ts'
import { listBotGuilds, type BotGuild } from '../../../upstream/discord/bot-guilds.ts'
import { inviteUrl } from '../../../upstream/discord/invite-url.ts'
import { askBotToken, type KnownToken } from '../bot-token.ts'
import type { AdminContext, Json } from '../context.ts'
import { readSources, sourceLines } from '../doctor/sources.ts'

interface Options extends Json {
  readonly wait: number
}

const ABOUT = `
Verifies the token with Discord, stores it encrypted, creates a project and an API key, and waits until the bot
joins a server. In a terminal, it prompts for the token and offers to start the service. Scripts pipe the token:

  npm run -s setup -- --token-stdin --json --wait 0 < token.txt`

const PORTAL = `Bandstand needs the token of a Discord bot:

  1. Open https://discord.com/developers/applications, choose New Application and give it a name.
  2. Under Bot, choose Reset Token and copy the token. Leave the privileged intents off.
`

const LOOK_EVERY_MS = 2000
const WAIT_SECONDS = 600

/** Sets up a bot from its token to its first server, as a new operator would with `project`, `bot` and `key`. */
export function setupCommand(context: AdminContext): Command {
  return new Command('setup')
    .description('set up a bot: token, project, key and invite')
    .option('--token-stdin', 'read the token from standard input; the default without a terminal')
    .option('--wait <seconds>', "how long to wait for the bot to join a server; 0 doesn't wait", seconds, WAIT_SECONDS)
    .addHelpText('after', ABOUT)
    .action(async (options: Options) => {
      if (context.isInteractive()) context.note(PORTAL)
      const bot = await askBotToken(context)
      const { identity, token, sandbox } = bot
      const project = await registerBot(
        { bots: context.bots(), projects: context.projects() },
        { ...identity, token, sandbox },
      )
      const invite = inviteUrl(identity.id)
      context.note(`${identity.name} is registered. Invite it to your server:\n\n  ${invite}\n`)
      const guilds = await waitForGuild(context, bot, options.wait)
      const key = await newKey(context, project.id, identity.id)
      const isRunning = findHolder(context.config().dataDir) !== null
      const sources = readSources(context.config(), { failures: [], hasRealBot: true, off: [] })
      const result = { bot: identity, projectId: project.id, key, inviteUrl: invite, guilds, isRunning, sources }
      const lines = [
        `project  ${project.id}`,
        `key      ${key ?? 'already exists; for another one: npm run admin -- key create'}`,
        '',
        ...sourceLines(sources),
        '',
        ...nextSteps(guilds, isRunning),
      ]
      context.show(options, result, lines)
      if (!isRunning && context.isInteractive()) await context.offerStart()
    })
}

/** Returns the guilds that the bot is in; empty if it was invited to none in time. */
async function waitForGuild(context: AdminContext, { apiUrl, token }: KnownToken, waitSeconds: number) {
  const deadlineMs = performance.now() + waitSeconds * 1000
  let guilds: readonly BotGuild[] = await listBotGuilds(apiUrl, token)
  if (guilds.length === 0 && waitSeconds > 0) context.note('Waiting for the bot to join a server …')
  while (guilds.length === 0 && performance.now() < deadlineMs) {
    await sleep(LOOK_EVERY_MS)
    guilds = await listBotGuilds(apiUrl, token).catch(() => guilds)
  }
  return guilds
}

/** Null if the bot has a key already: a second run makes no second one. */
async function newKey(context: AdminContext, projectId: string, botId: string): Promise<string | null> {
  const keys = await context.keys().list(projectId)
  if (keys.some((key) => key.botId === botId && keyState(key, Date.now()) === 'active')) return null
  return (await context.keys().create({ projectId, botId, name: 'setup' })).key
}

function nextSteps([guild]: readonly BotGuild[], isRunning: boolean): readonly string[] {
  const invite = guild ? [] : ["The bot isn't in a server yet. Open the invite above."]
  const start = isRunning ? [] : ['Start Bandstand: npm start']
  const where = guild ? `in ${guild.name}` : 'in that server'
  return [...invite, ...start, `Then, in Discord: join a voice channel ${where} and type /play with a song name.`]
}

function seconds(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 86_400) return value
  throw new InvalidArgumentError('Must be seconds, from 0 to 86400.')
}
