// One call as an address. A plain script, since the page for trying runs it as well.

/** The address below the service: parameters of the path filled in, then the query. */
export function targetOf(path, inPath, inQuery) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ''))
  const query = inQuery.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

/** Parses the typed JSON. Invalid JSON is sent as text, so that the API says what is wrong. */
export function typed(kind, value) {
  if (kind === 'text' || kind === 'long' || kind === 'choice') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
