// The key of this tab: pasted, or created by the dashboard for its signed-in user. Only the API gets it.
import { clock, element, form, keep, recall } from './try-page.js'

const KEY = /^svc\.[0-9a-f]{64}$/
/** Dashboard route that lists the choices of a signed-in user for a trial key, and creates the key. */
const TRIAL = '/dashboard/trial-key'
const panel = document.querySelector('[data-key]')
let chosen = recall('trial key')

export function currentKey() {
  if (chosen?.untilMs && chosen.untilMs <= Date.now()) chosen = null
  return chosen?.key ?? null
}

function choose(key, untilMs = null) {
  chosen = key && { key, untilMs }
  keep('trial key', chosen)
  showKey()
}

export function showKey() {
  if (!panel) return
  const key = currentKey()
  const now = panel.querySelector('[data-key-now]')
  now.hidden = key === null
  panel.querySelector('[data-key-paste]').hidden = key !== null
  const mint = panel.querySelector('[data-mint]')
  if (mint) mint.hidden = key !== null || mint.querySelector('select').options.length === 0
  now.querySelector('code').textContent = key === null ? '' : `${key.slice(0, 12)}…`
  const until = now.querySelector('[data-until]')
  until.textContent = chosen?.untilMs ? ` ${until.dataset.until} ${clock.format(chosen.untilMs)}` : ''
  const copy = document.querySelector('[data-copy-key]')
  if (copy) copy.hidden = key === null
}

export function focusKey() {
  panel.querySelector('#key').focus()
}

function setUpPaste() {
  const input = panel.querySelector('#key')
  const problem = panel.querySelector('#key-problem')
  const use = () => {
    const key = input.value.trim()
    problem.hidden = KEY.test(key)
    input.toggleAttribute('aria-invalid', !KEY.test(key))
    if (!KEY.test(key)) return input.focus()
    input.value = ''
    choose(key)
    panel.querySelector('[data-key-now] button').focus()
  }
  panel.querySelector('[data-key-paste] button').addEventListener('click', use)
  input.addEventListener('keydown', (event) => event.key === 'Enter' && use())
  panel.querySelector('[data-key-now] button').addEventListener('click', () => {
    choose(null)
    input.focus()
  })
}

/* --- A key for one hour, for the user signed in to the dashboard ---------------------------------------------------- */
async function ask(options) {
  const response = await fetch(TRIAL, { ...options, headers: { Accept: 'application/json' } }).catch(() => null)
  const isJson = response?.headers.get('content-type')?.startsWith('application/json')
  return response?.ok && isJson ? response.json() : null
}

async function setUpMint() {
  const mint = panel.querySelector('[data-mint]')
  const known = await ask()
  panel.querySelector('[data-sign-in]').hidden = known?.csrf !== undefined
  if (!known?.csrf) return
  const select = mint.querySelector('select')
  select.replaceChildren(...known.choices.map(({ project, bot, label }) => new Option(label, JSON.stringify({ project, bot }))))
  propose('guildIds', 'guildId', known.guilds.map(({ id, name }) => ({ id, name })))
  const channels = known.guilds.flatMap((guild) => guild.channels.map(({ id, name }) => ({ id, name: `${guild.name}: ${name}` })))
  propose('channelIds', 'channelId', channels)
  chooseBot(select, known.guilds)
  guildField()?.addEventListener('input', () => chooseBot(select, known.guilds))
  mint.querySelector('button').addEventListener('click', () => void make(mint, known.csrf))
  showKey()
}

const guildField = () => [...form.elements].find((control) => control.name?.endsWith('.guildId'))

/** Proposes the key of the bot that is in the guild of the form. */
function chooseBot(select, guilds) {
  const there = guilds.filter(({ id }) => id === guildField()?.value)
  const values = new Set(there.map(({ project, bot }) => JSON.stringify({ project, bot })))
  const option = [...select.options].find(({ value }) => values.has(value))
  if (option) select.value = option.value
}

async function make(mint, csrf) {
  const { project, bot } = JSON.parse(mint.querySelector('select').value)
  const body = new URLSearchParams({ csrf, project, ...(bot && { bot }) })
  const made = await ask({ method: 'POST', body })
  const problem = mint.querySelector('[data-mint-problem]')
  problem.hidden = made?.key !== undefined
  problem.textContent = made?.key === undefined ? mint.dataset.full : ''
  if (made?.key === undefined) return
  choose(made.key, made.untilMs)
  panel.querySelector('[data-key-now] button').focus()
}

/** Places of one's own, to choose from, and instead of the example. */
function propose(listId, name, places) {
  document.querySelector(`#${listId}`).replaceChildren(
    ...places.map(({ id, name: label }) => {
      const option = element('option', '', label)
      option.value = id
      return option
    }),
  )
  const input = [...form.elements].find((control) => control.name?.endsWith(`.${name}`))
  if (!places[0] || !input || input.value === '' || input.value !== input.defaultValue) return
  input.value = places[0].id
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

if (panel) {
  setUpPaste()
  showKey()
  if (panel.dataset.dashboard) void setUpMint()
}
