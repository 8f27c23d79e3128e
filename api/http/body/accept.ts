/** Whether an `Accept` header would rather have a picture than JSON. Undecided callers get JSON. */
export function prefersImage(accept: string | undefined): boolean {
  if (accept === undefined) return false
  let image = 0
  const json = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = weightOf(parameters)
    if (type.startsWith('image/')) image = Math.max(image, weight)
    else json.set(type, weight)
  }
  // The most exact word that is said about JSON counts.
  return image > (json.get('application/json') ?? json.get('application/*') ?? json.get('*/*') ?? 0)
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}
