/** Elements of one list that are looked at. */
const ELEMENTS_MAX = 200

/** The fields of a recorded shape that an answer has no more, or in another type: `tracks.data[].title is missing`. */
export function differences(shape: unknown, answer: unknown, path = ''): readonly string[] {
  const name = path === '' ? 'the answer' : path
  if (answer === undefined || answer === null) return [`${name} is missing`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(answer)) return [`${name} is ${kindOf(answer)}, not a list`]
    return shape.flatMap((element) => nearest(element, answer.slice(0, ELEMENTS_MAX), `${path}[]`))
  }
  if (kindOf(shape) !== kindOf(answer)) return [`${name} is ${kindOf(answer)}, not ${kindOf(shape)}`]
  if (typeof shape !== 'object' || shape === null) return []
  const fields = answer as Readonly<Record<string, unknown>>
  return Object.entries(shape).flatMap(([key, value]) =>
    differences(value, fields[key], path === '' ? key : `${path}.${key}`),
  )
}

/** A list holds elements of several kinds: the one that is most like the recorded one counts. */
function nearest(shape: unknown, elements: readonly unknown[], path: string): readonly string[] {
  if (elements.length === 0) return [`${path} is empty`]
  const all = elements.map((element) => differences(shape, element, path))
  return all.reduce((best, one) => (one.length < best.length ? one : best))
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return `a ${typeof value}`
}
