// Fails where a file imports what its room may not, and where imports go in a circle.
import { ENTRIES, importsOf, listFiles, topOf, type Import } from './imports.ts'

interface Room {
  /** Folders and files that it may import, besides itself and lib/, which all may. */
  readonly imports?: readonly string[]
  /** Folders and files that it may import types of, since objects of them are handed in. */
  readonly types?: readonly string[]
}

/** The table of what a player can do, which every way to it goes by. */
const OPERATIONS = 'bot/player/operations.ts'
const QUEUE_VERSION = 'bot/player/queue/queue-version.ts'

/** The one rule of permissions for commands, buttons and pages. */
const PERMISSIONS = 'bot/permissions'

/** Each outer room stands above those that it imports. Of those that a file is in, the innermost counts. Only `service/` builds
 * things. Rooms that are not named, as test/ and tools/, may import everything. */
const ROOMS: Readonly<Record<string, Room>> = {
  'main.ts': { imports: ['config.ts', 'service'] },
  'config.ts': {
    imports: [
      'api/lavalink/settings.ts',
      'bot/audio/remote/settings.ts',
      'bot/sources/settings.ts',
      'db/requests/settings.ts',
      'jobs/worker/settings.ts',
      'upstream/http',
    ],
  },
  lib: { types: ['locales'] },
  upstream: {},
  db: {},
  bot: { imports: ['packages/figures', 'upstream'], types: ['db'] },
  jobs: { imports: ['packages/figures', 'packages/images', 'upstream'] },
  'jobs/main.ts': { imports: ['config.ts', 'jobs'] },
  api: {
    imports: [
      'bot/player/inputs.ts',
      QUEUE_VERSION,
      OPERATIONS,
      PERMISSIONS,
      'bot/player/audio-settings/filter-schema.ts',
      'packages/figures',
      'packages/images',
      'web/ui',
      // Inputs and answers of the lookups, from which slash commands and types follow too.
      'upstream/blockgame/schemas.ts',
      'upstream/gameplatform/schemas.ts',
      'upstream/holidays/schemas.ts',
      'upstream/roleplay/schemas.ts',
      'upstream/scripture/schemas.ts',
      'upstream/translation/schemas.ts',
      'upstream/weather/schemas.ts',
    ],
    types: ['bot', 'jobs', 'upstream'],
  },
  // A Lavalink node for bots of others: the same audio, none of our bots. The API hands it requests and sockets.
  'api/lavalink': { imports: ['api', 'bot', 'upstream'], types: ['db'] },
  'api/webhooks': { imports: ['db', 'upstream'], types: ['bot'] },
  // Beneath the API, whose reference has its look.
  'web/ui': {},
  'web/http': { imports: ['api', 'db', 'web/ui'] },
  'web/dashboard': {
    imports: [
      'api',
      'db',
      'upstream',
      'web/http',
      'web/ui',
      OPERATIONS,
      PERMISSIONS,
      QUEUE_VERSION,
      'bot/player/queue/queue-search.ts',
      'bot/player/audio-settings',
    ],
    types: ['bot', 'jobs'],
  },
  'web/player': {
    imports: [
      'api',
      'web/http',
      'web/ui',
      'upstream',
      PERMISSIONS,
      'bot/commands/i18n/languages.ts',
      // Members act on pages as with their commands.
      'bot/commands/core/reply.ts',
      'bot/commands/web/page-actions.ts',
    ],
    types: ['bot', 'db'],
  },
  service: { imports: ['api', 'bot', 'config.ts', 'db', 'jobs', 'packages/sandbox', 'upstream', 'web'] },
  'service/admin': {
    imports: ['bot', 'service/cluster', 'config.ts', 'db', 'jobs', 'service/demo/demo.ts', 'upstream'],
  },
  'service/cluster/forwarding': {
    imports: ['db', 'service/cluster/leases/view.ts', 'service/cluster/signing.ts'],
    types: ['bot'],
  },
  'service/cluster/leases': { imports: ['db', 'service/cluster/signing.ts'], types: ['bot'] },
  // The node as a process of its own builds what it needs itself.
  'service/lavalink-node': { imports: ['api', 'bot', 'config.ts', 'db', 'service/telemetry', 'upstream'] },
  'service/telemetry': { types: ['bot'] },
  // Packages of their own.
  'packages/figures': {},
  'packages/images': { imports: ['lib/buffers.ts', 'lib/random'] },
  'packages/sandbox': { imports: ['lib/validation'] },
  'packages/conformance': {
    imports: ['packages/sandbox/certificate.ts', 'packages/sandbox/package.json', 'packages/sandbox/start.ts'],
  },
  'packages/client': { imports: ['api/docs/client-document.ts'] },
}

