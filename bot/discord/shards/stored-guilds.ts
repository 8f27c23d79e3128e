import type { GatewayGuildCreateDispatchData } from 'discord-api-types/v10'
import type { Client } from 'discord.js'
import { slices } from '../../../lib/process/slices.ts'
import { snapshotGuild, snapshotOfCreate } from './guild-snapshot.ts'
import type { SessionStore } from './shard-directory.ts'

/** Describing and packing this many guilds takes a few milliseconds. */
const GUILDS_AT_ONCE = 10
/** Packed together, guilds take a fifth of the work and less of the memory. */
const PAGE_GUILDS = 50
/** Channels and roles on a page, which is packed in one go. */
const PAGE_PARTS = 1500
/** Limit of pages that wait to be stored; beyond it, guilds are described again later. */
const MOST_PAGES = 16

interface StoredGuildsOptions {
  readonly client: Client
  readonly sessions: Pick<SessionStore, 'savePage' | 'saveGuilds'>
}

/** The guilds of a session that are stored for its next owner, and the changes still to be stored. */
export class StoredGuilds {
  readonly #options: StoredGuildsOptions
  readonly #dirty = new Set<string>()
  readonly #stored = new Set<string>()
  /** Nothing was stored before this one began; only then pages are written, which changes come on top of. */
  #isFirstTime = false
  #page = new Map<string, object>()
  #pageParts = 0
  /** On pages that are being stored. */
  readonly #onWay = new Set<string>()
  #pagesOnWay = 0

  constructor(options: StoredGuildsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#stored.size
  }

  /** The store was emptied. */
  forget(): void {
    for (const id of this.#stored) this.#dirty.add(id)
    this.#stored.clear()
    this.#isFirstTime = true
  }

  /** The former owner has stored it. */
  found(guildId: string): void {
    this.#stored.add(guildId)
  }

  changed(guildId: string): void {
    this.#dirty.add(guildId)
  }

  /** Marks a known guild as due to be stored, unless it is stored or about to be. */
  known(guildId: string): void {
    if (!this.#stored.has(guildId) && !this.#onWay.has(guildId)) this.#dirty.add(guildId)
  }

  /** Described by Discord during a login. @returns whether a page is full, for `takePage`. */
  described(d: GatewayGuildCreateDispatchData): boolean {
    this.#dirty.delete(d.id)
    this.#page.set(d.id, snapshotOfCreate(d))
    this.#pageParts += d.channels.length + d.roles.length
    return this.#page.size >= PAGE_GUILDS || this.#pageParts >= PAGE_PARTS
  }

  /** @returns what stores the guilds described since the last call; it never rejects. */
  takePage(isStillWanted: () => boolean): () => Promise<void> {
    const page = this.#page
    this.#page = new Map()
    this.#pageParts = 0
    if (this.#pagesOnWay >= MOST_PAGES) for (const id of page.keys()) this.#dirty.add(id)
    if (page.size === 0 || this.#pagesOnWay >= MOST_PAGES) return async () => undefined
    for (const id of page.keys()) this.#onWay.add(id)
    this.#pagesOnWay += 1
    return async () => {
      try {
        if (isStillWanted()) await this.#storePage(page)
      } catch {
        // The guilds are described again below.
      }
      this.#pagesOnWay -= 1
      for (const id of page.keys()) {
        this.#onWay.delete(id)
        if (!this.#stored.has(id)) this.#dirty.add(id)
      }
    }
  }

  /** Stores what changed. @throws while it cannot be stored. */
  async store(): Promise<void> {
    for (const ids = [...this.#dirty]; ids.length > 0; await slices.next()) {
      if (this.#isNew(ids[0])) await this.#storeNew(ids)
      else await this.#storeSome(ids.splice(0, GUILDS_AT_ONCE))
    }
    this.#isFirstTime = false
  }

  #isNew(id: string | undefined): boolean {
    return this.#isFirstTime && id !== undefined && !this.#stored.has(id)
  }

  /** The first ones, as far as the store has had none of them, on one page. */
  async #storeNew(ids: string[]): Promise<void> {
    const page = new Map<string, object>()
    let parts = 0
    while (page.size < PAGE_GUILDS && parts < PAGE_PARTS && this.#isNew(ids[0])) {
      const id = ids.shift() ?? ''
      const guild = this.#options.client.guilds.cache.get(id)
      this.#dirty.delete(id)
      if (!guild) continue
      page.set(id, snapshotGuild(guild))
      parts += guild.channels.cache.size + guild.roles.cache.size
      if (page.size % GUILDS_AT_ONCE === 0) await slices.next()
    }
    await this.#orDirty(page.keys(), () => this.#storePage(page))
  }

  async #storePage(page: ReadonlyMap<string, object>): Promise<void> {
    if (page.size === 0) return
    await this.#options.sessions.savePage(page)
    for (const id of page.keys()) this.#stored.add(id)
  }

  async #storeSome(ids: readonly string[]): Promise<void> {
    const { client, sessions } = this.#options
    const guilds = ids.map((id) => [id, client.guilds.cache.get(id)] as const)
    for (const id of ids) this.#dirty.delete(id)
    await this.#orDirty(ids, () =>
      sessions.saveGuilds(new Map(guilds.map(([id, guild]) => [id, guild ? snapshotGuild(guild) : null]))),
    )
    for (const [id, guild] of guilds) void (guild ? this.#stored.add(id) : this.#stored.delete(id))
  }

  async #orDirty(ids: Iterable<string>, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (err) {
      for (const id of ids) this.#dirty.add(id)
      throw err
    }
  }
}
