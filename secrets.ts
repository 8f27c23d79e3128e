/** How secrets look inside a text, and what is left of them. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  // A key of ours.
  [/svc\.[0-9a-f]{64}/g, 'svc.…'],
  // What signs messages of webhooks.
  [/whsec_[\w+/=-]+/g, 'whsec_…'],
  // The token of a bot.
  [/\b[\w-]{23,32}\.[\w-]{6,7}\.[\w-]{27,}/g, '…'],
  // Name and password in an address.
  [/:\/\/[^/@\s"']+@/g, '://…@'],
  // What Discord hands out to answer one command, and what posts to a channel.
  [/\/(webhooks|interactions)\/(\d+)\/[^/\s"?]+/g, '/$1/$2/…'],
  // Values in a query whose names say that they are secret.
  [/([?&][^=&\s"']*(?:key|token|sig|secret|auth|pass|credential|appid)[^=&\s"']*=)[^&\s"']+/gi, '$1…'],
]

/** A text for the log: what is one of the `known` secrets, or looks like any, is left out of it. */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  const left = known.reduce((all, secret) => all.replaceAll(secret, '…'), text)
  return SHAPES.reduce((all, [shape, instead]) => all.replace(shape, instead), left)
}