/** Import lib/ only where the table names a part of it. */
const ALONE = 'packages/'

/** Libraries that some rooms know alone. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  '@discordjs/voice': ['bot', 'lib/patches'],
  '@koa/router': ['api', 'service/lavalink-node', 'web'],
  '@modelcontextprotocol/sdk': ['api'],
  '@opentelemetry/api': ['service/telemetry'],
  'better-sqlite3': ['db'],
  bull: ['jobs'],
  commander: ['service/admin'],
  'discord.js': ['bot', 'lib/patches'],
  ioredis: ['api', 'jobs', 'service/admin', 'service/cluster'],
  koa: ['api', 'service', 'web'],
  'koa-body': ['api'],
  'light-my-request': ['api'],
  'play-dl': ['bot'],
  playwright: ['jobs'],
  'prom-client': ['api', 'service'],
  ws: ['api', 'bot', 'packages/conformance', 'packages/sandbox'],
  googlevideo: ['bot'],
  'youtubei.js': ['bot'],
}

/** A package that tests and tools know by its public entries alone, too, but for what its own tests share with them. */
const SANDBOX = 'packages/sandbox'

const files = listFiles('*.ts', '*.js', '*.mjs')
const imports = files.filter((file) => file.endsWith('.ts')).flatMap(importsOf)
const faults = [...imports.flatMap(crossing), ...imports.flatMap(trespassing), ...circles(imports)]
for (const fault of faults) console.error(fault)
console.log(`${imports.length} imports of ${files.length} files, ${faults.length} against the layout.`)
process.exit(faults.length > 0 ? 1 : 0)

/** The innermost room of the table that a file is in, but for a package's own tests. */
function roomOf(file: string): string | undefined {
  if (/^packages\/\w+\/test\//.test(file)) return undefined
  return Object.keys(ROOMS)
    .filter((room) => isIn(file, room))
    .toSorted((one, other) => other.length - one.length)[0]
}

function isIn(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`)
}

function crossing({ from, to, isPackage, isType }: Import): readonly string[] {
  const room = roomOf(from)
  if (room === undefined) return []
  if (isPackage) {
    const owners = LIBRARIES[to]
    const isOwned = !owners || owners.some((owner) => isIn(from, owner))
    return isOwned ? [] : [`${from} imports ${to}, which belongs to ${owners.join(' and ')}.`]
  }
  const { imports: values = [], types = [] } = ROOMS[room]!
  const allowed = [room, ...(room.startsWith(ALONE) ? [] : ['lib']), ...values, ...(isType ? types : [])]
  if (allowed.some((place) => isIn(to, place))) return []
  return [`${from} imports ${to}: ${room} may not${types.includes(topOf(to)) ? ', but for types' : ''}.`]
}

/** The product knows packages by their public entries alone. */
function trespassing({ from, to, isPackage }: Import): readonly string[] {
  const [name = ''] = /^packages\/\w+/.exec(to) ?? []
  const isFree = name !== SANDBOX ? roomOf(from) === undefined : isIn(to, `${SANDBOX}/test`)
  if (isPackage || name === '' || isFree || isIn(from, name) || ENTRIES.has(to)) return []
  return [`${from} imports ${to}: import what ${name} exports.`]
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
