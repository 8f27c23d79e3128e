import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { until } from '../../support/bots.ts'
import { expectAccessible } from '../../support/browser.ts'
import { messageBox, openPageStage, useCommand, type PageStage } from './page-stage.ts'

describe('commands and messages on the page of the sandbox', function () {
  this.timeout(240_000)
  let stage: PageStage
  let page: Page
  let complaints: string[]

  before(async () => {
    stage = await openPageStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    const tab = await stage.open()
    page = tab.page
    complaints = tab.complaints
  })
  afterEach(async () => {
    expect(complaints).to.deep.equal([])
    await page.context().close()
  })

  const said = (text: string) => page.locator('article.message', { hasText: text }).last().waitFor()

  it('fills in a slash command: its options, choices, members, and what the bot offers while one types', async () => {
    await (await messageBox(page)).fill('/pl')
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
    await (await messageBox(page)).fill('/play ')
    await page.getByRole('combobox', { name: /^query/ }).press('Enter')
    await page.locator('#problem', { hasText: '“query” is required.' }).waitFor()
    await (await messageBox(page)).fill('/play when: last query: two words')
    await page.keyboard.press('Enter')
    await said('two words last for all')
  })

  it('shows commands in the language of the member who acts, and itself in that of the reader', async () => {
    await page.getByLabel('App language of this member').selectOption('de')
    await (await messageBox(page)).fill('/spi')
    await page.getByRole('option', { name: /\/spielen Spielt einen Titel/ }).waitFor()
    await page.locator('#bar').getByLabel('Language').selectOption('de')
    await page.getByRole('button', { name: 'Anhören' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).to.equal('de')
    await expectAccessible(page)
  })

  it('says in English what a language has no text for', async () => {
    const english: unknown = JSON.parse(readFileSync('packages/sandbox/locales/en/sandbox.json', 'utf8'))
    const texts = { en: { sandbox: english }, de: { sandbox: { send: 'Senden' } } }
    await page.route('**/texts.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(texts)}` }),
    )
    await page.reload()
    await page.locator('#bar').getByLabel('Language').selectOption('de')
    await page.getByRole('button', { name: 'Senden' }).waitFor()
    await page.getByRole('button', { name: 'Listen' }).waitFor()
    await page.getByPlaceholder(/^Message #\w+, or \/ for commands$/).waitFor()
  })

  it('opens the form that a bot answers with, and sends it', async () => {
    await useCommand(page, 'form')
    await page.getByRole('dialog', { name: 'A question' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel(/^Why/).fill('it rains')
    await page.keyboard.press('Enter')
    await said('because it rains')
  })

  it('presses buttons and chooses in select menus; what a message says is never markup', async () => {
    await useCommand(page, 'parts')
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
    await useCommand(page, 'secret')
    await said('Only you can see this')
    await page.locator('.member', { hasText: 'Jonas' }).click()
    await page.locator('.self', { hasText: 'Jonas' }).waitFor()
    await until('it is gone', async () => (await page.getByText('psst').count()) === 0)
    await page.locator('.member', { hasText: 'Mira' }).click()
    await said('psst')
  })
})
