import { expect } from 'chai'
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
import type { Browser, Locator, Page } from 'playwright-core'
import type { Sandbox } from '../../sandbox/start.ts'
import { getGuild } from '../../sandbox/world/world.ts'
import { until } from '../support/bots.ts'
import { expectAccessible, launchBrowser, loadAtBest, openTab } from '../support/browser.ts'
import { createCaller, logIn, openSandbox, type Rest } from './stage.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const PATIENCE_MS = 60_000

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

describe('the page of the sandbox', function () {
  this.timeout(120_000)
  let sandbox: Sandbox
  let client: Client<true>
  let browser: Browser
  let call: Rest
  let page: Page
  let complaints: string[]

  before(async () => {
    sandbox = await openSandbox()
    sandbox.world.rules.interactionMs = PATIENCE_MS
    client = await logInWithCommands()
    call = createCaller(`${sandbox.url}/sandbox`)
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    await client.destroy()
    await sandbox.close()
  })
  beforeEach(async () => {
    const tab = await open()
    page = tab.page
    complaints = tab.complaints
  })
  afterEach(async () => {
    expect(complaints).to.deep.equal([])
    await page.context().close()
  })

  async function logInWithCommands() {
    const bot = await logIn(sandbox)
    bot.on(Events.InteractionCreate, (i) => void onInteraction(i))
    await bot.application.commands.set(COMMANDS)
    return bot
  }

  async function open(options: Parameters<Browser['newContext']>[0] = {}) {
    const tab = await openTab(browser, { viewport: WIDE, locale: 'en-GB', ...options })
    await tab.page.goto(`${sandbox.url}/sandbox/`)
    await loaded(tab.page)
    return tab
  }
  const loaded = async (of: Page) => {
    await of.locator('#log[data-loaded=true]').waitFor()
    await of.locator('.try, .chips').first().waitFor()
  }
  /** The message box without the command that the first step fills in. */
  async function box(of: Page = page): Promise<Locator> {
    const input = of.locator('#composer-input')
    if (!(await input.isVisible())) await of.locator('.command-line input').last().press('Escape')
    return input
  }
  const said = (text: string, of: Page = page) => of.locator('article.message', { hasText: text }).last().waitFor()
  const channelOf = (member: number) => {
    const guild = getGuild(sandbox.world, sandbox.demo.guildId)
    return guild.voice.get(sandbox.demo.memberIds[member] ?? '')?.channelId ?? null
  }

  it('fills in a slash command: its options, choices, members, and what the bot offers while one types', async () => {
    await (await box()).fill('/pl')
    await page.getByRole('option', { name: /\/play/ }).waitFor()
    await page.keyboard.press('Enter')
    const query = page.getByRole('combobox', { name: /^query/ })
    await query.fill('boh')
    await page.getByRole('option', { name: 'boh, the song' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add option when' }).click()
    await page.getByRole('option', { name: 'Right now' }).click()
    await page.getByRole('button', { name: 'Add option for' }).click()
    await page.getByRole('combobox', { name: /^for/ }).fill('jon')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await said('the song now for jonas')
    await said('Mira used /play')
  })

  it('says which required option is missing, and takes a line that is pasted whole', async () => {
    await (await box()).fill('/play ')
    await page.getByRole('combobox', { name: /^query/ }).press('Enter')
    await page.locator('#problem', { hasText: '“query” is required.' }).waitFor()
    await (await box()).fill('/play when: last query: two words')
    await page.keyboard.press('Enter')
    await said('two words last for all')
  })

  it('shows commands in the language of the member who acts, and itself in that of the reader', async () => {
    await page.getByLabel('Language of this member’s app').selectOption('de')
    await (await box()).fill('/spi')
    await page.getByRole('option', { name: /\/spielen Spielt einen Titel/ }).waitFor()
    await page.locator('#bar').getByLabel('Language').selectOption('de')
    await page.getByRole('button', { name: 'Anhören' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('de')
    await expectAccessible(page)
  })

  it('opens the form that a bot answers with, and sends it', async () => {
    await (await box()).fill('/form')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'A question' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel(/^Why/).fill('it rains')
    await page.keyboard.press('Enter')
    await said('because it rains')
  })

  it('presses buttons and chooses in select menus; what a message says is never markup', async () => {
    await (await box()).fill('/parts')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const message = page.locator('article.message', { hasText: 'press <b>me</b>' }).last()
    await message.getByRole('button', { name: 'Go' }).click()
    await said('pressed')
    await message.getByRole('button', { name: 'Pick a number' }).click()
    await expectAccessible(page)
    await page.getByRole('option', { name: /Two/ }).click()
    await said('picked 2')
    expect(await message.locator('.text b').count()).to.equal(0)
    expect(await message.locator('.text strong').textContent()).to.equal('press')
  })

  it('shows what is for one member alone to that member', async () => {
    await (await box()).fill('/secret')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await said('Only you can see this')
    await page.locator('.member', { hasText: 'Jonas' }).click()
    await page.locator('.self', { hasText: 'Jonas' }).waitFor()
    await until('it is gone', async () => (await page.getByText('psst').count()) === 0)
    await page.locator('.member', { hasText: 'Mira' }).click()
    await said('psst')
  })

  it('moves members between voice channels by mouse, by finger and by keyboard', async () => {
    const { voiceChannelId, secondVoiceChannelId } = sandbox.demo
    const sitter = page.locator('.voice-member', { hasText: 'Mira' })
    await sitter.waitFor()
    const [from, to] = [await middle(sitter), await middle(page.locator(`[data-channel="${secondVoiceChannelId}"]`))]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 5 })
    await page.locator('.drop-target.over').waitFor()
    await page.mouse.up()
    await page.locator(`[data-channel="${secondVoiceChannelId}"] .voice-member`, { hasText: 'Mira' }).waitFor()
    expect(channelOf(0)).to.equal(secondVoiceChannelId)

    await page.locator('.voice-member', { hasText: 'Mira' }).press('Alt+ArrowUp')
    await page.locator(`[data-channel="${voiceChannelId}"] .voice-member`, { hasText: 'Mira' }).waitFor()

    const touch = await page.context().newCDPSession(page)
    const at = await middle(page.locator('.voice-member', { hasText: 'Mira' }))
    const target = await middle(page.locator(`[data-channel="${secondVoiceChannelId}"]`))
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await page.locator('.ghost').waitFor({ state: 'attached' })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [target] })
    await page.locator('.drop-target.over').waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await until('the world has it', () => channelOf(0) === secondVoiceChannelId)
    await page
      .getByRole('button', { name: 'Join The Pier' })
      .or(page.locator('[title="Join The Pier"]'))
      .first()
      .click()
    await until('Mira is back', () => channelOf(0) === voiceChannelId)
  })

  it('switches faults of the network, says what to expect, and shows other pages that they are on', async () => {
    const network = async () => (await call('GET', `/guilds/${sandbox.demo.guildId}/network`)).body
    await call('PUT', `/guilds/${sandbox.demo.guildId}/faults`, {})
    await call('PATCH', '/rules', { restLimitedPercent: 0 })
    await page.getByRole('tab', { name: 'Network' }).click()
    await expectAccessible(page)
    const loss = page.getByRole('switch', { name: 'Packet loss, 10 percent' })
    await loss.click()
    await page.locator('[data-key=loss][aria-checked=true]').waitFor()
    expect((await network()).faults.lossPercent).to.equal(10)
    expect(await page.locator('#fault-loss-text').textContent()).to.match(/crackles and gaps/)
    const other = await open()
    await other.page.locator('#tab-network .count', { hasText: '1' }).waitFor()
    await page.getByRole('switch', { name: /429/ }).click()
    await page.locator('#tab-network .count', { hasText: '2' }).waitFor()
    await page.getByRole('button', { name: 'All faults off' }).click()
    await until('all is as it was', async () => (await network()).rules.restLimitedPercent === 0)
    await other.page.locator('#tab-network .count').waitFor({ state: 'detached' })
    expect((await network()).faults.lossPercent ?? 0).to.equal(0)
    await other.context.close()
  })

  it('lists requests and gateway messages while its tab is open, without secrets', async () => {
    await page.getByRole('tab', { name: 'Traffic' }).click()
    await (await box()).fill('/secret')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const request = page.locator('.traffic summary', { hasText: /POST \/interactions\/.*callback/ }).first()
    await request.waitFor()
    const event = page.locator('.traffic details', { hasText: 'INTERACTION_CREATE' }).first()
    await event.locator('summary').click()
    expect(await event.locator('pre').textContent()).to.include('"token": "…"')
    await expectAccessible(page)
  })

  it('says that the bot is offline, and when it is back', async () => {
    await client.destroy()
    await page.getByText('Bandstand is offline: its commands are not answered').waitFor()
    client = await logInWithCommands()
    await page.getByText('Bandstand is offline: its commands are not answered').waitFor({ state: 'detached' })
  })

  it('comes back by itself when the sandbox did not answer', async () => {
    const tab = await openTab(browser, { viewport: WIDE, locale: 'en-GB' })
    await tab.page.route('**/sandbox/events*', (route) => route.abort())
    await tab.page.goto(`${sandbox.url}/sandbox/`)
    await tab.page.getByText('Disconnected, trying again').waitFor()
    await tab.page.unroute('**/sandbox/events*')
    await loaded(tab.page)
    await tab.page.locator('.status', { hasText: 'Live' }).waitFor()
    await tab.context.close()
  })

  it('fits a phone and a wide screen, light and dark, and can be used by all', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const tab = await open({ colorScheme, viewport: PHONE, hasTouch: true })
      await expectAccessible(tab.page)
      await tab.page.getByRole('button', { name: 'Open channels' }).tap()
      await tab.page.getByRole('navigation', { name: 'Channels' }).getByText('The Lighthouse').waitFor()
      await expectAccessible(tab.page)
      await tab.page.keyboard.press('Escape')
      await tab.page.getByRole('button', { name: /^Open members/ }).tap()
      await tab.page.getByRole('tab', { name: 'Members' }).waitFor()
      await expectAccessible(tab.page)
      await tab.page.keyboard.press('Escape')
      expect(await tab.page.evaluate('document.documentElement.scrollWidth > innerWidth'), 'sideways').to.equal(false)
      await tab.page.setViewportSize(WIDE)
      await expectAccessible(tab.page)
      expect(tab.complaints).to.deep.equal([])
      await tab.context.close()
    }
  })

  it('is painted within 1.5 s, and nothing moves while it comes in', async () => {
    expect((await loadAtBest(page, `${sandbox.url}/sandbox/`)).paintedMs).to.be.below(1500)
    await loaded(page)
    const moved = await page.evaluate<number>(SHIFTS)
    expect(moved).to.be.below(0.05)
  })
})

const SHIFTS = `new Promise((resolve) => {
  const sum = (list) => list.getEntries().reduce((all, { value }) => all + value, 0)
  new PerformanceObserver((list) => resolve(sum(list))).observe({ type: 'layout-shift', buffered: true })
  // Where nothing has moved the observer is never called.
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
})`

async function middle(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not seen.')
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 16) }
}
