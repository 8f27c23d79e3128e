import { expect } from 'chai'
import { DiscordAPIError, GatewayIntentBits, Partials, type Client, type Guild as ClientGuild } from 'discord.js'
import { ROUTES } from '../../rest/routes.ts'
import type { Route } from '../../rest/route.ts'
import type { Sandbox } from '../../start.ts'
import { createApplication } from '../../world/applications.ts'
import { addApplication } from '../../world/guilds.ts'
import { ALL_INTENTS } from '../../gateway/intents.ts'
import { Permission } from '../../world/permissions.ts'
import { getGuild, type Guild } from '../../world/world.ts'
import { createChecker, nameOperation, readOperations } from '../openapi.ts'
import { createCaller, logIn, openSandbox, type Rest } from '../stage.ts'

/** A pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A guild with a real discord.js client of an administrator, and a bot that may do nothing. */
interface Walk {
  readonly sandbox: Sandbox
  readonly client: Client<true>
  /** The guild in the client. */
  readonly guild: ClientGuild
  /** The guild in the sandbox. */
  readonly inside: Guild
  readonly rest: Rest
  /** REST client of the bot without permissions. */
  readonly weak: Rest
  readonly memberIds: readonly string[]
  /** Resolves with what the next event of this kind brings, whose handlers get these arguments. */
  readonly event: (name: string) => Promise<any[]>
  /** Types of the audit log's entries so far, oldest first; the log is empty afterwards. */
  readonly logged: () => number[]
  readonly advance: (ms: number) => void
}

export interface WalkHolder {
  readonly walk: () => Walk
}

/** Registers hooks for one walk, whose every request is held against Discord's OpenAPI document. */
export function describeWalk(title: string, routes: readonly Route[], tell: (holder: WalkHolder) => void): void {
  describe(title, () => {
    const check = createChecker()
    const issues: string[] = []
    let walk: Walk
    let nowMs = Date.now()

    before(async () => {
      const sandbox = await openSandbox({ demoMember: false, now: () => nowMs })
      sandbox.rest.onExchange((exchange) => issues.push(...check(exchange)))
      const inside = getGuild(sandbox.world, sandbox.demo.guildId)
      for (const role of inside.roles.values()) if (role.managed) role.permissions = String(Permission.Administrator)
      const weak = createApplication(sandbox.world, { name: 'Weak' })
      addApplication(sandbox.world, inside, weak)
      for (const role of inside.roles.values()) if (role.name === 'Weak') role.permissions = '0'
      const client = await logIn(sandbox, {
        intents: ALL_INTENTS & ~GatewayIntentBits.GuildPresences,
        partials: [Partials.Message, Partials.Channel, Partials.Reaction, Partials.GuildScheduledEvent],
      })
      walk = {
        sandbox,
        client,
        guild: client.guilds.cache.get(inside.id)!,
        inside,
        rest: createCaller(`${sandbox.url}/api/v10`, sandbox.demo.botToken),
        weak: createCaller(`${sandbox.url}/api/v10`, weak.token),
        memberIds: sandbox.demo.memberIds,
        event: (name) => new Promise((resolve) => client.once(name, (...args) => resolve(args))),
        logged: () => inside.auditLog.splice(0).map(({ action_type }) => action_type),
        advance(ms) {
          nowMs += ms
        },
      }
    })
    after(async () => {
      await walk.client.destroy()
      await walk.sandbox.close()
    })
    afterEach(() => {
      expect(issues.splice(0), 'against the OpenAPI document').to.deep.equal([])
    })

    tell({ walk: () => walk })

    it('has walked every route of its own that is in the OpenAPI document of Discord', () => {
      const documented = readOperations()
      const mine = routes.map(({ method, path }) => nameOperation(method, path)).filter((one) => documented.has(one))
      expect(mine.filter((one) => !check.checked.has(one))).to.deep.equal([])
    })
  })
}

export const ALL_ROUTES = ROUTES

/** The code with which Discord refuses. */
export async function codeOf(promise: Promise<unknown>): Promise<number | string> {
  try {
    await promise
  } catch (error) {
    if (error instanceof DiscordAPIError) return error.code
    throw error
  }
  throw new Error('Discord refused nothing.')
}
