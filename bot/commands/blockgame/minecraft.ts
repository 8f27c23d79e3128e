import type { APIEmbed } from 'discord.js'
import type { BlockPlayer } from '../../../upstream/blockgame/players.ts'
import type { ServerStatus } from '../../../upstream/blockgame/servers/servers.ts'
import { commandGroup, subcommand } from '../core/command.ts'
import type { Language } from '../i18n/languages.ts'
import { choice, optional, text } from '../core/options.ts'
import { say, type Reply } from '../core/reply.ts'
import { lookUp } from '../core/lookup.ts'
import { count, description, field, plain, title } from '../core/embed-format.ts'
import { minecraftText } from './minecraft-text.ts'
import { labelOf } from '../i18n/labels.ts'

const ONLINE = 0x4c9a4a
const OFFLINE = 0x8a8a8a
const LONGEST_SAMPLE = 900
const PNG = 'data:image/png;base64,'

export const minecraft = commandGroup({
  name: 'minecraft',
  labels: labelOf(minecraftText),
  subcommands: {
    player: subcommand({
      rule: 'anyone',
      options: { name: text({ max: 40 }) },
      async run({ options: { name }, language }, { utilities }) {
        const words = minecraftText[language].words
        const looking = { missing: words.noPlayer({ name: plain(name, 40) }), invalid: words.badPlayer }
        return say({ embeds: [drawPlayer(await lookUp(utilities.blockPlayers.find(name), looking), language)] })
      },
    }),
    server: subcommand({
      rule: 'anyone',
      options: {
        address: text({ max: 260 }),
        edition: optional(choice(['java', 'bedrock'], { java: 'Java', bedrock: 'Bedrock' })),
      },
      async run({ options: { address, edition }, language, scope }, { utilities }) {
        const { badAddress } = minecraftText[language].words
        const asked = utilities.blockServers.status(address, edition ?? 'java', scope.projectId)
        return drawServer(await lookUp(asked, { missing: badAddress, invalid: badAddress }), language)
      },
    }),
  },
})

function drawPlayer({ id, name, platform, skin, cape, defaultSkin, xuid }: BlockPlayer, language: Language): APIEmbed {
  const words = minecraftText[language].words
  const link = (url: string) => `[${words.picture}](${url})`
  const common =
    defaultSkin === null ? words.noneStored : words.defaultSkin({ name: defaultSkin === 'alex' ? 'Alex' : 'Steve' })
  return {
    title: title(name),
    description: `-# ${platform === 'java' ? 'Java' : 'Bedrock'} · \`${id}\``,
    color: ONLINE,
    fields: [
      ...field(
        `👕 ${words.skin}`,
        skin ? words.ownSkin({ picture: link(skin.url), model: words[skin.model] }) : common,
      ),
      ...field(`🧣 ${words.cape}`, cape && link(cape.url)),
      ...field('XUID', xuid && `\`${xuid}\``),
    ],
  }
}

function drawServer(status: ServerStatus, language: Language): Reply {
  const words = minecraftText[language].words
  const { host, port, edition, online } = status
  const where = `${host}${port === (edition === 'java' ? 25_565 : 19_132) ? '' : `:${port}`}`
  if (!online) return say({ embeds: [{ title: `⚪ ${title(where)}`, description: words.offline, color: OFFLINE }] })
  const { motd, players, version, latencyMs } = status
  const sample = players?.sample.map(({ name }) => plain(name, 32)).join(', ') ?? ''
  const number = (value: number) => count(language, value)
  const icon = iconOf(status.favicon)
  const embed: APIEmbed = {
    title: `🟢 ${title(where)}`,
    // In a block of its own: spaces count there, and marks do not.
    ...(motd.clean.trim() === '' ? {} : { description: description(block(motd.clean)) }),
    color: ONLINE,
    ...(icon ? { thumbnail: { url: 'attachment://server.png' } } : {}),
    fields: [
      ...field(`👥 ${words.players}`, players && `**${number(players.online)}** / ${number(players.max)}`),
      ...field(`🧱 ${words.version}`, version && plain(version, 80)),
      ...field(`📶 ${words.latency}`, latencyMs === null ? null : `${number(Math.round(latencyMs))} ms`),
      ...(sample === '' ? [] : [{ name: words.whoPlays, value: sample.slice(0, LONGEST_SAMPLE) }]),
    ],
  }
  return say({ embeds: [embed], files: icon ? [{ name: 'server.png', data: icon }] : [] })
}

function block(text: string): string {
  const lines = text.split('\n').slice(0, 4)
  return `\`\`\`\n${lines.map((line) => line.trimEnd().replaceAll('```', "'''").slice(0, 200)).join('\n')}\n\`\`\``
}

function iconOf(favicon: string | null): Buffer | null {
  return favicon?.startsWith(PNG) ? Buffer.from(favicon.slice(PNG.length), 'base64') : null
}
