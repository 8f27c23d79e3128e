import { ChannelType } from 'discord.js'
import type { SettingsChange } from '../../../db/music/guild-settings.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { commandGroup, subcommand, type Command } from '../core/command.ts'
import { SEGMENT_CATEGORIES } from '../../../lib/music/segment-categories.ts'
import { eachLanguage, isLanguage, LANGUAGES, nameOf, pick, type Localised } from '../../../lib/texts/languages.ts'
import {
  channel,
  choice,
  flag,
  optional,
  role,
  whole,
  type Options,
  type Values,
  labelOf,
  withOptions,
  type Label,
} from '../core/options.ts'
import { Refusal, replyPrivately, type Reply } from '../core/reply.ts'
import { SWITCHABLE_AREAS } from '../help/areas.ts'
import { drawSettingsMenu } from './panel.ts'
import { permissions } from './permissions.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const helpText = textOf('help', 'help')

/** Languages by their own names. */
const NAMES = eachLanguage(nameOf)

/** The labels of the command, with names that have texts of their own. */
function labels(): Localised<Label> {
  const permission = textOf('permissions', 'permission')
  const ofPermissions = labelOf(textOf('settings', 'permissions'))
  const actions = pick(permission, ({ names }) => names)
  const rules = pick(permission, ({ rules: all }) => all)
  const permissionsLabel = withOptions(withOptions(ofPermissions, actions, ['action']), rules, ['who'])
  const segments = pick(textOf('settings', 'segment'), ({ names }) => names)
  const areas = pick(helpText, ({ words }) => words.areas)
  const own = withOptions(labelOf(textOf('settings', 'settings')), segments, ['sponsorblock', 'category'])
  const all = withOptions(own, areas, ['commands', 'area'])
  return withOptions(
    all,
    pick(permissionsLabel, (label) => ({ permissions: label })),
  )
}

/** A subcommand that changes one setting and shows all of them. */
function setting<O extends Options>(
  options: O,
  toChange: (values: Values<O>, invocation: Invocation) => SettingsChange,
) {
  return subcommand({
    rule: 'manager',
    isPrivate: true,
    options,
    async run(invocation, context) {
      const { scope, guildId } = invocation
      await context.settings.change(scope.botId, guildId, toChange(invocation.options, invocation))
      context.settingsChanged(guildId)
      return showSettings(invocation, context, invocation.words.settings.saved)
    },
  })
}

const show = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: {},
  run: async (invocation, context) => showSettings(invocation, context, ''),
})

const reset = subcommand({
  rule: 'manager',
  isPrivate: true,
  options: {},
  async run(invocation, context) {
    await context.settings.reset(invocation.scope.botId, invocation.guildId)
    context.settingsChanged(invocation.guildId)
    return showSettings(invocation, context, invocation.words.settings.reset)
  },
})

export const settings: Command = commandGroup({
  name: 'settings',
  labels: labels(),
  subcommands: {
    show,
    permissions,
    dj: setting({ role: optional(role()) }, ({ role: djRoleId }) => ({ djRoleId })),
    votes: setting({ percent: whole({ min: 0, max: 100 }) }, ({ percent }) => ({ voteRatio: percent / 100 })),
    stay: setting({ on: flag() }, ({ on }) => ({ stays: on })),
    volume: setting({ percent: whole({ min: 0, max: 200 }) }, ({ percent }) => ({ volume: percent })),
    announce: setting({ channel: optional(channel([ChannelType.GuildText])) }, ({ channel: channelId }, invocation) => {
      if (channelId !== null && !invocation.place.mayPost(channelId)) {
        throw new Refusal(invocation.words.refused.notAnAnnounceChannel)
      }
      return { announceChannelId: channelId }
    }),
    language: setting({ language: optional(choice(LANGUAGES, NAMES)) }, ({ language }) => ({ language })),
    duplicates: setting({ on: flag() }, ({ on }) => ({ duplicates: on })),
    fair: setting({ on: flag() }, ({ on }) => ({ fair: on })),
    limit: setting({ tracks: optional(whole({ min: 1, max: 5000 })) }, ({ tracks }) => ({ mostPerMember: tracks })),
    loudness: setting({ on: flag() }, ({ on }) => ({ levelled: on })),
    screenshots: setting({ on: flag() }, ({ on }) => ({ screenshots: on })),
    commands: setting({ area: choice(['all', ...SWITCHABLE_AREAS]), on: flag() }, ({ area, on }) => {
      const changed: readonly string[] = area === 'all' ? SWITCHABLE_AREAS : [area]
      return ({ areasOff }) => ({
        areasOff: SWITCHABLE_AREAS.filter((one) => (changed.includes(one) ? !on : areasOff.includes(one))),
      })
    }),
    autoplay: setting({ on: flag() }, ({ on }) => ({ autoplay: on })),
    sponsorblock: setting({ category: choice(['all', ...SEGMENT_CATEGORIES]), on: flag() }, ({ category, on }) => {
      const changed = category === 'all' ? SEGMENT_CATEGORIES : [category]
      return ({ sponsorBlock }) => ({
        sponsorBlock: SEGMENT_CATEGORIES.filter((one) => (changed.includes(one) ? on : sponsorBlock.includes(one))),
      })
    }),
    crossfade: setting({ seconds: whole({ min: 0, max: 12 }) }, ({ seconds }) => ({ crossfadeMs: seconds * 1000 })),
    fade: setting({ milliseconds: whole({ min: 0, max: 1000 }) }, ({ milliseconds }) => ({ fadeMs: milliseconds })),
    reset,
  },
})

async function showSettings(invocation: Invocation, context: CommandContext, text: string): Promise<Reply> {
  const { scope, guildId, language, member } = invocation
  const { settings: words, segments, percent } = invocation.words
  const now = await context.settings.get(scope.botId, guildId)
  const { areas } = helpText[language].words
  const areasOn = SWITCHABLE_AREAS.filter((area) => !now.areasOff.includes(area))
  const onOff = (isOn: boolean): string => (isOn ? words.on : words.off)
  const lines = [
    [words.dj, now.djRoleId === null ? words.managersOnly : `<@&${now.djRoleId}>`],
    [words.votes, percent({ value: Math.round(now.voteRatio * 100) })],
    [words.stay, onOff(now.stays)],
    [words.volume, percent({ value: now.volume })],
    [words.announce, now.announceChannelId === null ? words.whereAsked : `<#${now.announceChannelId}>`],
    [words.language, isLanguage(now.language) ? NAMES[now.language] : words.ownLanguage],
    [words.duplicates, onOff(now.duplicates)],
    [words.fair, onOff(now.fair)],
    [words.loudness, now.levelled === null ? words.asConfigured : onOff(now.levelled)],
    [words.screenshots, onOff(now.screenshots)],
    [words.commands, areasOn.map((area) => areas[area]).join(', ') || words.off],
    [words.autoplay, onOff(now.autoplay)],
    [words.sponsorBlock, now.sponsorBlock.map((one) => segments.names[one]).join(', ') || words.off],
    [words.crossfade, now.crossfadeMs === 0 ? words.off : `${now.crossfadeMs / 1000} s`],
    [words.fade, now.fadeMs === 0 ? words.off : `${now.fadeMs} ms`],
    [words.limit, now.mostPerMember === null ? words.unlimited : String(now.mostPerMember)],
  ]
  const description = lines.map(([name, value]) => `**${name}:** ${value}`).join('\n')
  const rows = member.isManager ? [drawSettingsMenu(settings, invocation)] : []
  return replyPrivately({ text, embeds: [{ title: `⚙️ ${words.title}`, description }], rows })
}
