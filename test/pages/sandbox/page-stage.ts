import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Events,
  ModalBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  type ChatInputCommandInteraction,
  type Client,
  type Interaction,
} from 'discord.js'
import type { Browser, Locator, Page } from 'playwright'
import type { Sandbox } from 'bandstand-sandbox'
import { launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { createCaller, logIn, openSandbox, type Rest } from '../../../packages/sandbox/test/stage.ts'

export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }
/** Timeout on a machine that is busy with other tests. */
const PATIENCE_MS = 90_000

const COMMANDS = [
  new SlashCommandBuilder()
    .setName('play')
    .setNameLocalizations({ de: 'spielen' })
    .setDescription('Play a track')
    .setDescriptionLocalizations({ de: 'Spielt einen Titel' })
    .addStringOption((o) => o.setName('query').setDescription('What').setRequired(true).setAutocomplete(true))
    .addStringOption((o) =>
      o
        .setName('when')
        .setDescription('Now or later')
        .addChoices({ name: 'Right now', value: 'now' }, { name: 'After what waits', value: 'last' }),
    )
    .addUserOption((o) => o.setName('for').setDescription('For whom')),
  new SlashCommandBuilder().setName('form').setDescription('Something to fill in'),
  new SlashCommandBuilder().setName('parts').setDescription('Something to press'),
  new SlashCommandBuilder().setName('secret').setDescription('For one member alone'),
]

const HANDLERS: Record<string, (i: ChatInputCommandInteraction<'cached'>) => Promise<unknown>> = {
  async play(i) {
    await i.deferReply()
    const { value } = i.options.get('when') ?? { value: 'any time' }
    await i.editReply(`${i.options.getString('query')} ${value} for ${i.options.getUser('for')?.username ?? 'all'}`)
  },
  form: (i) =>
    i.showModal(
      new ModalBuilder()
        .setCustomId('ask')
        .setTitle('A question')
        .addComponents(
          new ActionRowBuilder<TextInputBuilder>().addComponents(
            new TextInputBuilder().setCustomId('why').setLabel('Why').setStyle(1),
          ),
        ),
    ),
  parts: (i) =>
    i.reply({
      content: '**press** <b>me</b>',
      components: [
        new ActionRowBuilder<ButtonBuilder>().addComponents(
          new ButtonBuilder().setCustomId('go').setLabel('Go').setStyle(ButtonStyle.Primary),
        ),
        new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
          new StringSelectMenuBuilder()
            .setCustomId('pick')
            .setPlaceholder('Pick a number')
            .addOptions({ label: 'One', value: '1' }, { label: 'Two', value: '2', description: 'twice' }),
        ),
      ],
    }),
  secret: (i) => i.reply({ content: 'psst', flags: 64 }),
}

async function onInteraction(i: Interaction): Promise<void> {
  if (!i.inCachedGuild()) return
  if (i.isChatInputCommand()) await HANDLERS[i.commandName]?.(i)
  else if (i.isAutocomplete()) await i.respond([{ name: `${i.options.getFocused()}, the song`, value: 'the song' }])
  else if (i.isButton()) await i.reply('pressed')
  else if (i.isStringSelectMenu()) await i.reply(`picked ${i.values.join()}`)
  else if (i.isModalSubmit()) await i.reply(`because ${i.fields.getTextInputValue('why')}`)
}

/** A sandbox with a bot in it, and a browser. */
export interface PageStage {
  readonly sandbox: Sandbox
  readonly browser: Browser
  /** Calls the controls. */
  readonly call: Rest
  /** Opens the page, and waits until it knows everything. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Tab>
  logOut(): Promise<void>
  logIn(): Promise<void>
  close(): Promise<void>
}

export async function openPageStage(): Promise<PageStage> {
  const sandbox = await openSandbox()
  // Tests check the answers, not the speed of a busy machine.
  sandbox.world.rules.interactionMs = PATIENCE_MS
  let client: Client<true> | null = null
  const browser = await launchBrowser()
  const stage: PageStage = {
    sandbox,
    browser,
    call: createCaller(`${sandbox.url}/sandbox`),
    async open(options = {}) {
      const tab = await openTab(browser, { viewport: WIDE, locale: 'en-GB', ...options })
      tab.page.setDefaultTimeout(PATIENCE_MS)
      await tab.page.goto(`${sandbox.url}/sandbox/`)
      await loaded(tab.page)
      return tab
    },
    async logIn() {
      client = await logIn(sandbox)
      client.on(Events.InteractionCreate, (i) => void onInteraction(i))
      await client.application.commands.set(COMMANDS)
    },
    async logOut() {
      await client?.destroy()
      client = null
    },
    async close() {
      await browser.close()
      await stage.logOut()
      await sandbox.close()
    },
  }
  await stage.logIn()
  return stage
}

export async function loaded(page: Page): Promise<void> {
  await page.locator('#log[data-loaded=true]').waitFor()
  await page.locator('.try, .chips').first().waitFor()
}

/** The message box, without the command that the first step fills in. */
export async function messageBox(page: Page): Promise<Locator> {
  const input = page.locator('#composer-input')
  if (!(await input.isVisible())) await page.locator('.command-line input').last().press('Escape')
  return input
}

/** Types a command without options, and sends it. */
export async function useCommand(page: Page, name: string): Promise<void> {
  await (await messageBox(page)).fill(`/${name}`)
  await page.getByRole('option', { name: `/${name}` }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.command-line').waitFor()
  await page.keyboard.press('Enter')
}
