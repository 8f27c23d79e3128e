// One call as an address and as a command line. A plain script, since the dashboard's page for trying runs it as well.

/** The address below the service: parameters of the path filled in, then the query. */
export function targetOf(path, inPath, inQuery) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ''))
  const query = inQuery.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

/** A command line that works when pasted, once KEY is set. */
export function curlOf({ method, url, key, isSocket, accept, json, file }) {
  const header = key === null ? '' : ` \\\n  -H "Authorization: Bearer ${key}"`
  if (isSocket) return `npx wscat -c ${quoted(url.replace(/^http/, 'ws'))}${header}`
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const wanted = accept === undefined ? '' : ` \\\n  -H 'Accept: ${accept}' -o answer.${accept.split('/').at(-1)}`
  const body = json === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(json)}`
  const upload =
    file === undefined
      ? ''
      : ` \\\n  -H 'Content-Type: application/octet-stream' \\\n  --data-binary ${quoted(`@${file}`)}`
  return `curl${verb} ${quoted(url)}${header}${wanted}${body}${upload}`
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

function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
