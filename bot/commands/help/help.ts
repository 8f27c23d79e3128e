import { decidePermission, type Situation } from '../../permissions/decide.ts'
import type { SourceName } from '../../sources/settings.ts'
import { findPlayer } from '../permissions/rules.ts'
import { COMMAND_NEEDS, type Area, AREA_NAMES } from './areas.ts'
import { ApplicationCommandOptionType as Type, type APIApplicationCommandOption, type APIEmbed } from 'discord.js'
import { bareId } from '../core/custom-id.ts'
import { component, type Component } from '../core/component.ts'
import { command, type Command } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { menuRow, update, replyPrivately, type Content, type Row, Refusal } from '../core/reply.ts'
import { description, matching } from '../core/embed-format.ts'
import { optional, text, labelOf } from '../core/options.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { descriptionIn, nameIn } from '../i18n/localisations.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const helpText = textOf('help', 'help')

const MENU_ID = bareId('help')
const SIGNS: Readonly<Record<Allowance, string>> = { allowed: '✅', vote: '🗳️', refused: '🔒', off: '⛔' }

type Commands = () => Readonly<Record<Area, readonly Command[]>>

/** `/help`: lists all commands, including itself. */
export function createHelp(commands: Commands): { readonly help: Command; readonly helpMenu: Component } {
  const suggest = async (typed: string, { language }: Invocation) =>
    suggestCommands(Object.values(commands()).flat(), typed, language)
  return {
    help: command({
      name: 'help',
      labels: labelOf(helpText),
      rule: 'anyone',
      isPrivate: true,
      options: { command: optional(text({ max: 50, suggest })) },
      async run(invocation, context) {
        const { command: name } = invocation.options
        if (name === null) return replyPrivately(await showArea(commands, invocation, { context, area: AREA_NAMES[0] }))
        return replyPrivately(await showCommand(commands, invocation, context, name))
      },
    }),
    helpMenu: component({
      id: MENU_ID,
      rule: 'anyone',
      async run(invocation, context, { values: [chosen] }) {
        const area = AREA_NAMES.find((name) => name === chosen)
        if (area === undefined) throw new Refusal(invocation.words.refused.tooOld)
        return update(await showArea(commands, invocation, { context, area }))
      },
    }),
  }
}

interface AreaPage {
  readonly context: CommandContext
  readonly area: Area
}

async function showArea(commands: Commands, invocation: Invocation, { context, area }: AreaPage): Promise<Content> {
  const { language } = invocation
  const { words } = helpText[language]
  const decide = await createAllowances(invocation, context)
  const shown = commands()[area].map(({ name, definition }) => ({
    definition,
    allowance: decide(area, name),
  }))
  const lines = shown.map(
    ({ definition, allowance }) =>
      `${SIGNS[allowance]} **/${nameIn(definition, language)}** ${descriptionIn(definition, language)}`,
  )
  const embed: APIEmbed = {
    title: `❓ ${words.areas[area]}`,
    description: description(lines.join('\n')),
    footer: { text: legend(new Set(shown.map(({ allowance }) => allowance)), language) },
  }
  return { embeds: [embed], rows: [drawMenu(area, language)] }
}

