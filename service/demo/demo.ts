import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { BotRecords } from '../../db/projects/bots.ts'
import { keyDigest, keyState, type Keys } from '../../db/projects/keys.ts'
import type { Projects } from '../../db/projects/projects.ts'
import type { Logger } from '../../lib/log.ts'
import { writePrivateFile } from '../../lib/process/private-files.ts'
import type { SandboxChild, SandboxFacts } from 'bandstand-sandbox'
import { DEMO_TRACKS } from './demo-tracks.ts'

/** Content of DATA_DIR/demo.json: all that a program needs to play something in the sandbox. It has keys in it. */
const Demo = z.object({
  baseUrl: z.string(),
  sandboxUrl: z.string(),
  /** Signs its holder in. */
  dashboardUrl: z.string().default(''),
  projectId: z.string(),
  botId: z.string(),
  guildId: z.string(),
  voiceChannelId: z.string(),
  secondVoiceChannelId: z.string(),
  textChannelId: z.string(),
  keys: z.object({ linked: z.string(), unlinked: z.string() }),
  queries: z.array(z.string()),
})
export type Demo = z.infer<typeof Demo>

const KEY_NAMES = { linked: 'demo, linked to the bot', unlinked: 'demo, without a bot' }

interface DemoStores {
  readonly projects: Projects
  readonly keys: Keys
  readonly bots: BotRecords
}

/** The project, bot and keys of the demo, before the addresses are known. */
export type DemoIdentity = Pick<Demo, 'projectId' | 'botId' | 'keys'>
type DemoAddresses = Pick<Demo, 'baseUrl' | 'sandboxUrl' | 'dashboardUrl'>

export interface PublishOptions {
  readonly dataDir: string
  readonly log: Logger
  /** Whether a person reads standard output. Elsewhere it is a log, which gets no secrets. */
  readonly isTerminal: boolean
}

/** Takes up the demo of an earlier start as far as it is still valid, and makes what is missing. */
export async function ensureDemo(dataDir: string, sandbox: SandboxFacts, stores: DemoStores): Promise<DemoIdentity> {
  const { applicationId: botId, botToken } = sandbox.demo
  const earlier = readDemo(dataDir)
  const owner = (await stores.bots.projectOf(botId)) ?? earlier?.projectId
  const project =
    (owner && (await stores.projects.find(owner))) ||
    (await stores.projects.create({ name: 'Sandbox demo', plan: 'scale' }))
  const isKnown = (await stores.bots.list(project.id)).some(({ id }) => id === botId)
  if (!isKnown || (await stores.bots.token(project.id, botId)) !== botToken) {
    await stores.bots.add({ id: botId, projectId: project.id, name: 'Bandstand', token: botToken, sandbox: true })
  }

  async function key(given: string | undefined, linkedTo: string | null, name: string): Promise<string> {
    const known = given === undefined ? null : await stores.keys.findByDigest(keyDigest(given))
    const isGood =
      known?.projectId === project.id && known.botId === linkedTo && keyState(known, Date.now()) === 'active'
    return given !== undefined && isGood
      ? given
      : (await stores.keys.create({ projectId: project.id, botId: linkedTo, name })).key
  }

  return {
    projectId: project.id,
    botId,
    keys: {
      linked: await key(earlier?.keys.linked, botId, KEY_NAMES.linked),
      unlinked: await key(earlier?.keys.unlinked, null, KEY_NAMES.unlinked),
    },
  }
}

/** Revokes the keys of a demo that was: they have no rights outside the sandbox. The next demo makes others. */
export async function endDemo(dataDir: string, { projects, keys, bots }: DemoStores): Promise<void> {
  const demo = readDemo(dataDir)
  if (!demo || !(await projects.find(demo.projectId))) return
  const written = await Promise.all(Object.values(demo.keys).map((key) => keys.findByDigest(keyDigest(key))))
  const ids = new Set(written.map((key) => key?.id))
  const ofSandbox = (await bots.list(demo.projectId)).filter(({ sandbox }) => sandbox)
  const botIds = new Set(ofSandbox.map((bot) => bot.id))
  const names = new Set(Object.values(KEY_NAMES))
  for (const { id, botId, name, revokedAtMs } of await keys.list(demo.projectId)) {
    // Matched by name too: a key that was rotated is not in the file.
    const isOfDemo = ids.has(id) || botIds.has(botId ?? '') || names.has(name ?? '')
    if (isOfDemo && revokedAtMs === null) await keys.revoke(demo.projectId, id)
  }
}

