/** The path of a cover that this service serves itself, which a page of ours loads directly; null for any other. */
export function coverPath(artworkUrl: string, baseUrl: string): string | null {
  const start = `${baseUrl}/covers/`
  // A caller names the artwork of a track: with `..` or a second slash it would lead elsewhere.
  const isOurs = artworkUrl.startsWith(start) && /^[\w-]+$/.test(artworkUrl.slice(start.length))
  return isOurs ? new URL(artworkUrl).pathname : null
}