/** @throws {Refusal} for a command that there is not. */
async function showCommand(commands: Commands, invocation: Invocation, context: CommandContext, name: string) {
  const { language } = invocation
  const { words } = helpText[language]
  const wanted = name.replace(/^\//u, '').trim().toLowerCase()
  const areas = commands()
  const isWanted = ({ name, definition }: Command) => name === wanted || nameIn(definition, language) === wanted
  const area = AREA_NAMES.find((one) => areas[one].some(isWanted))
  const found = area && areas[area].find(isWanted)
  if (!found) throw new Refusal(words.unknown)
  const decide = await createAllowances(invocation, context)
  const allowance = decide(area, found.name)
  const { definition } = found
  const lines = ('options' in definition ? (definition.options ?? []) : []).map((one) => drawOption(one, language))
  const embed: APIEmbed = {
    title: `❓ /${nameIn(definition, language)}`,
    description: description([descriptionIn(definition, language), '', ...lines].join('\n').trim()),
    footer: { text: `${words.areas[area]} · ${legend(new Set([allowance]), language)}` },
  }
  return { embeds: [embed], rows: [drawMenu(area, language)] }
}

/** An option, or a subcommand with the names of its own. */
function drawOption(option: APIApplicationCommandOption, language: Language): string {
  const name = nameIn(option, language)
  const isSubcommand = option.type === Type.Subcommand
  const inner = isSubcommand ? (option.options ?? []).map((one) => ` \`${nameIn(one, language)}\``).join('') : ''
  const shown = isSubcommand ? `**${name}**${inner}` : `\`${name}\``
  return `${shown} ${descriptionIn(option, language)}`
}

function drawMenu(current: Area, language: Language): Row {
  const { words } = helpText[language]
  const options = AREA_NAMES.map((value) => ({ value, label: words.areas[value], default: value === current }))
  return menuRow(MENU_ID.of(), { options, placeholder: words.choose })
}

function legend(used: ReadonlySet<Allowance>, language: Language): string {
  const { words } = helpText[language]
  const all = Object.keys(SIGNS) as Allowance[]
  return all
    .filter((allowance) => used.has(allowance))
    .map((allowance) => `${SIGNS[allowance]} ${words.allowances[allowance]}`)
    .join(' · ')
}

function suggestCommands(commands: readonly Command[], typed: string, language: Language) {
  const all = commands.map(({ name, definition }) => ({
    name: `/${nameIn(definition, language)}: ${descriptionIn(definition, language)}`,
    value: name,
  }))
  return matching(all, typed.replace(/^\//u, ''))
}

/** Whether a member may use a command where the music plays: at once, by a vote, or not; `off`: no one here. */
type Allowance = 'allowed' | 'vote' | 'refused' | 'off'

/** No one in particular, who listens as well. */
const ANOTHER = ''

/** Commands that at least one of these sources is needed for. */
const SOURCES_FOR: Readonly<Partial<Record<string, readonly SourceName[]>>> = {
  radio: ['radio'],
  podcast: ['podcast'],
  library: ['library', 'subsonic', 'jellyfin'],
}

/** Decides for the commands of one help page, as if the member listened among others. */
async function createAllowances(
  invocation: Invocation,
  context: CommandContext,
): Promise<(area: Area, command: string) => Allowance> {
  const { scope, guildId, member } = invocation
  const settings = await context.settings.get(scope.botId, guildId)
  const situation = await situationOf(invocation, context)
  return (area, command) => {
    if (settings.areasOff.includes(area)) return 'off'
    if (command === 'screenshot' && !settings.screenshots) return 'off'
    const sources = SOURCES_FOR[command]
    if (sources && !sources.some((name) => context.music.sourceNames.includes(name))) return 'off'
    const need = COMMAND_NEEDS.get(command)
    if (need === undefined) return 'allowed'
    if (need === 'manager') return member.isManager ? 'allowed' : 'refused'
    return decidePermission(situation, need).outcome
  }
}

async function situationOf(invocation: Invocation, context: CommandContext): Promise<Situation> {
  const { scope, guildId, member, place } = invocation
  const settings = await context.settings.get(scope.botId, guildId)
  const player = await findPlayer(invocation, context)
  const isThere = player !== null && member.voiceChannelId === player.channelId
  if (!isThere) {
    const others = { listeners: [member.id, ANOTHER], requests: { isPlaying: true, current: null, queue: [null] } }
    return { settings, member: { ...member, voiceChannelId: ANOTHER }, channelId: ANOTHER, ...others }
  }
  const requesters = await context.music.requesters(scope, guildId)
  const requests = { ...requesters, isPlaying: player.current !== null }
  return { settings, member, channelId: player.channelId, listeners: place.listeners(player.channelId), requests }
}
