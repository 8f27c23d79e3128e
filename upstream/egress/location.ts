/**
 * Target of a redirect. Its bytes, which the client reads as Latin-1, stay those that the host sent: beyond ASCII they
 * are percent-encoded, as browsers do.
 */
export function locationOf({ location }: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const [first] = [location ?? []].flat()
  return first?.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
