import type { Readable } from 'node:stream'
import type { BotRecord } from '../../../../db/projects/bots.ts'
import { Fault } from '../../../../lib/errors.ts'
import type { Outcome } from '../../http/route.ts'
import { tooManyPages, watchAccess } from '../../http/live-page.ts'
import { isAtLeast, record, type ProjectRequest } from '../../http/page-request.ts'
import { playerScopeOf, placeAt, type ShownPlayer } from './search.ts'

const LOOK_EVERY_MS = 2000

/** Whether the account may listen along: anyone in the sandbox, else managers if an owner has allowed it for the bot. */
export function mayListen({ context, project }: ProjectRequest, bot: BotRecord): boolean {
  if (bot.sandbox && context.listen !== null) return true
  return bot.mayListen && isAtLeast(project.role, 'manager')
}

/** Streams the sound that the bot sends to its channel, until access ends. */
export async function listen(request: ProjectRequest): Promise<Outcome> {
  const { context } = request
  const place = await placeAt(request)
  if (!mayListen(request, place.bot))
    throw new Fault('forbidden', 'Listening along is turned off for this bot. An owner can turn it on.')
  const source = await open(request, place)
  const sound = context.streams.admit(request.account.id, source)
  if (!sound) {
    source.destroy()
    throw tooManyPages()
  }
  const isAllowed = async () => {
    const bot = (await context.bots.list(request.project.id)).find(({ id }) => id === place.bot.id)
    return bot !== undefined && mayListen(request, bot)
  }
  sound.once('close', watchAccess(request, { everyMs: LOOK_EVERY_MS, isAllowed, end: () => sound.destroy() }))
  await recordOnce(request, place).catch((error: unknown) => {
    sound.destroy()
    throw error
  })
  return { kind: 'file', contentType: 'audio/ogg', body: sound }
}

async function open(request: ProjectRequest, { bot, guildId, info }: ShownPlayer): Promise<Readable> {
  const { context } = request
  // The sandbox's listener receives the sound through its network, with all faults of it.
  if (bot.sandbox && context.listen) return context.listen(guildId, info.channelId)
  return context.music.listen(await playerScopeOf(request, bot.id), guildId)
}

/** Records one line for a browser that requests the same sound again and again. */
async function recordOnce(request: ProjectRequest, { bot, guildId, guildName }: ShownPlayer): Promise<void> {
  const { context, session } = request
  const id = `listen ${bot.id} ${guildId}`
  if (await context.tickets.peek('once', session.id, id)) return
  await context.tickets.keep('once', session.id, id, { to: '' })
  await record(request, 'player.listen', guildName, { bot: bot.id })
}
