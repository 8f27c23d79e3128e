import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createAccounts, type Accounts } from './people/accounts.ts'
import { createAudit, type Audit } from './people/audit.ts'
import { createCardRecords, type CardRecords } from './music/cards.ts'
import { createCollections, type Collections } from './music/collections.ts'
import { createInviteLinks, type InviteLinks } from './people/invite-links.ts'
import { createGuildSettings, SETTINGS_TOPIC } from './music/guild-settings.ts'
import { createKnownGuildSettings, type KnownGuildSettings } from './music/known-guild-settings.ts'
import { createBotRecords, type BotRecords } from './projects/bots.ts'
import { createIdempotentRequests, type Sweeping } from './projects/idempotent-requests.ts'
import { createKeys, type Keys } from './projects/keys.ts'
import { createLibraryRecords, type LibraryRecords } from './music/library.ts'
import { lockDataDir } from './engine/lock.ts'
import { createMemberships, type Memberships } from './people/memberships.ts'
import { explainDatabaseError } from './engine/open.ts'
import type { SqliteReader } from './engine/reader/sqlite-reader.ts'
import type { Store } from './engine/store.ts'
import { claimPath } from './engine/path-claim.ts'
import { createOneTimeRecords, type OneTimeRecords } from './people/one-time-records.ts'
import { createSignInTries, type SignInTries } from './people/sign-in-tries.ts'
import { createRecoveryCodes, type RecoveryCodes } from './people/recovery-codes.ts'
import { createPlayHistory, type PlayHistory } from './music/play-history.ts'
import { createSourceFailures, type SourceFailures } from './music/source-failures.ts'
import { createPlayerStates, type PlayerStates } from './music/players.ts'
import { createPools, type Pools } from './projects/pools.ts'
import { createProjects, type Projects } from './projects/projects.ts'
import { createLoggedRequests, type LoggedRequests } from './requests/logged-requests.ts'
import { createSessions, type BrowserSessions } from './people/sessions.ts'
import { createScriptureRecords, type ScriptureRecords } from './scripture.ts'
import { createUsageCounter, type UsageCounter } from './projects/usage-counter.ts'
import type { Storage } from './engine/storage.ts'
import { openStores, type StorageOptions } from './open-stores.ts'
import { createWebPlayerAccess, type WebPlayerAccess } from './people/web-player-access.ts'
import { createUsage, type Usage } from './projects/usage.ts'
import { createVault, type Vault } from './engine/vault.ts'
import { createDeliveries, type DeliveryQueue } from './webhooks/deliveries.ts'
import { createSenderLeases, type SenderLeases } from './webhooks/sender-leases.ts'
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts'
import type { IdempotentRequests } from '../lib/idempotency/requests.ts'
import type { Logger } from '../lib/log.ts'

const SWEEP_EVERY_MS = 3_600_000

/** Settings and collections of Discord members, and where they see them. */
interface MemberStores {
  readonly settings: KnownGuildSettings
  readonly cards: CardRecords
  readonly collections: Collections
  readonly history: PlayHistory
  readonly webPlayer: WebPlayerAccess
}

/** Accounts with access to the dashboard, and their actions. */
export interface PeopleStores {
  readonly accounts: Accounts
  readonly memberships: Memberships
  readonly sessions: BrowserSessions
  readonly links: InviteLinks
  readonly audit: Audit
  readonly recoveryCodes: RecoveryCodes
  readonly oneTime: OneTimeRecords
  readonly signInTries: SignInTries
}

/** All that the service keeps in DATA_DIR. */
export interface Repositories {
  /** The store of these repositories, for parts that have tables of their own. */
  readonly store: Store
  readonly people: PeopleStores
  readonly projects: Projects
  readonly keys: Keys
  readonly bots: BotRecords
  readonly pools: Pools
  readonly players: PlayerStates
  readonly webhooks: Webhooks
  /** Deliveries of webhooks, sent and pending. */
  readonly deliveries: DeliveryQueue
  /** Leases that assign each webhook to one service. */
  readonly senderLeases: SenderLeases
  /** Settings and collections of members. */
  readonly members: MemberStores
  readonly library: LibraryRecords
  /** Secrets for addresses of covers. */
  readonly coverSecrets: readonly [Buffer, ...Buffer[]]
  /** Secrets for confidential input of jobs. */
  readonly jobSecrets: readonly [Buffer, ...Buffer[]]
  readonly sourceFailures: SourceFailures
  readonly scripture: ScriptureRecords
  /** ID of this process, among those that share the database. */
  readonly processId: string
  /** Requests that callers may send twice. */
  readonly idempotency: IdempotentRequests
  /** Requests that were answered. */
  readonly requests: LoggedRequests
  readonly usage: Pick<UsageCounter, 'count'> & Pick<Usage, 'summary' | 'totals' | 'refusals' | 'peaks'>
  /** Whether the database can be read now. */
  isAnswering(): boolean
  /** Whether it can be written. */
  readonly storage: Pick<Storage, 'problem' | 'freeBytes'>
  /** The thread for queries that read much. */
  readonly reader: Pick<SqliteReader, 'health'>
  close(): Promise<void>
}

