import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PlayerChange, PlayerPosition, PlayerStates, SavedPlayer } from '../../db/music/players.ts'
import { Fault } from '../../lib/errors.ts'
import { declaredEffect } from '../../lib/idempotency/effect.ts'
import type { Logger } from '../../lib/log.ts'
import type { Effect } from '../../lib/request-context.ts'
import { guildKey } from '../guild-key.ts'

type SavedPlayerRef = Pick<SavedPlayer, 'botId' | 'guildId'>

/**
 * The saved state of players. Changes apply immediately, are written in batches, one after the other, and are retried after
 * a failed write. Players continue meanwhile.
 */
export type SavedPlayers = ReturnType<typeof createSavedPlayers>

interface SavedPlayersOptions {
  readonly states: PlayerStates
  readonly log: Logger
  /** The lease under which a player is written; it only ever grows. Defaults to that of a single service. */
  readonly leaseOf?: (player: SavedPlayerRef) => number
  /** A newer lease has been given for the player: it belongs to another service. */
  readonly onRefused?: (player: SavedPlayerRef) => void
}

/** A change that is not written yet. */
interface Waiting {
  readonly change: PlayerChange
  readonly effects: readonly Effect[]
  readonly done: PromiseWithResolvers<void>
  readonly hasFailed: boolean
}

/** Changes in one transaction, which takes a few milliseconds. */
const BATCH = 50

