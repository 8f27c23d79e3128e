import { resolve } from 'node:path'
import { z } from 'zod'
import { AUDIO_NODES_ENV } from './bot/audio/remote/settings.ts'
import { LAVALINK_ENV, lavalinkSettings } from './api/lavalink/settings.ts'
import { REQUEST_LOG_ENV, requestLogSettings } from './db/requests/settings.ts'
import { JOB_ENV, jobSettings, requireStoreKeys } from './jobs/worker/settings.ts'
import {
  defaultSources,
  MUSIC_ENV,
  musicSettings,
  requireSourceSettings,
  RETIRED_NAMES,
  retiredSettings,
  SOURCE_NAMES,
} from './bot/sources/settings.ts'
import { FORMER_NAMES, formerSettings, UPSTREAM_ENV } from './upstream/http/addresses.ts'
import { requireKeys, LOOKUP_ENV, lookupSettings, userAgentOf } from './upstream/http/settings.ts'
import { trimTrailing } from './lib/text.ts'
import { readMachine, sizesFor } from './lib/process/machine.ts'
import { nearMisses } from './lib/validation/nearest.ts'
import { hexKey } from './lib/validation/hex-key.ts'
import { issueMessage, unknownItem } from './lib/validation/issue-message.ts'
import { SNOWFLAKE } from './lib/validation/snowflake.ts'

const text = z.string().trim().min(1)
const port = z.coerce.number().int().min(0).max(65_535)
const seconds = z.coerce.number().positive().max(86_400)
const list = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''))

/** Settings that services share beside their database. */
const SHARED_BY_SERVICES = {
  REDIS_URL: 'the Redis that the services share',
  SERVICES_KEY: 'the same on all services (openssl rand -hex 32)',
  TOKEN_KEY: 'the same on all services, since it encrypts what they share (openssl rand -hex 32)',
} as const

/** Two checks of a load balancer that fail, two seconds apart, and some time for the requests before them. */
const CLUSTER_DRAIN_SECONDS = 5

/** Everything the outside may set; `.env.example` explains each. Of process.env others read PATH alone. */
const Env = z
  .object({
    PORT: port.default(8080),
    HOST: text.default('127.0.0.1'),
    BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    SERVICE_URL: z.url({ protocol: /^https?$/ }).optional(),
    DRAIN_SECONDS: z.coerce.number().min(0).max(60).optional(),
    TRUST_PROXY: list.default([]).pipe(
      z.array(
        z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
          error: ({ input }) => `"${String(input)}" isn't an IP address or range.`,
        }),
      ),
    ),
    MCP_ORIGINS: list.default([]).pipe(z.array(z.url({ protocol: /^https?$/ }))),
    CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(500),
    KOA_MIDDLEWARE: text.optional(),
    METRICS_TOKEN: text.min(16, 'Must have at least 16 characters.').optional(),
    DATA_DIR: text.default('./data'),
    ENVIRONMENT: text.default('production'),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    DISCORD_TOKEN: text.optional(),
    DISCORD_API_URL: z.url({ protocol: /^https?$/ }).default('https://discord.com/api'),
    DISCORD_CLIENT_ID: z.string().regex(SNOWFLAKE, 'Must be the ID of your application, 17 to 20 digits.').optional(),
    DISCORD_CLIENT_SECRET: text.optional(),
    WEB_PLAYER: z.enum(['on', 'off']).default('on'),
    ACTIVITY: z.enum(['on', 'off']).default('off'),
    SERVICE_BOTS: list.optional(),
    TOKEN_KEY: hexKey.optional(),
    SANDBOX: z.enum(['auto', 'on', 'off']).default('auto'),
    SANDBOX_PORT: port.default(8090),
    LOUDNESS: z.enum(['on', 'off']).default('on'),
    LOUDNESS_LUFS: z.coerce.number().min(-30).max(-6).default(-14),
    UPLOADS_MIB: z.coerce.number().int().min(0).max(1_048_576).default(1024),
    AUDIO_CACHE_MIB: z.coerce.number().int().min(16).max(1_048_576).default(2048),
    CHILD_SANDBOX: z.enum(['auto', 'off', 'required']).default('auto'),
    AUDIO_THREADS: z.coerce.number().int().min(0).max(16).optional(),
    MUSIC_SOURCES: list
      .pipe(z.array(z.enum(SOURCE_NAMES, { error: unknownItem('source', SOURCE_NAMES) })).min(1))
      .optional(),
    SOURCE_CANARY: z.enum(['on', 'off']).default('on'),
    LIBRARY_DIR: text.optional(),
    PLAYER_IDLE_SECONDS: seconds.default(300),
    PLAYER_ALONE_SECONDS: seconds.default(60),
    EGRESS_ALLOW_HOSTS: list.default([]),
    DATABASE_URL: z
      .url({ protocol: /^postgres(?:ql)?$/, error: 'Must be the URL of a PostgreSQL database, postgres://….' })
      .optional(),
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
    SERVICES_KEY: hexKey.optional(),
    // The packages of OpenTelemetry read these and more directly.
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    OTEL_EXPORTER_OTLP_HEADERS: text.optional(),
    OTEL_SERVICE_NAME: text.optional(),
    OTEL_RESOURCE_ATTRIBUTES: text.optional(),
    OTEL_TRACES_SAMPLER: text.optional(),
    OTEL_TRACES_SAMPLER_ARG: text.optional(),
    OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().min(100).default(60_000),
    ...UPSTREAM_ENV,
    ...LOOKUP_ENV,
    ...MUSIC_ENV,
    ...JOB_ENV,
    ...REQUEST_LOG_ENV,
    ...LAVALINK_ENV,
    ...AUDIO_NODES_ENV,
  })
  .superRefine(requireKeys)
  .superRefine(requireSourceSettings)
  .superRefine(requireStoreKeys)
  .superRefine((env, context) => {
    const hasSignIn = env.DISCORD_CLIENT_ID !== undefined && env.DISCORD_CLIENT_SECRET !== undefined
    if (env.ACTIVITY === 'off' || (hasSignIn && env.WEB_PLAYER === 'on')) return
    const message = 'Needs DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET and WEB_PLAYER=on.'
    context.addIssue({ code: 'custom', path: ['ACTIVITY'], message })
  })
  .superRefine((env, context) => {
    const message = 'Needs REDIS_URL, the Redis that the services share.'
    if (env.SERVICES_KEY && !env.REDIS_URL) context.addIssue({ code: 'custom', path: ['SERVICES_KEY'], message })
  })

