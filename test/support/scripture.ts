export function versesPath(translation: string, refs: string): string {
  return `/v1/bible/${encodeURIComponent(translation)}/verses?refs=${encodeURIComponent(refs)}`
}

export function searchPath(translation: string, q: string): string {
  return `/v1/bible/${encodeURIComponent(translation)}/search?q=${encodeURIComponent(q)}`
}
