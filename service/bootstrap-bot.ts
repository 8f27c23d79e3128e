import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { registerBot } from '../db/projects/register-bot.ts'
import type { Repositories } from '../db/repositories.ts'
import { Fault } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import { identifyBot } from '../upstream/discord/discord.ts'
import { inviteUrl } from '../upstream/discord/invite-url.ts'

interface Parts {
  readonly config: Pick<Config, 'discord'>
  readonly stores: Pick<Repositories, 'bots' | 'projects'>
  readonly log: Logger
}

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 15_000

/**
 * Registers the bot of DISCORD_TOKEN, so that a container needs no command line. A token that is already known costs no
 * call to Discord. When Discord cannot be reached the service starts without the bot, and tries again until it can.
 * @returns the bot, from the start until the database has it. @throws {Fault} when Discord refuses the token at once.
 */
export async function registerToken({ config, stores, log }: Parts) {
  const { token, apiUrl } = config.discord
  const tokens = (await stores.bots.listAll()).map((bot) => stores.bots.token(bot.projectId, bot.id))
  const isKnown = (await Promise.all(tokens)).includes(token ?? '')
  const closing = new AbortController()
  let problem: string | null = null
  let onRegistered: (() => void) | null = null
  let retries = Promise.resolve()

  /** @returns whether there is nothing more to do. */
  async function attempt(known: string): Promise<boolean> {
    try {
      const identity = await identifyBot({ apiUrl, called: 'Discord', token: known })
      if (!identity)
        throw new Fault('validation_error', 'Discord rejects DISCORD_TOKEN. If it was reset, set the new one.')
      if (closing.signal.aborted) return true
      const { id: projectId } = await registerBot(stores, { ...identity, token: known })
      problem = null
      log.info(
        { botId: identity.id, projectId, inviteUrl: inviteUrl(identity.id) },
        'bot registered from DISCORD_TOKEN',
      )
      return true
    } catch (err) {
      problem = err instanceof Error ? err.message : String(err)
      if (err instanceof Fault && err.code === 'validation_error') throw err
      return false
    }
  }

  async function retry(known: string): Promise<void> {
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
      log.warn({ problem, delayMs }, 'DISCORD_TOKEN check failed, retrying')
      await sleep(delayMs, undefined, { signal: closing.signal })
      if (await attempt(known)) return onRegistered?.()
    }
  }

  if (token !== null && !isKnown && !(await attempt(token))) {
    retries = retry(token).catch((err: unknown) => {
      if (!closing.signal.aborted) log.error({ err }, 'DISCORD_TOKEN rejected; the service runs without this bot')
    })
  }
  return {
    /** Why it is not registered yet; null if there is nothing to do. */
    problem: () => problem,
    /** Called when it is registered after the start. */
    onRegistered: (listener: () => void): void => void (onRegistered = listener),
    async close() {
      closing.abort()
      await retries
    },
  }
}