const ServiceEnv = Env.superRefine((env, context) => {
  if (!env.DATABASE_URL) return
  for (const [name, what] of Object.entries(SHARED_BY_SERVICES)) {
    if (env[name as keyof typeof SHARED_BY_SERVICES]) continue
    context.addIssue({ code: 'custom', path: ['DATABASE_URL'], message: `Needs ${name}, ${what}.` })
  }
})

/** The names of all variables that mean something to Bandstand. */
export const VARIABLES: readonly string[] = Object.keys(Env.shape).filter((name) => !FORMER_NAMES.has(name))

export type Config = ReturnType<typeof readConfig>

/**
 * The whole configuration, parsed once. Times are milliseconds, paths absolute.
 * @param of what runs by it: an audio node reads keys in the database of services, and has none of their secrets
 * @throws {Error} that names every variable that is wrong, so that one start shows them all.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, of: 'service' | 'node' = 'service') {
  // An empty variable is one that was not set: `.env` files are full of them.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = (of === 'service' ? ServiceEnv : Env).safeParse(given, { error: issueMessage })
  if (!parsed.success) throw new Error(explain(parsed.error))
  const e = parsed.data
  const dataDir = resolve(e.DATA_DIR)
  return {
    api: apiSettings(e),
    metrics: { token: e.METRICS_TOKEN ?? null },
    telemetry: { isOn: e.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined, metricsEveryMs: e.OTEL_METRIC_EXPORT_INTERVAL },
    environment: e.ENVIRONMENT,
    dataDir,
    log: { level: e.LOG_LEVEL },
    formerSettings: formerSettings(given),
    /** Variables that mean nothing, and are nearly called like one that does. */
    misspelled: nearMisses(Object.keys(given), [...VARIABLES, ...FORMER_NAMES, ...RETIRED_NAMES, ...SURROUNDINGS]),
    retired: retiredSettings(given),
    discord: discordSettings(e),
    /** The player for members in the browser, and as an Activity inside Discord. */
    webPlayer: { isOn: e.WEB_PLAYER === 'on', hasActivity: e.ACTIVITY === 'on' },
    tokenKey: e.TOKEN_KEY ?? null,
    sandbox: { mode: e.SANDBOX, port: e.SANDBOX_PORT },
    audio: audioSettings(e, dataDir),
    music: {
      sources: e.MUSIC_SOURCES ?? defaultSources(e),
      /** Sites of music are then asked for bots of Discord, and left alone as long as there are none but the sandbox's. */
      areSourcesDefault: e.MUSIC_SOURCES === undefined,
      /** Whether each source is asked now and then, to know whether it answers. */
      hasCanary: e.SOURCE_CANARY === 'on',
      libraryDir: resolve(e.LIBRARY_DIR ?? `${dataDir}/library`),
      /** Our own tracks for the sandbox; `libraryDir` is the operator's, and nothing is written there. */
      demoDir: `${dataDir}/demo`,
      /** Files that members sent along. */
      uploads: { folder: `${dataDir}/uploads`, maxBytes: e.UPLOADS_MIB * 1024 * 1024 },
      places: musicSettings(e, `${dataDir}/programs`, env['PATH'] ?? ''),
    },
    player: { idleMs: e.PLAYER_IDLE_SECONDS * 1000, aloneMs: e.PLAYER_ALONE_SECONDS * 1000 },
    egress: { allowHosts: e.EGRESS_ALLOW_HOSTS, userAgent: userAgentOf(e) },
    /** PostgreSQL, which several services share; null: SQLite in DATA_DIR. */
    database: { url: e.DATABASE_URL ?? null },
    redis: { url: e.REDIS_URL ?? null, prefix: e.REDIS_PREFIX },
    /** The key that the services of one installation share. */
    servicesKey: e.SERVICES_KEY ?? null,
    utilities: lookupSettings(e),
    jobs: jobSettings(e, dataDir),
    requestLog: requestLogSettings(e),
    lavalink: lavalinkSettings(e),
    /** Secrets that no log line may show. */
    secrets: secretsOf(given, e),
    /** The shell's search path for programs. */
    searchPath: env['PATH'] ?? '',
    /** Variables that a program needs to find others and its files; nothing in it is a secret. */
    surroundings: Object.fromEntries(Object.entries(given).filter(([name]) => SURROUNDINGS.has(name))),
  } as const
}

