import type { z } from 'zod'

/** The items of that shape; one that is broken does not spoil the others. */
export function usable<S extends z.ZodType>(shape: S, items: readonly unknown[]): z.output<S>[] {
  return items.flatMap((item) => {
    const parsed = shape.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}
