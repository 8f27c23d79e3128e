type Container = Map<unknown, unknown> | Set<unknown> | unknown[] | Record<string, unknown>

/**
 * Copies plain data: objects, arrays, maps and sets, however they refer to each other. Buffers, functions, emitters and
 * other instances are shared. With `over`, its maps and sets, and the objects that are values of its maps, are filled
 * instead of replaced: anyone who holds a guild or a bot sees it as it was. All else is new, so no constant is overwritten.
 */
export function copy<T>(from: T, over?: unknown): T {
  const done = new Map<object, Container>()
  const used = new Set<object>()
  return visit(from, over) as T

  function visit(value: unknown, live: unknown): unknown {
    if (!isContainer(value)) return value
    const known = done.get(value)
    if (known) return known
    const target = isContainer(live) && mayFill(value, live) && !used.has(live) ? live : emptyLike(value)
    done.set(value, target)
    used.add(target)
    fill(value, target)
    return target
  }

  function fill(value: Container, target: Container): void {
    if (value instanceof Map && target instanceof Map) {
      const entries = [...value].map(([key, item]) => [key, visit(item, target.get(key))] as const)
      target.clear()
      for (const [key, item] of entries) target.set(key, item)
    } else if (value instanceof Set && target instanceof Set) {
      const items = [...value].map((item) => visit(item, undefined))
      target.clear()
      for (const item of items) target.add(item)
    } else if (Array.isArray(value) && Array.isArray(target)) {
      for (const item of value) target.push(visit(item, undefined))
    } else fillObject(value as Record<string, unknown>, target as Record<string, unknown>)
  }

  function fillObject(value: Record<string, unknown>, target: Record<string, unknown>): void {
    for (const key of Object.keys(target)) if (!(key in value)) delete target[key]
    for (const [key, item] of Object.entries(value)) {
      const before = target[key]
      target[key] = visit(item, before instanceof Map || before instanceof Set ? before : undefined)
    }
  }
}

function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof Map || value instanceof Set || Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function kindOf(value: Container): 'map' | 'set' | 'array' | 'object' {
  if (value instanceof Map) return 'map'
  if (value instanceof Set) return 'set'
  return Array.isArray(value) ? 'array' : 'object'
}

const mayFill = (value: Container, live: Container) => kindOf(value) === kindOf(live) && !Array.isArray(live)

function emptyLike(value: Container): Container {
  const kind = kindOf(value)
  if (kind === 'map') return new Map()
  if (kind === 'set') return new Set()
  return kind === 'array' ? [] : {}
}
