import { GatewayDispatchEvents, type APIApplication } from 'discord-api-types/v10'
import { z } from 'zod'
import { describeApplication, describeSelf, privilegedBy } from '../../world/applications.ts'
import { mustFind } from '../../world/errors.ts'
import { tellMemberUpdate } from '../../world/guilds.ts'
import { keepImage } from '../../world/images.ts'
import { tell } from '../../world/world.ts'
import { parseBody } from '../form.ts'
import { ok, param, type Call, type OpenCall, type Route } from '../route.ts'
import { notImplemented } from '../unimplemented.ts'
import { ownApplication } from './own-application.ts'

const EditSelf = z.object({
  username: z.string().min(2).max(32).optional(),
  avatar: z.string().nullish(),
  banner: z.string().nullish(),
})

const EditApplication = z.looseObject({
  description: z.string().max(400).nullish(),
  icon: z.string().nullish(),
  cover_image: z.string().nullish(),
  tags: z.array(z.string().min(1).max(20)).max(5).nullish(),
  custom_install_url: z.url().max(2048).nullish(),
  role_connections_verification_url: z.url().max(2048).nullish(),
  flags: z.int().min(0).nullish(),
})
const EDITABLE: ReadonlySet<string> = new Set(Object.keys(EditApplication.shape))

function editSelf({ me, body, world }: Call) {
  const { username, avatar, banner } = parseBody(EditSelf, body)
  if (username !== undefined) {
    me.name = username
    me.user.username = username
  }
  const keep = (folder: string, path: string, uri: string | null) =>
    keepImage(world, { folder: `${folder}/${me.id}`, path }, uri)
  if (avatar !== undefined) me.user.avatar = keep('avatars', 'avatar', avatar)
  if (banner !== undefined) me.user.banner = keep('banners', 'banner', banner)
  world.notices.emit('applications')
  for (const guild of world.guilds.values()) {
    const member = guild.members.get(me.id)
    if (member) tellMemberUpdate(world, guild, member)
  }
  tell(world, null, { t: GatewayDispatchEvents.UserUpdate, d: describeSelf(me) }, me.id)
  return ok(describeSelf(me))
}

/** An endpoint of its own for interactions and the like is nothing that the sandbox calls. */
function editApplication({ me, body, world }: Call) {
  const { description, icon, cover_image, flags, ...rest } = parseBody(EditApplication, body)
  const foreign = Object.entries(rest).find(([field, value]) => !EDITABLE.has(field) && value !== null)
  if (foreign) return notImplemented(`the field ${foreign[0]} of an application`)
  if (typeof flags === 'number') me.privileged = privilegedBy(flags)
  if (description !== undefined) me.description = description ?? ''
  const keep = (path: string, uri: string | null) => keepImage(world, { folder: `app-icons/${me.id}`, path }, uri)
  if (icon !== undefined) me.profile.icon = keep('icon', icon)
  if (cover_image !== undefined) me.profile.cover_image = keep('cover_image', cover_image) ?? undefined
  const { tags, custom_install_url, role_connections_verification_url: verification } = rest
  if (tags !== undefined) me.profile.tags = (tags ?? undefined) as APIApplication['tags'] | undefined
  if (custom_install_url !== undefined) me.profile.custom_install_url = custom_install_url ?? undefined
  if (verification !== undefined) me.profile.role_connections_verification_url = verification
  return ok(describeApplication(world, me))
}

const showApplication = ({ world, me }: Call) => ok(describeApplication(world, me))

const gatewayUrl = ({ world }: OpenCall) => world.url.replace('http', 'ws')

/** The games that Discord's app knows by their programs; one stands for them all. */
const DETECTABLE = [
  {
    id: '356875221078245376',
    name: 'A game',
    aliases: [],
    executables: [{ name: 'game.exe', os: 'win32', is_launcher: false }],
    hook: true,
    overlay: false,
    overlay_compatibility_hook: false,
    overlay_methods: null,
    overlay_warn: false,
    icon_hash: null,
    themes: [],
  },
]

/** The gateway's address, the bot's own account and application. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/gateway', open: (call) => ok({ url: gatewayUrl(call) }) },
  {
    method: 'GET',
    path: '/gateway/bot',
    handle: (call) =>
      ok({ url: gatewayUrl(call), shards: call.me.shards, session_start_limit: call.startLimit(call.me.id) }),
  },
  { method: 'GET', path: '/users/@me', handle: ({ me }) => ok(describeSelf(me)) },
  { method: 'PATCH', path: '/users/@me', limit: { requests: 2, perMs: 3_600_000 }, handle: editSelf },
  {
    method: 'GET',
    path: '/users/{userId}',
    handle(call) {
      const user = mustFind(call.world.users.get(param(call, 'userId')), 'unknownUser')
      return ok(user)
    },
  },
  { method: 'GET', path: '/applications/@me', handle: showApplication },
  { method: 'PATCH', path: '/applications/@me', handle: editApplication },
  {
    method: 'GET',
    path: '/applications/{applicationId}',
    handle: (call) => ok(describeApplication(call.world, ownApplication(call))),
  },
  {
    method: 'PATCH',
    path: '/applications/{applicationId}',
    handle: (call) => editApplication({ ...call, me: ownApplication(call) }),
  },
  { method: 'GET', path: '/oauth2/applications/@me', handle: showApplication },
  { method: 'GET', path: '/applications/detectable', open: () => ok(DETECTABLE) },
]