export function createSavedPlayers(options: SavedPlayersOptions) {
  const listeners = new Set<(player: SavedPlayerRef) => void>()
  const writer = new PlayerWriter(options)
  const { states, leaseOf = () => 0 } = options
  const writePositions = positionWriter(options)
  let positions: Promise<void> | null = null

  function put(change: PlayerChange): void {
    for (const listener of listeners) listener(change)
    writer.put(change)
  }

  return {
    /** @throws {Fault} `service_unavailable` while it is known that nothing can be saved, as on a full disk. */
    assertWritable: () => states.assertWritable(),
    save: (state: SavedPlayer) => put({ ...refOf(state), lease: leaseOf(state), state }),
    remove(projectId: string, botId: string, guildId: string) {
      put({ projectId, botId, guildId, lease: leaseOf({ botId, guildId }), state: null })
    },
    /** Resolves when all that was saved or removed of the player is written. @throws {Fault} when it could not be. */
    written: (player: SavedPlayerRef) => writer.written(guildKey(player)),
    /** Saves the positions of saved players, and tries again what could not be written before. Never rejects. */
    async savePositions(all: readonly PlayerPosition[]) {
      void writer.flush()
      // While the database hangs, they are saved once it answers: by then they are others.
      if (all.length > 0) positions ??= writePositions(all).finally(() => (positions = null))
      await positions
    },
    /** Saved players of one bot, only in these guilds if any are named. */
    async list(projectId: string, botId: string, guildIds?: readonly string[]): Promise<readonly SavedPlayer[]> {
      // Other players keep changes waiting all the time, so only changes of the guilds read are flushed first.
      const isWaiting = (guildId: string) => writer.isWaiting(guildKey({ botId, guildId }))
      if (!guildIds || guildIds.some(isWaiting)) await writer.flush()
      const saved = await states.list(projectId, botId, guildIds)
      return saved.flatMap((state) => writer.stateOf(guildKey(state), state) ?? [])
    },
    /** Time since each player was written, in milliseconds, by guild. */
    ages: (botId: string, guildIds: readonly string[]) => states.ages(botId, guildIds),
    /** Refuses later writes to these players by services with an older lease. */
    claim: (botId: string, guildIds: readonly string[], lease: number) => states.claim(botId, guildIds, lease),
    /**
     * Calls with each player that is saved or removed: nearly all that changes of one is saved.
     * @returns a function that ends the subscription.
     */
    subscribe(listener: (player: SavedPlayerRef) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Writes what waits. Never rejects. */
    async flush() {
      await writer.flush()
      await positions
    },
  }
}

function positionWriter({ states, log, leaseOf = () => 0 }: SavedPlayersOptions) {
  /** Since they could not be saved the last time. */
  let areLost = false
  return async (all: readonly PlayerPosition[]): Promise<void> => {
    try {
      await states.savePositions(all.map((position) => ({ ...position, lease: leaseOf(position) })))
      areLost = false
    } catch (err) {
      if (!areLost) log.error({ err }, 'saving positions failed')
      areLost = true
    }
  }
}

/** Writes changes of players in batches: of each player only the newest, and never two at a time. */
class PlayerWriter {
  readonly #options: SavedPlayersOptions
  readonly #waiting = new Map<string, Waiting>()
  #writing = new Map<string, Waiting>()
  #running: Promise<void> | null = null

  constructor(options: SavedPlayersOptions) {
    this.#options = options
  }

  put(change: PlayerChange): void {
    const key = guildKey(change)
    const replaced = this.#waiting.get(key)
    const effect = declaredEffect()
    if (effect) effect.state = 'saving'
    const answered = effect ? [{ requestId: effect.requestId, answer: JSON.stringify(effect.answer()) }] : []
    this.#waiting.set(key, {
      change: { ...change, answered: [...(replaced?.change.answered ?? []), ...answered] },
      effects: [...(replaced?.effects ?? []), ...(effect ? [effect] : [])],
      done: replaced && !replaced.hasFailed ? replaced.done : promiseOf(),
      hasFailed: false,
    })
    void this.flush()
  }

  isWaiting(key: string): boolean {
    return this.#waiting.has(key) || this.#writing.has(key)
  }

  /** The pending state of a player, which is written later, or else the written one. */
  stateOf(key: string, written: SavedPlayer): SavedPlayer | null {
    const waiting = this.#waiting.get(key) ?? this.#writing.get(key)
    return waiting ? waiting.change.state : written
  }

  async written(key: string): Promise<void> {
    await (this.#waiting.get(key) ?? this.#writing.get(key))?.done.promise
  }

  flush(): Promise<void> {
    return (this.#running ??= this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    // Later changes of the same operation are written in the same batch.
    await Promise.resolve()
    const failed = new Set<Waiting>()
    const next = () => [...this.#waiting].filter(([, waiting]) => !failed.has(waiting)).slice(0, BATCH)
    for (let batch = next(); batch.length > 0; batch = next()) {
      for (const [key] of batch) this.#waiting.delete(key)
      this.#writing = new Map(batch)
      for (const again of await this.#write(batch)) failed.add(again)
      this.#writing = new Map()
      if (next().length > 0) await nextTurn()
    }
    this.#running = null
  }

  /** @returns what has to be tried again. */
  async #write(batch: readonly (readonly [string, Waiting])[]): Promise<readonly Waiting[]> {
    try {
      const refused = await this.#options.states.write(batch.map(([, { change }]) => change))
      const keys = new Set(refused.map(guildKey))
      for (const [key, waiting] of batch) {
        if (keys.has(key)) this.#refuse(waiting)
        else settle(waiting)
      }
      return []
    } catch (err) {
      // A change that the database rejects must not keep the others from being saved.
      if (err instanceof Fault || batch.length === 1)
        return batch.map(([key, waiting]) => this.#keep(key, waiting, err))
      const failed: Waiting[] = []
      for (const single of batch) failed.push(...(await this.#write([single])))
      return failed
    }
  }

  #refuse({ change, done }: Waiting): void {
    const { botId, guildId, lease } = change
    this.#options.log.warn({ botId, guildId, lease }, 'saved player refused: newer lease')
    this.#options.onRefused?.(change)
    const message = 'Another service has taken over this player. Try again.'
    done.reject(new Fault('conflict', message, { peer: 'moved' }))
  }

  #keep(key: string, failed: Waiting, err: unknown): Waiting {
    const { change, effects, done, hasFailed } = failed
    const { botId, guildId } = change
    const what = change.state ? 'saving player failed' : 'removing saved player failed'
    if (!hasFailed) this.#options.log.error({ err, botId, guildId }, what)
    for (const effect of effects) if (effect.state === 'saving') effect.state = 'declared'
    done.reject(notSaved(err))
    const again = { change: { ...change, answered: [] }, effects: [], done: rejected(err), hasFailed: true }
    // The player may have changed meanwhile.
    if (!this.#waiting.has(key)) this.#waiting.set(key, again)
    return again
  }
}

function refOf({ projectId, botId, guildId }: SavedPlayer) {
  return { projectId, botId, guildId }
}

function settle({ effects, done }: Waiting): void {
  for (const effect of effects) if (effect.state === 'saving') effect.state = 'saved'
  done.resolve()
}

/** Creates a promise whose rejection need not be awaited. */
function promiseOf(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>()
  made.promise.catch(() => undefined)
  return made
}

function rejected(err: unknown): PromiseWithResolvers<void> {
  const made = promiseOf()
  made.reject(notSaved(err))
  return made
}

function notSaved(cause: unknown): Fault {
  const what = "The change took effect but isn't saved: the disk is full, or the database is locked."
  return new Fault(
    'service_unavailable',
    `${what} The service saves it as soon as possible. A restart before then loses it.`,
    { cause },
  )
}
