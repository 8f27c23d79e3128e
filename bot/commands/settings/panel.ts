import {
  ApplicationCommandOptionType as Type,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
  type APIApplicationCommandBasicOption as Definition,
  type APIApplicationCommandSubcommandOption as Setting,
} from 'discord.js'
import { z } from 'zod'
import { cut } from '../core/autocomplete.ts'
import type { Command } from '../core/command.ts'
import { bareId, customId } from '../core/custom-id.ts'
import { component, type Component } from '../core/component.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { menuRow, row, type Reply, type Row, Refusal } from '../core/reply.ts'
import { capitalised } from '../core/embed-format.ts'
import { descriptionIn, nameIn } from '../i18n/localisations.ts'

const MENU_ID = bareId('settings')
/** A setting with the values of its first options. */
const about = z.tuple([z.string()], z.string())
const SET_ID = customId('set', about)
/** The same, before the chosen or written value of the next option. */
const PICK_ID = customId('pick', about)

const FIELD = 'value'
/** Limits of Discord's forms and menus. */
const LONGEST_LABEL = 45
const LONGEST_OPTION = 100

export function drawSettingsMenu({ definition }: Command, { language, words }: Invocation): Row {
  const options = settingsIn(definition)
    .filter((one) => one.options?.length)
    .map((one) => ({ value: one.name, label: cut(descriptionIn(one, language), LONGEST_OPTION) }))
  return menuRow(MENU_ID.of(), { options, placeholder: words.settings.change })
}

/** Changes the settings by menus, buttons and forms: one after the other for the options of the setting's subcommand. */
export function createSettingsPanel(settings: Command): readonly Component[] {
  const settingsMenu = (invocation: Invocation) => drawSettingsMenu(settings, invocation)

  async function next(invocation: Invocation, context: CommandContext, [name = '', ...given]: readonly string[]) {
    const setting = settingsIn(settings.definition).find((one) => one.name === name)
    const [action, show] = [settings.find(name), settings.find('show')]
    if (!setting || !action || !show) throw new Refusal(invocation.words.refused.tooOld)
    const { options = [] } = setting
    const missing = options[given.length]
    if (!missing) {
      const values = options.map((option, index) => [option.name, read(option, given[index] ?? '', invocation)])
      return asUpdate(await action.runWith(Object.fromEntries(values), invocation, context), settingsMenu(invocation))
    }
    if (missing.type === Type.Integer) return drawForm(setting, missing, { invocation, given })
    const control = drawControl(setting, missing, { invocation, given })
    return asUpdate(await show.runWith({}, invocation, context), settingsMenu(invocation), control)
  }

  const menu = component({
    id: MENU_ID,
    rule: 'manager',
    run: (invocation, context, { values }) => next(invocation, context, values),
  })
  const set = component({
    id: SET_ID,
    rule: 'manager',
    run: (invocation, context) => next(invocation, context, invocation.options),
  })
  const pick = component({
    id: PICK_ID,
    rule: 'manager',
    run: (invocation, context, { values, fields }) =>
      next(invocation, context, [...invocation.options, fields.get(FIELD)?.trim() ?? values[0] ?? '']),
  })
  return [menu, set, pick]
}

interface Step {
  readonly invocation: Invocation
  /** Values of the options before. */
  readonly given: readonly string[]
}

function drawControl({ name }: Setting, option: Definition, { invocation, given }: Step): Row {
  const { language, words } = invocation
  const custom_id = PICK_ID.of(name, ...given)
  const least = {
    custom_id,
    min_values: option.required ? 1 : 0,
    placeholder: cut(descriptionIn(option, language), 100),
  }
  if (option.type === Type.Role) return row({ type: ComponentType.RoleSelect, ...least })
  if (option.type === Type.Channel) {
    return row({ type: ComponentType.ChannelSelect, ...least, channel_types: [...(option.channel_types ?? [])] })
  }
  if (option.type === Type.Boolean) {
    const button = { type: ComponentType.Button as const, style: ButtonStyle.Secondary as const }
    const { on, off } = words.settings
    return row(
      { ...button, label: capitalised(on, language), custom_id: SET_ID.of(name, ...given, 'true') },
      { ...button, label: capitalised(off, language), custom_id: SET_ID.of(name, ...given, 'false') },
    )
  }
  const choices = choicesOf(option).map((one) => ({ label: nameIn(one, language), value: one.value }))
  return row({ type: ComponentType.StringSelect, ...least, options: choices })
}

function drawForm(setting: Setting, option: Definition & { type: Type.Integer }, { invocation, given }: Step): Reply {
  const { language } = invocation
  const { min_value: min = 0, max_value: max = 0, required = false } = option
  const input = { type: ComponentType.TextInput as const, custom_id: FIELD, style: TextInputStyle.Short as const }
  return {
    as: 'form',
    form: {
      custom_id: PICK_ID.of(setting.name, ...given),
      title: cut(descriptionIn(setting, language), LONGEST_LABEL),
      components: [
        {
          type: ComponentType.Label,
          label: cut(descriptionIn(option, language), LONGEST_LABEL),
          component: { ...input, required, max_length: String(max).length, placeholder: `${min}–${max}` },
        },
      ],
    },
  }
}

/** The value of an option, which is a choice or was typed. @throws {Refusal} */
function read(option: Definition, value: string, { words }: Invocation): unknown {
  if (option.type === Type.Boolean) return value === 'true'
  if (value === '' && !option.required) return null
  if (option.type === Type.Integer) {
    const { min_value: min = 0, max_value: max = Infinity } = option
    const number = /^\d+$/.test(value) ? Number(value) : NaN
    if (number >= min && number <= max) return number
    throw new Refusal(words.failed.invalid)
  }
  const choices = choicesOf(option)
  if (choices.length > 0 && !choices.some((one) => one.value === value)) throw new Refusal(words.refused.tooOld)
  return value
}

function settingsIn({ options = [] }: Command['definition']): readonly Setting[] {
  return options.filter((one) => one.type === Type.Subcommand)
}

function choicesOf(option: Definition) {
  return option.type === Type.String && 'choices' in option ? (option.choices ?? []) : []
}

/** The answer in place of the panel's message. */
function asUpdate(reply: Reply, ...rows: readonly Row[]): Reply {
  return reply.as === 'message' ? { ...reply, as: 'update', rows } : reply
}
