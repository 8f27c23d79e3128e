import type { Config } from '../config.ts'
import { Fault } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Repositories } from '../db/repositories.ts'
import { identifyBot } from '../upstream/discord/discord.ts'

const PROJECT_NAME = 'default'

/**
 * Registers the bot of DISCORD_TOKEN, so that a container needs no command line. A token that is already known costs no
 * call to Discord.
 * @throws {Fault} when Discord refuses the token. When Discord cannot be reached the service starts without the bot.
 */
export async function registerToken({ discord }: Config, stores: Repositories, log: Logger): Promise<void> {
  const { token, apiUrl } = discord
  if (token === null) return
  const isKnown = stores.bots.listAll().some((bot) => stores.bots.token(bot.projectId, bot.id) === token)
  if (isKnown) return
  try {
    const identity = await identifyBot({ apiUrl, called: 'Discord', token })
    if (!identity) throw new Fault('validation_error', 'Discord does not accept DISCORD_TOKEN. Was it reset?')
    const owner = stores.bots.projectOf(identity.id)
    const project =
      (owner === null ? undefined : stores.projects.get(owner)) ??
      stores.projects.list().find(({ name }) => name === PROJECT_NAME) ??
      stores.projects.create({ name: PROJECT_NAME, plan: 'scale' })
    stores.bots.add({ ...identity, projectId: project.id, token })
    log.info({ botId: identity.id, projectId: project.id }, 'bot registered from DISCORD_TOKEN')
  } catch (err) {
    if (err instanceof Fault && err.code === 'validation_error') throw err
    log.error({ err }, 'DISCORD_TOKEN not checked; the bot is registered at the next start that reaches Discord')
  }
}