interface RepositoryOptions extends StorageOptions {
  /** Seals secrets in the database; null: by a key in a file of the folder. */
  readonly tokenKey: string | null
}

/**
 * Takes the folder for this process, and opens and migrates the database.
 * @throws {Fault} when another service has the folder, or the database cannot be continued.
 */
export async function openRepositories(options: RepositoryOptions, log: Logger): Promise<Repositories> {
  const { dataDir } = options
  await using opening = new AsyncDisposableStack()
  opening.adopt(lockDataDir(dataDir), (it) => it.release())
  opening.adopt(await claimPath(dataDir), (it) => it.release())
  try {
    const stores = await openRecords(options, log, opening)
    const open = opening.move()
    return { ...stores, close: () => open.disposeAsync() }
  } catch (error) {
    throw explainDatabaseError(error, join(dataDir, 'bandstand.db'))
  }
}

async function openRecords(
  options: RepositoryOptions,
  log: Logger,
  opening: AsyncDisposableStack,
): Promise<Omit<Repositories, 'close'>> {
  const { dataDir, tokenKey } = options
  const stores = await openStores(options, log, opening)
  const { store, local, storage } = stores
  const vault = createVault({ tokenKey, dataDir })
  const counts = createUsage(store, { reader: stores.reader })
  const counter = opening.adopt(createUsageCounter({ usage: counts, log }), (it) => it.close())
  const usage: Repositories['usage'] = {
    count: (use) => counter.count(use),
    summary: (question) => counts.summary(question),
    totals: counts.totals,
    refusals: (question) => counts.refusals(question),
    peaks: (question) => counts.peaks(question),
  }
  const records = {
    projects: createProjects(store),
    keys: createKeys(store),
    bots: createBotRecords(store, vault),
    pools: createPools(store),
    players: createPlayerStates(store, stores),
    webhooks: createWebhooks(store, vault),
    deliveries: createDeliveries(store, Date.now, stores.reader),
    senderLeases: createSenderLeases(store),
    members: membersIn(store),
    people: peopleIn(store, vault),
    library: createLibraryRecords(local, stores.localReader),
    sourceFailures: createSourceFailures(local),
    scripture: createScriptureRecords(local),
    requests: createLoggedRequests(store, stores.reader),
  }
  const processId = randomUUID()
  const idempotency = createIdempotentRequests(store, Date.now, processId)
  opening.adopt(sweepHourly(idempotency, log), clearInterval)
  const coverSecrets = vault.secretsFor('covers')
  const secrets = { coverSecrets, jobSecrets: vault.secretsFor('jobs') }
  const isAnswering = () => stores.isAnswering()
  return {
    ...records,
    ...secrets,
    store,
    processId,
    idempotency,
    usage,
    storage,
    reader: stores.localReader,
    isAnswering,
  }
}

/** Keys of requests are rarely looked at after their day, so that looking does not remove them. */
function sweepHourly(swept: Sweeping, log: Logger): NodeJS.Timeout {
  const sweep = () => {
    swept.sweep().catch((err: unknown) => log.warn({ err }, 'removing old idempotency keys failed'))
  }
  return setInterval(sweep, SWEEP_EVERY_MS).unref()
}

function membersIn(store: Store): MemberStores {
  return {
    settings: createKnownGuildSettings({
      records: createGuildSettings(store),
      subscribe: (listener) => store.subscribe(SETTINGS_TOPIC, listener),
    }),
    cards: createCardRecords(store),
    collections: createCollections(store),
    history: createPlayHistory(store),
    webPlayer: createWebPlayerAccess(store),
  }
}

function peopleIn(store: Store, vault: Vault): PeopleStores {
  return {
    accounts: createAccounts(store, vault),
    memberships: createMemberships(store),
    sessions: createSessions(store),
    links: createInviteLinks(store),
    audit: createAudit(store),
    recoveryCodes: createRecoveryCodes(store),
    oneTime: createOneTimeRecords(store, vault),
    signInTries: createSignInTries(store),
  }
}
