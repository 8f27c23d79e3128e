import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import { readBounded } from '../../lib/buffers.ts'
import { DISCORD_USER_AGENT } from '../../lib/identity.ts'
import { parseJson } from '../../lib/text.ts'
import { SNOWFLAKE } from '../../lib/validation/snowflake.ts'
import { discordFetch } from './discord-fetch.ts'

/** Who a bot token belongs to. */
export interface BotIdentity {
  readonly id: string
  readonly name: string
}

interface TokenCheck {
  /** Without the version: `https://discord.com/api`. */
  readonly apiUrl: string
  readonly token: string
  /** How messages call it: `Discord`, `The stand-in Discord`. */
  readonly called?: string
  readonly timeoutMs?: number
}

const User = z.object({
  id: z.string().regex(SNOWFLAKE),
  username: z.string().min(1).max(100),
  bot: z.boolean().default(false),
})

/** `GET /users/@me` answers with a few hundred bytes. */
const MAX_ANSWER_BYTES = 65_536

/**
 * Asks Discord whose token it is; null when Discord does not accept it.
 * @throws {Fault} `service_unavailable` when Discord does not answer in time or not as documented, `validation_error`
 * when the token is a person's.
 */
export async function identifyBot(check: TokenCheck): Promise<BotIdentity | null> {
  const { apiUrl, token, called = 'Discord', timeoutMs = 10_000 } = check
  const failed = (why: string, cause?: unknown) =>
    new Fault('service_unavailable', `${called} (${apiUrl}) ${why}. Try again later.`, { cause })
  const answer = await ask(`${apiUrl}/v10/users/@me`, token, timeoutMs).catch((cause: unknown) => {
    throw failed(isTimeout(cause) ? `didn't respond within ${timeoutMs / 1000} s` : 'is unreachable', cause)
  })
  if (answer.status === 401) return null
  if (answer.status !== 200) throw failed(`returned the status ${answer.status}`)
  const user = User.safeParse(answer.body)
  if (!user.success) throw failed('returned no user', user.error)
  if (!user.data.bot) {
    throw new Fault('validation_error', `This is the token of a user (${user.data.username}), not of a bot.`)
  }
  return { id: user.data.id, name: user.data.username }
}

async function ask(url: string, token: string, timeoutMs: number): Promise<{ status: number; body: unknown }> {
  const response = await discordFetch('person')(url, {
    headers: { authorization: `Bot ${token}`, 'user-agent': DISCORD_USER_AGENT },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const tooLarge = () => new Error(`The response is larger than ${MAX_ANSWER_BYTES} bytes.`)
  const body = response.body ? await readBounded(response.body, MAX_ANSWER_BYTES, tooLarge) : ''
  return { status: response.status, body: parseJson(body.toString()) }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}
