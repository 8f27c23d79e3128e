/** Requests per minute by route class, over all classes, and players at once: the table of `api.md`. */
export const PLANS = {
  free: { cheap: 60, fetch: 15, canvas: 10, browser: null, aggregate: 80, players: 5 },
  standard: { cheap: 400, fetch: 120, canvas: 60, browser: 20, aggregate: 550, players: 15 },
  advanced: { cheap: 1200, fetch: 400, canvas: 200, browser: 60, aggregate: 1700, players: 35 },
  scale: { cheap: 6000, fetch: 2000, canvas: 1000, browser: 300, aggregate: 8500, players: 100 },
} as const satisfies Record<string, PlanLimits>

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]]

interface PlanLimits {
  readonly cheap: number
  readonly fetch: number
  readonly canvas: number
  /** null: the plan does not include the class at all. */
  readonly browser: number | null
  readonly aggregate: number
  readonly players: number
}

/** A class with a budget of its own. */
export type MeteredClass = 'cheap' | 'fetch' | 'canvas' | 'browser'
/**
 * `open` needs no key; `player` needs a key with a bot and is bounded by the player ceiling instead;
 * `socket` needs a key, takes it in the query too, and is bounded by open sockets.
 */
export type RouteClass = MeteredClass | 'player' | 'open' | 'socket'
