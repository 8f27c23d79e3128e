import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import { DISCORD_USER_AGENT } from '../../lib/identity.ts'
import { trimTrailing } from '../../lib/text.ts'
import { SNOWFLAKE } from '../../lib/validation/snowflake.ts'
import { discordFetch, type DiscordCaller } from './discord-fetch.ts'
import { createSignInShares, type SignInCaller } from './sign-in-shares.ts'

/** A person who has signed in at Discord. */
export interface DiscordPerson {
  readonly id: string
  readonly name: string
}

/** Signing in with Discord: OAuth2 with a code, and PKCE beside the secret. */
export interface DiscordSignIn {
  /** Where the browser goes; it comes back to `returnUrl` with a code and the state. */
  authorizeUrl(wish: { readonly state: string; readonly challenge: string; readonly returnUrl: string }): string
  /**
   * Who the code belongs to. The access that Discord grants is given back at once: only the name is wanted.
   * @throws {Fault} `validation_error` for a code that is not good, `rate_limited` where the caller's share of sign-ins is
   *   used up, `service_unavailable` when Discord is away or asks for patience.
   */
  identify(
    wish: { readonly code: string; readonly verifier: string; readonly returnUrl: string },
    caller: SignInCaller,
  ): Promise<DiscordPerson>
  /**
   * Who the code of an Activity belongs to, which Discord's app hands out without a page to return to, and the access that
   * the Activity shows to the app. Throws as `identify` does.
   */
  identifyInActivity(
    code: string,
    caller: SignInCaller,
  ): Promise<{ readonly person: DiscordPerson; readonly accessToken: string }>
}

interface DiscordSignInOptions {
  /** Without the version: `https://discord.com/api`. */
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly timeoutMs?: number
  readonly now?: () => number
}

const Grant = z.object({ access_token: z.string().min(1).max(500), token_type: z.string() })
const Person = z.object({ id: z.string().regex(SNOWFLAKE), username: z.string().min(1).max(100) })

interface CallInit {
  readonly by: DiscordCaller
  readonly method?: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams
}

export function createDiscordSignIn(options: DiscordSignInOptions): DiscordSignIn {
  const { clientId, clientSecret, timeoutMs = 10_000, now = Date.now } = options
  const shares = createSignInShares(now)
  const apiUrl = trimTrailing(options.apiUrl, '/')
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

  async function call(path: string, { by, headers, ...init }: CallInit): Promise<Response> {
    try {
      return await discordFetch(by)(`${apiUrl}/v10${path}`, {
        ...init,
        headers: { ...headers, 'user-agent': DISCORD_USER_AGENT },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (cause) {
      throw unavailable('is unreachable', cause)
    }
  }

  const post = (by: DiscordCaller, path: string, fields: Readonly<Record<string, string>>) =>
    call(path, { by, method: 'POST', headers: { authorization: basic }, body: new URLSearchParams(fields) })

  async function exchange(by: DiscordCaller, fields: Readonly<Record<string, string>>) {
    const granted = await post(by, '/oauth2/token', { grant_type: 'authorization_code', ...fields })
    if (granted.status === 400) {
      await granted.body?.cancel()
      throw new Fault('validation_error', 'Discord rejected this sign-in. Try again.')
    }
    const { access_token: token } = await read(granted, Grant)
    const answer = await call('/users/@me', { by, headers: { authorization: `Bearer ${token}` } })
    const { id, username: name } = await read(answer, Person)
    return { person: { id, name }, accessToken: token }
  }

  return {
    authorizeUrl({ state, challenge, returnUrl }) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope: 'identify',
        redirect_uri: returnUrl,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      return `${apiUrl.replace(/\/api$/, '')}/oauth2/authorize?${query.toString()}`
    },
    identify: ({ code, verifier, returnUrl }, caller) =>
      shares.run(caller, async () => {
        const by = kindOf(caller)
        const fields = { code, code_verifier: verifier, redirect_uri: returnUrl }
        const { person, accessToken } = await exchange(by, fields)
        const revoked = await post(by, '/oauth2/token/revoke', { token: accessToken, token_type_hint: 'access_token' })
        await revoked.body?.cancel()
        return person
      }),
    identifyInActivity: (code, caller) => shares.run(caller, () => exchange(kindOf(caller), { code })),
  }
}

function kindOf({ isSignedIn }: SignInCaller): DiscordCaller {
  return isSignedIn ? 'person' : 'stranger'
}

async function read<S extends z.ZodType>(response: Response, schema: S): Promise<z.output<S>> {
  if (!response.ok) {
    await response.body?.cancel()
    if (response.status === 429) throw tooMany(response)
    throw unavailable(`returned the status ${response.status}`)
  }
  const parsed = schema.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success) throw unavailable('returned an unexpected response', parsed.error)
  return parsed.data
}

function tooMany({ headers }: Response): Fault {
  const retryAfterMs = Number(headers.get('retry-after') ?? 5) * 1000
  return new Fault('service_unavailable', 'Discord accepts no more sign-ins right now. Try again later.', {
    ...(Number.isFinite(retryAfterMs) && { retryAfterMs }),
  })
}

function unavailable(why: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', `Discord ${why}. Try again later.`, { cause })
}
