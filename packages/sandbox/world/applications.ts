import { createHmac, randomBytes } from 'node:crypto'
import {
  ApplicationFlags,
  GatewayIntentBits as Intent,
  type APIApplication,
  type APIUser,
  type GatewayReadyDispatchData,
  type UserFlags,
} from 'discord-api-types/v10'
import type { Application, ApplicationProfile, World } from './world.ts'

/** Intents that a bot must be allowed to ask for; without that an identify is closed with 4014. */
export const PRIVILEGED = Intent.GuildMembers | Intent.GuildPresences | Intent.MessageContent

/** A user with all fields that Discord sends, beyond those that its documentation guarantees. */
export type WholeUser = APIUser & { readonly public_flags: UserFlags; readonly flags: UserFlags }

export function createUser(
  id: string,
  username: string,
  options: { bot?: boolean; displayName?: string } = {},
): WholeUser {
  return {
    id,
    username,
    discriminator: '0',
    global_name: options.displayName ?? null,
    avatar: null,
    banner: null,
    accent_color: null,
    bot: options.bot ?? false,
    system: false,
    flags: 0 as UserFlags,
    public_flags: 0 as UserFlags,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
  }
}

export interface ApplicationFacts {
  readonly id?: string
  readonly name: string
  readonly token?: string
  /** Defaults to all three privileged intents. */
  readonly privileged?: number
  readonly shards?: number
  readonly maxConcurrency?: number
  /** Defaults to the 1,000 of a bot that is not large. */
  readonly sessionStarts?: number
}

/** A bot account. Its token has the three parts of a real one, the first of which names the account. */
export function createApplication(world: World, facts: ApplicationFacts): Application {
  const id = facts.id ?? world.nextId()
  const user = createUser(id, facts.name, { bot: true })
  const application: Application = {
    id,
    name: facts.name,
    token: facts.token ?? createToken(id, world.now()),
    user,
    description: '',
    privileged: facts.privileged ?? PRIVILEGED,
    hasActivities: false,
    shards: facts.shards ?? 1,
    maxConcurrency: facts.maxConcurrency ?? 1,
    sessionStarts: facts.sessionStarts ?? 1000,
    commands: new Map(),
    profile: { icon: null, role_connections_verification_url: null },
    emojis: new Map(),
    skus: [],
    entitlements: new Map(),
  }
  world.users.set(id, user)
  world.applications.set(id, application)
  world.notices.emit('applications')
  return application
}

export function createToken(id: string, nowMs: number): string {
  const stamp = Buffer.alloc(4)
  stamp.writeUInt32BE(Math.floor(nowMs / 1000) >>> 0)
  const head = `${Buffer.from(id).toString('base64url')}.${stamp.toString('base64url')}`
  return `${head}.${createHmac('sha256', randomBytes(32)).update(head).digest('base64url').slice(0, 38)}`
}

/** Finds the application of a token, bare or as an Authorization header with `Bot ` in front. */
export function findByToken(world: World, token: string): Application | undefined {
  const bare = token.replace(/^Bot /, '')
  return world.applications.values().find((application) => application.token === bare)
}

/** The flag by which an application in less than a hundred guilds shows each privileged intent. */
const FLAGS: readonly (readonly [Intent, ApplicationFlags])[] = [
  [Intent.MessageContent, ApplicationFlags.GatewayMessageContentLimited],
  [Intent.GuildMembers, ApplicationFlags.GatewayGuildMembersLimited],
  [Intent.GuildPresences, ApplicationFlags.GatewayPresenceLimited],
]

function flagsOf({ privileged, hasActivities }: Application): ApplicationFlags {
  const embedded = hasActivities ? ApplicationFlags.Embedded : 0
  return FLAGS.reduce((all, [intent, flag]) => (privileged & intent ? all | flag : all), embedded as ApplicationFlags)
}

/** The intents that these flags of an application allow; the other flags are not its own to set. */
export function privilegedBy(flags: number): number {
  return FLAGS.reduce((all, [intent, flag]) => (flags & flag ? all | intent : all), 0)
}

type WithoutUndefined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Without the fields that are not set, but with those that Discord sends as null. */
function given(profile: ApplicationProfile) {
  return Object.fromEntries(
    Object.entries(profile).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<ApplicationProfile>
}

/** An application as its own bot sees it. */
export function describeApplication(world: World, application: Application) {
  const guilds = [...world.guilds.values()]
  const owner = world.users.get(guilds[0]?.ownerId ?? '') ?? createUser('1', 'owner')
  return {
    id: application.id,
    name: application.name,
    description: application.description,
    type: null,
    summary: '' as const,
    bot: application.user,
    bot_public: true,
    bot_require_code_grant: false,
    owner,
    verify_key: createHmac('sha256', application.id).update('verify').digest('hex'),
    team: null,
    flags: flagsOf(application),
    flags_new: String(flagsOf(application)),
    redirect_uris: [],
    interactions_endpoint_url: null,
    ...given(application.profile),
    approximate_guild_count: guilds.filter((guild) => guild.members.has(application.id)).length,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: ['bot', 'applications.commands'],
  } satisfies APIApplication & Record<string, unknown>
}

/** A bot's own account, with what only it may know. */
export function describeSelf(application: Application) {
  return {
    ...application.user,
    mfa_enabled: true,
    locale: 'en-US',
    verified: true,
    email: null,
  } satisfies APIUser
}

export function readyApplication(application: Application): GatewayReadyDispatchData['application'] {
  return { id: application.id, flags: flagsOf(application), flags_new: String(flagsOf(application)) }
}
