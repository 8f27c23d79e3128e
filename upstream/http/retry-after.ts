/** The `Retry-After` of an answer in either of its forms, seconds or a date; null if it has none. */
export function retryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  nowMs: number,
): number | null {
  const value = headers['retry-after']
  if (typeof value !== 'string') return null
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
