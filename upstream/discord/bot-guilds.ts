import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import { discordFetch } from './discord-fetch.ts'

const Guilds = z.array(z.object({ id: z.string(), name: z.string() }))
export type BotGuild = z.output<typeof Guilds>[number]

const TIMEOUT_MS = 10_000

/** The first guilds that a bot is in. @throws {Fault} `service_unavailable` when Discord does not answer as documented. */
export async function listBotGuilds(apiUrl: string, token: string): Promise<readonly BotGuild[]> {
  const headers = { authorization: `Bot ${token}`, 'user-agent': 'DiscordBot (https://bandstand.invalid, 1)' }
  try {
    const options = { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const
    const answer = await discordFetch('person')(`${apiUrl}/v10/users/@me/guilds?limit=10`, options)
    return Guilds.parse(await answer.json())
  } catch (cause) {
    throw new Fault('service_unavailable', "Discord didn't return the bot's servers. Try again later.", {
      cause,
    })
  }
}
