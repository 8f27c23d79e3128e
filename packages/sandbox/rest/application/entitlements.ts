import {
  EntitlementOwnerType,
  EntitlementType,
  GatewayDispatchEvents,
  type APIEntitlement,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, mustFind } from '../../world/errors.ts'
import { tell } from '../../world/world.ts'
import { Id, pageById, parseBody, readFlag, readId, readIds, readLimit } from '../form.ts'
import { noContent, ok, param, type Call, type Route } from '../route.ts'
import { ownApplication } from './own-application.ts'

const APPLICATION = '/applications/{applicationId}'
const ENTITLEMENTS = `${APPLICATION}/entitlements`
const ENTITLEMENT = `${ENTITLEMENTS}/{entitlementId}`

function list(call: Call) {
  const me = ownApplication(call)
  const { query, world } = call
  const limit = readLimit(query, { most: 100, usual: 100 })
  const [userId, guildId] = [readId(query, 'user_id'), readId(query, 'guild_id')]
  const skus = readIds(query, 'sku_ids')
  const nowMs = world.now()
  const found = [...me.entitlements.values()].filter(
    (one) =>
      (userId === null || one.user_id === userId) &&
      (guildId === null || one.guild_id === guildId) &&
      (skus.length === 0 || skus.includes(one.sku_id)) &&
      !(readFlag(query, 'exclude_ended') && one.ends_at !== null && Date.parse(one.ends_at) <= nowMs) &&
      // Deleted ones are left out by default.
      !(query.get('exclude_deleted') !== 'false' && one.deleted),
  )
  return ok(pageById(found, { query, limit, idOf: ({ id }) => id }))
}

function entitlementOf(call: Call): APIEntitlement {
  return mustFind(ownApplication(call).entitlements.get(param(call, 'entitlementId')), 'unknownEntitlement')
}

const TestEntitlement = z.object({ sku_id: Id, owner_id: Id, owner_type: z.enum(EntitlementOwnerType) })

/** One for tests, which never ends on its own. */
function create(call: Call) {
  const me = ownApplication(call)
  const { sku_id, owner_id, owner_type } = parseBody(TestEntitlement, call.body)
  if (!me.skus.some(({ id }) => id === sku_id)) throw new DiscordError('unknownSku')
  const isGuild = owner_type === EntitlementOwnerType.Guild
  const isKnown = isGuild ? call.world.guilds.has(owner_id) : call.world.users.has(owner_id)
  if (!isKnown) throw new DiscordError(isGuild ? 'unknownGuild' : 'unknownUser')
  const entitlement: APIEntitlement = {
    id: call.world.nextId(),
    sku_id,
    application_id: me.id,
    user_id: isGuild ? (call.world.guilds.get(owner_id)?.ownerId ?? me.id) : owner_id,
    ...(isGuild ? { guild_id: owner_id } : {}),
    type: EntitlementType.ApplicationSubscription,
    deleted: false,
    starts_at: null,
    ends_at: null,
    consumed: false,
  }
  me.entitlements.set(entitlement.id, entitlement)
  tell(call.world, null, { t: GatewayDispatchEvents.EntitlementCreate, d: entitlement }, me.id)
  return ok(entitlement)
}

function remove(call: Call) {
  const entitlement = entitlementOf(call)
  entitlement.deleted = true
  tell(call.world, null, { t: GatewayDispatchEvents.EntitlementDelete, d: entitlement }, call.me.id)
  return noContent
}

function consume(call: Call) {
  const entitlement = entitlementOf(call)
  entitlement.consumed = true
  tell(call.world, null, { t: GatewayDispatchEvents.EntitlementUpdate, d: entitlement }, call.me.id)
  return noContent
}

export const ENTITLEMENT_ROUTES: readonly Route[] = [
  { method: 'GET', path: `${APPLICATION}/skus`, handle: (call) => ok(ownApplication(call).skus) },
  { method: 'GET', path: ENTITLEMENTS, handle: list },
  { method: 'POST', path: ENTITLEMENTS, handle: create },
  { method: 'GET', path: ENTITLEMENT, handle: (call) => ok(entitlementOf(call)) },
  { method: 'DELETE', path: ENTITLEMENT, handle: remove },
  { method: 'POST', path: `${ENTITLEMENT}/consume`, handle: consume },
]
