import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { MUSIC_ENV } from '../../bot/sources/settings.ts'
import { readConfig, SURROUNDINGS, type Config } from '../../config.ts'
import { UPSTREAM_ENV } from '../../upstream/http/addresses.ts'
import { LAVALINK_ENV } from '../../api/lavalink/settings.ts'

/** Variables that the node reads from the environment and from `.env`, which may hold the service's secrets as well. */
const VARIABLES: readonly string[] = [
  ...Object.keys(LAVALINK_ENV),
  ...Object.keys(MUSIC_ENV),
  ...Object.keys(UPSTREAM_ENV),
  'HOST',
  'TRUST_PROXY',
  'CONNECTIONS_PER_ADDRESS',
  'METRICS_TOKEN',
  'DATA_DIR',
  'LOG_LEVEL',
  'MUSIC_SOURCES',
  'SOURCE_CANARY',
  'LIBRARY_DIR',
  'LOUDNESS_LUFS',
  'AUDIO_CACHE_MIB',
  'AUDIO_THREADS',
  'CHILD_SANDBOX',
  'EGRESS_ALLOW_HOSTS',
  'UPSTREAM_CONTACT',
  'UPSTREAM_USER_AGENT',
  'UPSTREAM_TIMEOUT_MS',
  'UPSTREAM_RETRIES',
  'UPSTREAM_CACHE_MAX_ENTRIES',
  'HTTPS_PROXY',
  'ENVIRONMENT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_METRIC_EXPORT_INTERVAL',
  ...SURROUNDINGS,
]

const NO_KEYS = `Set at least one key for the clients of this node:
  LAVALINK_PASSWORD=…            one password for all of them
  LAVALINK_KEYS=name:secret,…    several, each with sessions and players of its own
  LAVALINK_SERVICE_KEYS=on       the API keys of the services of DATABASE_URL, or of the one in DATA_DIR
  AUDIO_NODE_PASSWORD=…          services of Bandstand that run their players here
\`openssl rand -hex 24\` makes a good one; .env.example explains the settings.`

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings of the node, from the environment, and what that leaves out from `.env`.
 * @throws {Error} that names every variable that is wrong, or says which keys can be set where there are none.
 */
export function readEnvironment(environment: Environment): Config {
  const all = { ...readFile(), ...environment }
  const given = Object.fromEntries(VARIABLES.map((name) => [name, all[name]]))
  // Hosts of containers set PORT; in the file it is the service's.
  const own = { ...given, LAVALINK_PORT: all['LAVALINK_PORT'] || environment['PORT'] }
  // Only a node that looks up their keys has to know where services keep them.
  const keys = all['LAVALINK_SERVICE_KEYS'] === 'on' ? { DATABASE_URL: all['DATABASE_URL'] } : {}
  const config = readConfig({ ...own, ...keys }, 'node')
  if (config.lavalink.keys.length === 0 && !config.lavalink.takesServiceKeys) throw new Error(NO_KEYS)
  return config
}

/** Reads from `.env` the variables that the packages of OpenTelemetry expect in the environment itself. */
export function readTelemetryVariables(): Environment {
  return Object.fromEntries(Object.entries(readFile()).filter(([name]) => name.startsWith('OTEL_')))
}

/** Empty if there is no file, or it is hidden from the node, as its systemd unit does. */
function readFile(): Environment {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch {
    return {}
  }
}
