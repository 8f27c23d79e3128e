import { Fault } from '../../lib/errors.ts'
import { identifyBot, type BotIdentity } from '../../upstream/discord/discord.ts'
import type { AdminContext } from './context.ts'
import { findDiscords } from './discord-client.ts'

/** A token that a Discord accepts. */
export interface KnownToken {
  readonly token: string
  readonly identity: BotIdentity
  /** The API of that Discord, without the version. */
  readonly apiUrl: string
  readonly sandbox: boolean
}

/** Reads a bot token from standard input and asks whose it is. @throws {Fault} if no Discord accepts it. */
export async function askBotToken(context: AdminContext): Promise<KnownToken> {
  const input = await context.readSecret('Paste the bot token (input is hidden), then press Enter: ')
  return identify(context, readable(input))
}

/** Strips the word `Bot` that people copy with the token. @throws {Fault} if it is no bot token. */
function readable(input: string): string {
  const token = input.replace(/^Bot\s+/i, '')
  if (token === '')
    throw new Fault(
      'validation_error',
      'Standard input has no token. Paste it in a terminal, or end the command with `< token.txt`.',
    )
  if (!/^[\x21-\x7e]{10,200}$/.test(token)) {
    throw new Fault(
      'validation_error',
      'This isn\'t a bot token. Copy it from the "Bot" page of your application in the developer portal.',
    )
  }
  return token
}

/** Tries the sandbox first, where one runs: it is near, and a bot that it does not know may still be a real one. */
async function identify(context: AdminContext, token: string): Promise<KnownToken> {
  const discords = await findDiscords(context.config())
  for (const { apiUrl, called, sandbox } of discords) {
    const identity = await identifyBot({ apiUrl, called, token })
    if (!identity) continue
    if (!sandbox && discords.length > 1)
      context.note('The service now runs this bot in Discord. Its sandbox keeps running until the next restart.')
    return { token, identity, apiUrl, sandbox }
  }
  const who = discords.map(({ called }) => called).join(' and ')
  throw new Fault('validation_error', `${who} rejected this token. If it was reset, copy the new one.`)
}