function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** The demo of the last start; null if there is no readable one. */
export function readDemo(dataDir: string): Demo | null {
  try {
    return Demo.parse(JSON.parse(readFileSync(demoFile(dataDir), 'utf8')))
  } catch {
    return null
  }
}

/** A full disk costs the file alone. */
function writeDemo(
  { dataDir, log }: Omit<PublishOptions, 'isTerminal'>,
  identity: DemoIdentity & DemoAddresses,
  sandbox: SandboxFacts,
): Demo {
  const { guildId, voiceChannelId, secondVoiceChannelId, textChannelId } = sandbox.demo
  const { baseUrl, sandboxUrl, dashboardUrl, projectId, botId, keys } = identity
  const channels = { guildId, voiceChannelId, secondVoiceChannelId, textChannelId }
  const queries = DEMO_TRACKS.map(({ query }) => query)
  const demo = { baseUrl, sandboxUrl, dashboardUrl, projectId, botId, ...channels, keys, queries }
  try {
    writePrivateFile(demoFile(dataDir), `${JSON.stringify(demo, null, 2)}\n`)
  } catch (err) {
    log.warn({ err }, 'demo.json not written')
  }
  return demo
}

/** Writes demo.json and links the sandbox's page to the dashboard. @returns the greeting. */
export function publishDemo(
  options: PublishOptions,
  facts: DemoIdentity & DemoAddresses,
  sandbox: SandboxChild,
): string {
  const { baseUrl, dashboardUrl } = facts
  const dashboard = dashboardUrl === '' ? `${baseUrl}/dashboard` : dashboardUrl
  sandbox.setLinks([
    { name: 'dashboard', url: dashboard },
    { name: 'docs', url: `${baseUrl}/docs` },
    { name: 'connect', url: `${baseUrl}/dashboard/projects/${facts.projectId}/bots/new` },
  ])
  return greet(writeDemo(options, facts, sandbox), options)
}

/** The greeting when the sandbox is ready: first the page with music, then the URLs, and three commands to paste. */
function greet(demo: Demo, { dataDir, isTerminal }: PublishOptions): string {
  const { baseUrl, sandboxUrl, dashboardUrl, guildId, voiceChannelId, keys, queries } = demo
  const file = demoFile(dataDir)
  const guild = `${baseUrl}/v1/music/guilds/${guildId}`
  const auth = isTerminal
    ? `-H 'Authorization: Bearer ${keys.linked}'`
    : `-H "Authorization: Bearer $(node -p "JSON.parse(fs.readFileSync('${file}')).keys.linked")"`
  const [dashboard, key] = isTerminal
    ? [dashboardUrl, keys.linked]
    : [`${baseUrl}/dashboard          sign-in link: dashboardUrl in ${file}`, `keys.linked in ${file}`]
  const wish = JSON.stringify({ query: queries[0], channelId: voiceChannelId })
  const listen = `${sandboxUrl}/sandbox/guilds/${guildId}/channels/${voiceChannelId}/listen.ogg`
  return `
Bandstand is ready. No bot is registered yet, so it runs in the sandbox: a stand-in for Discord on this machine.

  Sandbox    ${sandboxUrl}/sandbox/
             Music in 3 steps: open this page, press "Try /library album Seaside Concert", then press Listen.
  Dashboard  ${dashboard}
  API        ${baseUrl}          reference: ${baseUrl}/docs
  Key        ${key}

Search, play, and show the player from the command line:

curl -s '${baseUrl}/v1/music/search?q=${encodeURIComponent(queries[0] ?? '')}' ${auth}
curl -s -X POST '${guild}/play' ${auth} -H 'Content-Type: application/json' -d '${wish}'
curl -s '${guild}/player' ${auth}

Listen with ffplay, mpv or VLC:

  ${listen}

The dashboard link signs you in. ${file} has all of this. For a real bot: npm run setup. To stop: Ctrl-C.

`
}
