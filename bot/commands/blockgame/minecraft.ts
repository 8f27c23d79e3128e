import type { APIEmbed } from 'discord.js'
import { ServerPath, ServerQuery } from '../../../upstream/blockgame/schemas.ts'
import { DEFAULT_PORT, type ServerStatus } from '../../../upstream/blockgame/servers/servers.ts'
import { commandGroup, subcommand } from '../core/command.ts'
import { input, labelOf } from '../core/options.ts'
import { lookupHandler, type Reader } from '../core/lookup.ts'
import { count, description, field, plain, thumbnail, title } from '../core/embed-format.ts'
import { EDITIONS, player } from './player.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const minecraftText = textOf('blockgame', 'minecraft')

const ONLINE = 0x4c9a4a
const OFFLINE = 0x8a8a8a
const LONGEST_SAMPLE = 900
const PNG = 'data:image/png;base64,'
const ICON = 'server.png'

type Words = (typeof minecraftText)['en']['words']

export const minecraft = commandGroup({
  name: 'minecraft',
  labels: labelOf(minecraftText),
  subcommands: {
    player,
    server: subcommand(
      lookupHandler(minecraftText, {
        options: {
          address: input(ServerPath.shape.address, { max: 260 }),
          edition: input(ServerQuery.shape.edition, { names: EDITIONS }),
        },
        find: ({ address, edition }, { blockServers }, projectId) => blockServers.status(address, edition, projectId),
        refuse: ({ badAddress }) => ({ missing: badAddress, invalid: badAddress }),
        draw: drawServer,
        attach: (status) => iconsOf(status).map((data) => ({ name: ICON, data })),
      }),
    ),
  },
})

function drawServer(status: ServerStatus, { words, language }: Reader<Words>): APIEmbed {
  const { host, port, edition, online } = status
  const where = `${host}${port === DEFAULT_PORT[edition] ? '' : `:${port}`}`
  if (!online) return { title: `⚪ ${title(where)}`, description: words.offline, color: OFFLINE }
  const { motd, players, version, latencyMs } = status
  const sample = players?.sample.map(({ name }) => plain(name, 32)).join(', ') ?? ''
  const number = (value: number) => count(language, value)
  return {
    title: `🟢 ${title(where)}`,
    // In a block of its own: spaces count there, and marks do not.
    ...(motd.clean.trim() === '' ? {} : { description: description(block(motd.clean)) }),
    color: ONLINE,
    ...thumbnail(iconsOf(status).length > 0 ? `attachment://${ICON}` : null),
    fields: [
      ...field(`👥 ${words.players}`, players && `**${number(players.online)}** / ${number(players.max)}`),
      ...field(`🧱 ${words.version}`, version && plain(version, 80)),
      ...field(`📶 ${words.latency}`, latencyMs === null ? null : `${number(Math.round(latencyMs))} ms`),
      ...(sample === '' ? [] : [{ name: words.whoPlays, value: sample.slice(0, LONGEST_SAMPLE) }]),
    ],
  }
}

function block(text: string): string {
  const lines = text.split('\n').slice(0, 4)
  return `\`\`\`\n${lines.map((line) => line.trimEnd().replaceAll('```', "'''").slice(0, 200)).join('\n')}\n\`\`\``
}

/** The server's picture, if it has one. */
function iconsOf({ favicon }: ServerStatus): readonly Buffer[] {
  return favicon?.startsWith(PNG) ? [Buffer.from(favicon.slice(PNG.length), 'base64')] : []
}
