const BROWSERS = [
  ['Firefox', /Firefox\//],
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Chrome', /(?:Headless)?Chrome\//],
  ['Safari', /Safari\//],
] as const
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** `Firefox, Linux`: enough to distinguish one's own browsers. Unknown ones are shown unchanged. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const name = [browser, system].filter((part) => part !== undefined).join(', ')
  return name === '' ? userAgent.slice(0, 60) || '–' : name
}
