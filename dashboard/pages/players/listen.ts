import type { Readable } from 'node:stream'
import type { BotRecord } from '../../../db/projects/bots.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Outcome } from '../../http/route.ts'
import { isAtLeast, isStillWelcome, record, type ProjectVisit } from '../../http/page-request.ts'
import { playerScopeOf, placeAt, type Place } from './search.ts'

const LOOK_EVERY_MS = 2000

/** In the sandbox everybody may; elsewhere those who command players, where an owner has allowed it for the bot. */
export function mayListen({ desk, project }: ProjectVisit, bot: BotRecord): boolean {
  if (bot.sandbox && desk.listen !== null) return true
  return bot.mayListen && isAtLeast(project.role, 'manager')
}

/** What the bot sends to its channel, for as long as it may be heard. */
export async function listen(visit: ProjectVisit): Promise<Outcome> {
  const { desk } = visit
  const place = await placeAt(visit)
  if (!mayListen(visit, place.bot)) throw new Fault('forbidden', 'Nobody has allowed to listen along with this bot.')
  const source = await open(visit, place)
  const sound = desk.streams.admit(visit.account.id, source)
  if (!sound) {
    source.destroy()
    throw new Fault('service_unavailable', 'Too many live pages are open. Close some tabs and load the page again.', {
      retryAfterMs: 30_000,
    })
  }
  recordOnce(visit, place)
  const timer = setInterval(() => {
    const bot = desk.bots.list(visit.project.id).find(({ id }) => id === place.bot.id)
    if (!bot || !mayListen(visit, bot) || !isStillWelcome(visit)) sound.destroy()
  }, LOOK_EVERY_MS)
  sound.once('close', () => clearInterval(timer))
  return { kind: 'file', contentType: 'audio/ogg', body: sound }
}

function open(visit: ProjectVisit, { bot, guildId, info }: Place): Promise<Readable> {
  const { desk } = visit
  // The stand-in hears what comes through its network, with all that happens to it there.
  if (bot.sandbox && desk.listen) return desk.listen(guildId, info.channelId)
  return desk.music.listen(playerScopeOf(visit, bot.id), guildId)
}

/** A browser asks for the same sound again and again: one line tells of them. */
function recordOnce(visit: ProjectVisit, { bot, guildId, guildName }: Place): void {
  const { desk, session } = visit
  const id = `listen ${bot.id} ${guildId}`
  if (desk.tickets.peek('once', session.id, id)) return
  desk.tickets.keep('once', session.id, id, { to: '' })
  record(visit, 'player.listen', guildName, { bot: bot.id })
}
