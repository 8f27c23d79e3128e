import type { Context } from 'koa'

/**
 * `session` is who you are, `visitor` binds forms to this browser, `oauth` one way to Discord and back; the last who a member
 * is in the web player of a guild.
 */
export type CookieName = 'session' | 'visitor' | 'oauth' | 'language' | 'theme' | `listen_${string}`

/** Cookies that the server keeps in a browser. Scripts never see any of them. */
export type Cookies = ReturnType<typeof openCookies>

/** Values are ours: hex digits and words, so that nothing needs quoting. */
const VALUE = /^[\w.-]{1,200}$/

/**
 * @param isSecure whether browsers come by https. Then the names begin with `__Host-`, which no other host and no
 *   plain-text page of the same one can set.
 */
export function openCookies(ctx: Context, isSecure: boolean) {
  const fullName = (name: CookieName) => `${isSecure ? '__Host-' : ''}bandstand_${name}`
  const sent = parse(ctx.headers.cookie)
  return {
    get: (name: CookieName): string | null => sent.get(fullName(name)) ?? null,
    set(name: CookieName, value: string | null, lifetimeSeconds?: number) {
      const full = fullName(name)
      if (value === null) sent.delete(full)
      else sent.set(full, value)
      const lifetime = value === null ? 0 : lifetimeSeconds
      const parts = [`${full}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
      if (lifetime !== undefined) parts.push(`Max-Age=${lifetime}`)
      if (isSecure) parts.push('Secure')
      ctx.append('Set-Cookie', parts.join('; '))
    },
  }
}

function parse(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    const value = pair.slice(at + 1).trim()
    // The first one wins: it has the longest path, and a second one was planted by another site.
    if (at > 0 && VALUE.test(value) && !cookies.has(name)) cookies.set(name, value)
  }
  return cookies
}
