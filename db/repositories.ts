import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createAccounts } from './people/accounts.ts'
import { createAudit } from './people/audit.ts'
import { createCardRecords } from './music/cards.ts'
import { createCollections } from './music/collections.ts'
import { createInviteLinks } from './people/invite-links.ts'
import { createGuildSettings, SETTINGS_TOPIC } from './music/guild-settings.ts'
import { createKnownGuildSettings } from './music/known-guild-settings.ts'
import { createBotRecords } from './projects/bots.ts'
import { createIdempotentRequests, type Sweeping } from './projects/idempotent-requests.ts'
import { createKeys } from './projects/keys.ts'
import { createLibraryRecords } from './music/library.ts'
import { lockDataDir } from './engine/lock.ts'
import { createMemberships } from './people/memberships.ts'
import { explainDatabaseError } from './engine/open.ts'
import type { Store } from './engine/store.ts'
import { claimPath } from './engine/path-claim.ts'
import { createOneTimeRecords } from './people/one-time-records.ts'
import { createSignInTries } from './people/sign-in-tries.ts'
import { createRecoveryCodes } from './people/recovery-codes.ts'
import { createPlayHistory } from './music/play-history.ts'
import { createSourceFailures } from './music/source-failures.ts'
import { createSourceSwitches } from './music/source-switches.ts'
import { createPlayerStates } from './music/players.ts'
import { createPools } from './projects/pools.ts'
import { createProjects } from './projects/projects.ts'
import { createLoggedRequests } from './requests/logged-requests.ts'
import { createSessions } from './people/sessions.ts'
import { createScriptureRecords } from './scripture.ts'
import { createUsageCounter, type UsageCounter } from './projects/usage-counter.ts'
import { openStores, type StorageOptions } from './open-stores.ts'
import { createWebPlayerAccess } from './people/web-player-access.ts'
import { createUsage, type Usage } from './projects/usage.ts'
import { createVault, type Vault } from './engine/vault.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { createSenderLeases } from './webhooks/sender-leases.ts'
import { createWebhooks } from './webhooks/webhooks.ts'
import type { Logger } from '../lib/log.ts'

const SWEEP_EVERY_MS = 3_600_000

/** Settings and collections of Discord members, and where they see them. */
export type MemberStores = ReturnType<typeof membersIn>

/** Accounts with access to the dashboard, and their actions. */
export type PeopleStores = ReturnType<typeof peopleIn>

/** All that the service keeps in DATA_DIR. */
export type Repositories = Awaited<ReturnType<typeof openRepositories>>

interface RepositoryOptions extends StorageOptions {
  /** Seals secrets in the database; null: by a key in a file of the folder. */
  readonly tokenKey: string | null
}

/**
 * Takes the folder for this process, and opens and migrates the database.
 * @throws {Fault} when another service has the folder, or the database cannot be continued.
 */
export async function openRepositories(options: RepositoryOptions, log: Logger) {
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

async function openRecords(options: RepositoryOptions, log: Logger, opening: AsyncDisposableStack) {
  const { dataDir, tokenKey } = options
  const stores = await openStores(options, log, opening)
  const { store, local, storage } = stores
  const vault = createVault({ tokenKey, dataDir })
  const counts = createUsage(store, { reader: stores.reader })
  const counter = opening.adopt(createUsageCounter({ usage: counts, log }), (it) => it.close())
  const usage: Pick<UsageCounter, 'count'> & Pick<Usage, 'summary' | 'totals' | 'refusals' | 'peaks'> = {
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
    /** Deliveries of webhooks, sent and pending. */
    deliveries: createDeliveries(store, Date.now, stores.reader),
    /** Leases that assign each webhook to one service. */
    senderLeases: createSenderLeases(store),
    members: membersIn(store),
    people: peopleIn(store, vault),
    library: createLibraryRecords(local, stores.localReader),
    sourceFailures: createSourceFailures(local),
    sourceSwitches: createSourceSwitches(store),
    scripture: createScriptureRecords(local),
    /** Requests that were answered. */
    requests: createLoggedRequests(store, stores.reader),
  }
  const processId = randomUUID()
  const idempotency = createIdempotentRequests(store, Date.now, processId)
  opening.adopt(sweepHourly(idempotency, log), clearInterval)
  return {
    ...records,
    /** Secrets for addresses of covers. */
    coverSecrets: vault.secretsFor('covers'),
    /** Secrets for confidential input of jobs. */
    jobSecrets: vault.secretsFor('jobs'),
    /** The store of these repositories, for parts that have tables of their own. */
    store,
    /** ID of this process, among those that share the database. */
    processId,
    /** Requests that callers may send twice. */
    idempotency,
    usage,
    /** Whether it can be written. */
    storage,
    /** The thread for queries that read much. */
    reader: stores.localReader,
    /** Whether the database can be read now. */
    isAnswering: () => stores.isAnswering(),
  }
}

/** Keys of requests are rarely looked at after their day, so that looking does not remove them. */
function sweepHourly(swept: Sweeping, log: Logger): NodeJS.Timeout {
  const sweep = () => {
    swept.sweep().catch((err: unknown) => log.warn({ err }, 'removing old idempotency keys failed'))
  }
  return setInterval(sweep, SWEEP_EVERY_MS).unref()
}

function membersIn(store: Store) {
  return {
    settings: createKnownGuildSettings(createGuildSettings(store), (listener) =>
      store.subscribe(SETTINGS_TOPIC, listener),
    ),
    cards: createCardRecords(store),
    collections: createCollections(store),
    history: createPlayHistory(store),
    webPlayer: createWebPlayerAccess(store),
  }
}

function peopleIn(store: Store, vault: Vault) {
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
