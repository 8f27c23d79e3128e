import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import { VERSION } from '../../../lib/identity.ts'
import type { Upstream } from '../../../upstream/http/client.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'

/** Credentials for the server: a key, a user with a password, or a key limited to the view of one user. */
export interface JellyfinAccess {
  readonly apiKey: string | null
  readonly user: string | null
  readonly password: string | null
}

interface JellyfinSession {
  readonly token: string
  /** Null: everything that the server has, but for playlists, which are of users. */
  readonly userId: string | null
}

const Login = z.object({ AccessToken: z.string().min(1), User: z.object({ Id: z.string().min(1) }) })
const User = z.object({ Id: z.string().min(1), Name: z.string() })

/** Signs in when it is first needed, and again when the server has forgotten it. */
export function createJellyfinSessions(api: Upstream, access: JellyfinAccess) {
  let current: Promise<JellyfinSession> | null = null

  function open(): Promise<JellyfinSession> {
    const opening = openSession(api, access)
    current ??= opening
    opening.catch(() => {
      if (current === opening) current = null
    })
    return opening
  }

  return {
    /** Runs `work` with a session; again with a new one where the server does not know that any longer. */
    async with<T>(work: (session: JellyfinSession) => Promise<T>): Promise<T> {
      const used = current ?? open()
      try {
        return await work(await used)
      } catch (error) {
        if (!isUnknown(error)) throw error
        // An API key has no session to renew.
        if (access.apiKey !== null) throw refused('the API key', error)
        if (current === used) current = null
        return work(await (current ?? open()))
      }
    },
  }
}

/** The header by which it knows who asks; keys are in it, so that no address and no log has them. */
export function authorization(token: string | null): Readonly<Record<string, string>> {
  const parts = { Client: 'Bandstand', Device: 'Bandstand', DeviceId: 'bandstand', Version: VERSION }
  const all = Object.entries(token === null ? parts : { ...parts, Token: token })
  return {
    authorization: `MediaBrowser ${all.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`).join(', ')}`,
  }
}

async function openSession(api: Upstream, { apiKey, user, password }: JellyfinAccess): Promise<JellyfinSession> {
  if (apiKey !== null) return { token: apiKey, userId: user === null ? null : await userIdOf(api, apiKey, user) }
  const json = { Username: user, Pw: password }
  const login = { path: '/Users/AuthenticateByName', json, shape: Login, headers: authorization(null) }
  const { AccessToken: token, User: found } = await api.get(login).catch((error: unknown) => {
    throw isUnknown(error) ? refused('the user or the password', error) : error
  })
  return { token, userId: found.Id }
}

async function userIdOf(api: Upstream, apiKey: string, name: string): Promise<string> {
  const users = await api.get({ path: '/Users', shape: z.array(User), headers: authorization(apiKey) })
  const found = users.find((user) => user.Name.toLowerCase() === name.toLowerCase())
  if (found) return found.Id
  throw new Fault('service_unavailable', 'The Jellyfin server has no user with the name in JELLYFIN_USER.', {
    reason: 'source_refused',
  })
}

function isUnknown(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.facts.status === 401
}

function refused(what: string, cause: unknown): Fault {
  const message = `The Jellyfin server rejects ${what} of this service. The operator can change them.`
  return new Fault('service_unavailable', message, { reason: 'source_refused', cause })
}
