/** Titles of the pages by which sites hold programs off: Cloudflare, Fastly, Akamai, Imperva, DataDome and others. */
const TITLES =
  /<title>\s?(?:client challenge|just a moment|attention required|access denied|are you a robot|robot check|human verification|verify you are human|pardon our interruption|please wait|security check)/i
/** Scripts that such pages load. */
const SCRIPTS = [
  '/_fs-ch-',
  '/cdn-cgi/challenge-platform/',
  'captcha-delivery.com',
  '_Incapsula_Resource',
  'px-captcha',
]
/** A challenge is small, and says so at its beginning. */
const LOOKED_AT = 20_000

/**
 * Whether an answer is a page that wants a browser or a person instead of what was asked for. Its status may be any,
 * 200 included.
 */
export function isChallenge(headers: Readonly<Record<string, string | string[] | undefined>>, text: string): boolean {
  if (headers['cf-mitigated'] === 'challenge' || headers['x-amzn-waf-action'] !== undefined) return true
  const start = text.slice(0, LOOKED_AT)
  return /^\s*</.test(start) && (TITLES.test(start) || SCRIPTS.some((script) => start.includes(script)))
}
