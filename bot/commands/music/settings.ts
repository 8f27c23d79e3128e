import { ChannelType } from 'discord.js'
import type { GuildSettings } from '../../../db/music/guild-settings.ts'
import type { Call } from '../core/invocation.ts'
import { commandGroup, deed } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { isLanguage, LANGUAGES, type Language } from '../i18n/languages.ts'
import { channel, choice, flag, optional, role, whole, type Options, type Values } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { whisper } from '../core/reply.ts'
import type { CommandContext } from '../core/command-context.ts'

/** Languages by their own names. */
const NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  'es-ES': 'Español',
  'pt-BR': 'Português',
  ja: '日本語',
}

/** A subcommand that changes one setting and shows all of them. */
function setting<O extends Options>(
  options: O,
  toChange: (values: Values<O>, call: Call, tools: CommandContext) => Partial<GuildSettings>,
) {
  return deed({
    rule: 'manager',
    isPrivate: true,
    options,
    async run(call, tools) {
      const { who, guildId } = call
      tools.settings.change(who.botId, guildId, toChange(call.options, call, tools))
      tools.settingsChanged(guildId)
      return showSettings(call, tools, call.words.settings.saved)
    },
  })
}

const show = deed({
  rule: 'anyone',
  isPrivate: true,
  options: {},
  run: async (call, tools) => showSettings(call, tools, ''),
})

const reset = deed({
  rule: 'manager',
  isPrivate: true,
  options: {},
  async run(call, tools) {
    tools.settings.reset(call.who.botId, call.guildId)
    tools.settingsChanged(call.guildId)
    return showSettings(call, tools, call.words.settings.reset)
  },
})

export const settings = commandGroup({
  name: 'settings',
  labels: labelsOf('settings'),
  subcommands: {
    show,
    dj: setting({ role: optional(role()) }, ({ role: djRoleId }) => ({ djRoleId })),
    votes: setting({ percent: whole({ min: 0, max: 100 }) }, ({ percent }) => ({ voteRatio: percent / 100 })),
    stay: setting({ on: flag() }, ({ on }) => ({ stays: on })),
    volume: setting({ percent: whole({ min: 0, max: 200 }) }, ({ percent }) => ({ volume: percent })),
    announce: setting({ channel: optional(channel([ChannelType.GuildText])) }, ({ channel: channelId }, call) => {
      if (channelId !== null && !call.place.mayPost(channelId)) {
        throw new Refusal(call.words.refused.notAnAnnounceChannel)
      }
      return { announceChannelId: channelId }
    }),
    language: setting({ language: optional(choice(LANGUAGES, NAMES)) }, ({ language }) => ({ language })),
    duplicates: setting({ on: flag() }, ({ on }) => ({ duplicates: on })),
    fair: setting({ on: flag() }, ({ on }) => ({ fair: on })),
    limit: setting({ tracks: optional(whole({ min: 1, max: 5000 })) }, ({ tracks }) => ({ mostPerMember: tracks })),
    loudness: setting({ on: flag() }, ({ on }) => ({ levelled: on })),
    screenshots: setting({ on: flag() }, ({ on }) => ({ screenshots: on })),
    reset,
  },
})

function showSettings({ who, guildId, words: { settings: words } }: Call, tools: CommandContext, text: string) {
  const now = tools.settings.get(who.botId, guildId)
  const onOff = (isOn: boolean): string => (isOn ? words.on : words.off)
  const lines = [
    [words.dj, now.djRoleId === null ? words.everyone : `<@&${now.djRoleId}>`],
    [words.votes, `${Math.round(now.voteRatio * 100)} %`],
    [words.stay, onOff(now.stays)],
    [words.volume, `${now.volume} %`],
    [words.announce, now.announceChannelId === null ? words.whereAsked : `<#${now.announceChannelId}>`],
    [words.language, isLanguage(now.language) ? NAMES[now.language] : words.ownLanguage],
    [words.duplicates, onOff(now.duplicates)],
    [words.fair, onOff(now.fair)],
    [words.loudness, now.levelled === null ? words.asConfigured : onOff(now.levelled)],
    [words.screenshots, onOff(now.screenshots)],
    [words.limit, now.mostPerMember === null ? words.unlimited : String(now.mostPerMember)],
  ]
  const description = lines.map(([name, value]) => `**${name}:** ${value}`).join('\n')
  return whisper({ text, embeds: [{ title: `⚙️ ${words.title}`, description }] })
}
