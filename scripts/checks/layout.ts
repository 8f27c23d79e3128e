// Fails where a file imports what its folder may not, and where imports go in a circle.
import { ENTRIES, importsOf, listFiles, topOf, type Import } from './imports.ts'

interface Folder {
  /** What it may import, as a folder or file; besides itself and lib/, which all may. */
  readonly imports?: readonly string[]
  /** What it may import types of, since objects of them are handed in. */
  readonly types?: readonly string[]
}

/** The table of what a player can do, which every way to it goes by. */
const OPERATIONS = 'bot/player/operations.ts'
const QUEUE_VERSION = 'bot/player/queue/queue-version.ts'

/** Who may do what, by one rule for commands, buttons and pages. */
const PERMISSIONS = 'bot/permissions'

/** Only `service/` and `lavalink/node/` build things. Folders that are not named, as test/, bench/ and scripts/, may import everything. */
const FOLDERS: Readonly<Record<string, Folder>> = {
  'main.ts': { imports: ['config.ts', 'service'] },
  'config.ts': {
    imports: [
      'bot/audio/remote/settings.ts',
      'bot/sources/settings.ts',
      'db/requests/settings.ts',
      'jobs/worker/settings.ts',
      'lavalink/node/settings.ts',
      'upstream/http/settings.ts',
    ],
  },
  lib: {},
  upstream: {},
  db: { types: ['config.ts'] },
  telemetry: { types: ['bot'] },
  bot: { imports: ['upstream'], types: ['db'] },
  jobs: { imports: ['upstream', 'config.ts'] },
  webhooks: { imports: ['db', 'upstream'], types: ['bot'] },
  cluster: { imports: ['db'], types: ['bot'] },
  api: {
    imports: [
      'bot/player/inputs.ts',
      QUEUE_VERSION,
      OPERATIONS,
      PERMISSIONS,
      'bot/player/audio-settings/filter-schema.ts',
      'jobs/images/catalogue.ts',
      // Shapes of answers, from which the types of the look-ups follow too.
      'upstream/blockgame/schemas.ts',
      'upstream/gameplatform/schemas.ts',
      'upstream/holidays/schemas.ts',
    ],
    types: ['bot', 'jobs', 'upstream'],
  },
  dashboard: {
    imports: ['api', 'db', 'upstream', OPERATIONS, PERMISSIONS, QUEUE_VERSION],
    types: ['bot', 'jobs', 'lavalink', 'webhooks'],
  },
  'web-player': {
    imports: [
      'api',
      'dashboard',
      'upstream',
      PERMISSIONS,
      'bot/commands/i18n/languages.ts',
      // What members do there is what their commands do.
      'bot/commands/core/error-message.ts',
      'bot/commands/web/page-actions.ts',
    ],
    types: ['bot', 'db'],
  },
  // A Lavalink node for bots of others: the same audio, none of our bots. The API hands it requests and sockets.
  lavalink: {
    imports: ['api', 'bot', 'upstream', 'config.ts'],
    types: ['db'],
  },
  // The node as a process of its own builds what it needs itself.
  'lavalink/node': { imports: ['api', 'bot', 'config.ts', 'db', 'lavalink', 'telemetry', 'upstream'] },
  service: {
    imports: [
      'api',
      'bot',
      'cluster',
      'config.ts',
      'dashboard',
      'db',
      'jobs',
      'lavalink',
      'sandbox',
      'telemetry',
      'upstream',
      'web-player',
      'webhooks',
      'scripts/demo-tracks.ts',
    ],
  },
  admin: { imports: ['bot', 'cluster', 'config.ts', 'db', 'jobs', 'service/demo.ts', 'upstream'] },
  // Packages of their own.
  sandbox: { imports: ['lib/validation'] },
  conformance: { imports: ['sandbox/certificate.ts', 'sandbox/package.json', 'sandbox/start.ts'] },
  client: { imports: ['scripts/client-document.ts'] },
}

/** Import lib/ only where the table names a part of it. */
const ALONE: ReadonlySet<string> = new Set(['sandbox', 'client', 'conformance'])

/** Libraries that one part of the product knows. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  '@discordjs/voice': ['bot', 'lib'],
  '@koa/router': ['api', 'dashboard', 'lavalink', 'web-player'],
  '@modelcontextprotocol/sdk': ['api'],
  '@opentelemetry/api': ['telemetry'],
  'better-sqlite3': ['db'],
  bull: ['jobs'],
  commander: ['admin'],
  'discord.js': ['bot', 'lib'],
  ioredis: ['admin', 'api', 'cluster', 'jobs'],
  koa: ['api', 'dashboard', 'lavalink', 'service', 'web-player'],
  'koa-body': ['api'],
  'light-my-request': ['api'],
  'play-dl': ['bot'],
  playwright: ['jobs'],
  'prom-client': ['api', 'service', 'telemetry'],
  ws: ['api', 'bot', 'conformance', 'lavalink', 'sandbox'],
  'youtubei.js': ['bot'],
}

/** Packages of their own, which others know by their public entries alone; but for the tests of their parts. */
const PUBLIC = { folder: 'sandbox', tests: 'test/sandbox/' } as const

const files = listFiles('*.ts', '*.js', '*.mjs')
const imports = files.filter((file) => file.endsWith('.ts')).flatMap(importsOf)
const faults = [...imports.flatMap(crossing), ...imports.flatMap(trespassing), ...circles(imports)]
for (const fault of faults) console.error(fault)
console.log(`${imports.length} imports of ${files.length} files, ${faults.length} against the layout.`)
process.exit(faults.length > 0 ? 1 : 0)

function crossing({ from, to, isPackage, isType }: Import): readonly string[] {
  const top = topOf(from)
  const folder = FOLDERS[from.split('/', 2).join('/')] ?? FOLDERS[top]
  if (!folder) return []
  if (isPackage) {
    const owners = LIBRARIES[to]
    return owners && !owners.includes(top) ? [`${from} imports ${to}, which belongs to ${owners.join(' and ')}.`] : []
  }
  const { imports: values = [], types = [] } = folder
  const allowed = [top, ...(ALONE.has(top) ? [] : ['lib']), ...values, ...(isType ? types : [])]
  if (allowed.some((place) => to === place || to.startsWith(`${place}/`))) return []
  return [`${from} imports ${to}: ${top} may not${types.includes(topOf(to)) ? ', but for types' : ''}.`]
}

function trespassing({ from, to, isPackage }: Import): readonly string[] {
  const { folder, tests } = PUBLIC
  if (isPackage || topOf(to) !== folder || topOf(from) === folder || from.startsWith(tests)) return []
  return ENTRIES.has(to) ? [] : [`${from} imports ${to}: import bandstand-sandbox, or what it exports.`]
}

/** Files that import each other in a circle, types included. */
function circles(all: readonly Import[]): readonly string[] {
  const next = Map.groupBy(
    all.filter(({ isPackage }) => !isPackage),
    ({ from }) => from,
  )
  const state = new Map<string, 'open' | 'done'>()
  const path: string[] = []
  const found: string[] = []
  const visit = (file: string): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      const circle = path.slice(path.indexOf(file))
      found.push(`Imports in a circle: ${[...circle, file].join(' → ')}`)
      return
    }
    state.set(file, 'open')
    path.push(file)
    for (const { to } of next.get(file) ?? []) visit(to)
    path.pop()
    state.set(file, 'done')
  }
  for (const file of next.keys()) visit(file)
  return found
}