/** Variables that a renderer may have beside settings. */
export const SURROUNDINGS: ReadonlySet<string> = new Set([
  'PATH',
  'NODE_COMPILE_CACHE',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'XDG_RUNTIME_DIR',
  'FONTCONFIG_PATH',
])

function discordSettings(e: z.output<typeof Env>) {
  return {
    token: e.DISCORD_TOKEN ?? null,
    apiUrl: e.DISCORD_API_URL,
    onlyBots: e.SERVICE_BOTS ?? null,
    /** Signing in to the dashboard with Discord. */
    signIn:
      e.DISCORD_CLIENT_ID && e.DISCORD_CLIENT_SECRET
        ? { clientId: e.DISCORD_CLIENT_ID, clientSecret: e.DISCORD_CLIENT_SECRET }
        : null,
  } as const
}

function audioSettings(e: z.output<typeof Env>, dataDir: string) {
  const cache = { folder: `${dataDir}/tracks`, maxBytes: e.AUDIO_CACHE_MIB * 1024 * 1024 }
  return {
    threads: e.AUDIO_THREADS ?? sizesFor(readMachine()).audioThreads,
    childSandbox: e.CHILD_SANDBOX,
    isLevelled: e.LOUDNESS === 'on',
    /** On other machines, and where they fetch files of this one; null: where they see it. */
    remote: { nodes: e.AUDIO_NODES, filesUrl: e.AUDIO_FILES_URL ?? null },
    sound: { targetLufs: e.LOUDNESS_LUFS, cache },
  } as const
}

/** Shorter ones would be found everywhere. */
const SHORTEST_SECRET = 8

function secretsOf(given: Readonly<Record<string, string | undefined>>, e: z.output<typeof Env>): readonly string[] {
  const whole = Object.entries(given).flatMap(([name, value]) => (isSecret(name, value) ? [value] : []))
  const nodes = e.AUDIO_NODES.map(({ password }) => password)
  const inUrls = [e.DATABASE_URL, e.REDIS_URL].flatMap(passwordsOf).filter(isLong)
  return [...whole, ...e.LAVALINK_KEYS.map(({ secret }) => secret), ...nodes, ...inUrls]
}

/** Returns the password as written, and decoded. */
function passwordsOf(url: string | undefined): readonly string[] {
  const password = url === undefined ? '' : new URL(url).password
  return [password, decodeURIComponent(password)]
}

function isLong(secret: string): boolean {
  return secret.length >= SHORTEST_SECRET
}

function isSecret(name: string, value: string | undefined): value is string {
  const isOurs = name in Env.shape && /TOKEN|KEY|SECRET|PASSWORD|HEADERS/.test(name)
  return isOurs && value !== undefined && isLong(value)
}

/** `baseUrl` is null until the port is known when neither is set. */
function apiSettings(e: z.output<typeof Env>) {
  return {
    host: e.HOST,
    port: e.PORT,
    baseUrl: e.BASE_URL === undefined ? null : trimTrailing(e.BASE_URL, '/'),
    /** Address at which the other services of the installation reach this one; null: the one it listens on. */
    serviceUrl: e.SERVICE_URL === undefined ? null : new URL(e.SERVICE_URL).origin,
    /** Time for which requests are still served after `/readyz` said that they should go elsewhere. */
    drainMs: 1000 * (e.DRAIN_SECONDS ?? (e.DATABASE_URL === undefined ? 0 : CLUSTER_DRAIN_SECONDS)),
    trustedProxies: e.TRUST_PROXY.map(asRange),
    mcpOrigins: e.MCP_ORIGINS,
    connectionsPerAddress: e.CONNECTIONS_PER_ADDRESS,
    middlewarePath: e.KOA_MIDDLEWARE ?? null,
    /** Parts of callers' addresses that the request log keeps. */
    keptAddresses: e.REQUEST_LOG_ADDRESSES,
  }
}

/** A single address is a range of one. */
function asRange(address: string): string {
  if (address.includes('/')) return address
  return address.includes(':') ? `${address}/128` : `${address}/32`
}

function explain(error: z.ZodError): string {
  const lines = error.issues.map(({ path: [name, at], message }) => {
    // A message that quotes the item needs no position.
    const place = typeof at !== 'number' || message.includes('"') ? '' : ` (item ${at + 1})`
    return `  ${String(name)}${place}: ${message}`
  })
  return `The configuration isn't valid. See .env.example for each variable.\n${lines.join('\n')}`
}
