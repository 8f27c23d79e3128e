// Fails when a private word of the past comes back, as a name in the code or too often in prose.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { listFiles, root } from './imports.ts'

/** Names that were replaced, and by what. */
const NAMES: Readonly<Record<string, string>> = {
  askFor: 'rateLimitRequest',
  Conductor: 'PlayerScope',
  createDesk: 'createAdminContext',
  Crew: 'browserPool',
  Deck: 'TrackPlayer',
  Deed: 'Handler or Action',
  Desk: 'a context',
  DISMISSED: 'stopped',
  Ears: 'FrameListeners',
  Elsewhere: 'ClusterRegistry',
  EntryLink: 'InviteLink',
  Errand: 'EncodeQueue',
  Fleet: 'BotManager',
  giveBack: 'release',
  Habits: 'GuildDefaults',
  Icy: 'shoutcast',
  KeyWish: 'CreateKeyInput',
  Knowledge: 'TrackMetadata',
  knowsMore: 'isNewer',
  LONGEST_PAST: 'MAX_HISTORY',
  mostConnections: 'connectionLimit',
  NOBODY: 'noopHooks, or a name that says what it does without',
  Noticeboard: 'ChannelMessages',
  openAdder: 'producer',
  openTaker: 'consumer',
  Outflow: 'FrameSender',
  OutsideWorld: 'HttpClients',
  Painter: 'Rasterizer',
  PlayerCore: 'PlayerState',
  PlayWish: 'PlayRequest',
  Pump: 'PollLoop',
  Roster: 'WorkerRegistry',
  Spool: 'Download',
  steadyNow: 'monotonicNow',
  Timbre: 'FilterGraph',
  TrackMeant: 'TrackSelector',
  Turns: 'OperationQueue',
  unlessAborted: 'abortable',
  UNNEEDED: 'idle',
  Veils: 'OverlayLayers',
  WebhookOffice: 'WebhookService',
  Wish: 'a request',
  withoutSecrets: 'redact',
}

/** Words that hide who acts. A few are fine English. */
const WORDS = /\b(?:nobody|somebody|whoever|anew|unless told)\b/g
const MOST_WORDS = 20
/** The product and its documents; the decisions and the check itself quote old words. */
const PROSE = /^(?!test\/|tools\/bench\/|packages\/sandbox\/|tools\/checks\/|LICENSE|package-lock\.json)/

const faults: string[] = []
for (const file of listFiles('*.ts')) {
  if (file.startsWith('tools/checks/')) continue
  for (const name of new Set(identifiersIn(file))) {
    if (Object.hasOwn(NAMES, name)) faults.push(`${file}: ${name} is now ${NAMES[name]}.`)
  }
}
const prose = listFiles('*.ts', '*.js', '*.mjs', '*.md', '*.sql').filter((file) => PROSE.test(file))
const words = prose.flatMap((file) => [...read(file).matchAll(WORDS)].map(([word]) => `${file}: ${word}`))
if (words.length > MOST_WORDS) faults.push(...words, `Of such words, ${MOST_WORDS} are the most.`)
for (const fault of faults) console.error(fault)
console.log(`${Object.keys(NAMES).length} old names, ${words.length} words of ${MOST_WORDS}, ${faults.length} faults.`)
process.exit(faults.length > 0 ? 1 : 0)

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function identifiersIn(file: string): readonly string[] {
  const found: string[] = []
  new Visitor({ Identifier: ({ name }) => void found.push(name) }).visit(parseSync(file, read(file)).program)
  return found
}
