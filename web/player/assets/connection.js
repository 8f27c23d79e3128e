import { find, say, setProblem, words } from './page.js'

// Requests to the service are authenticated by the cookie of a browser, or by the secret of an Activity.
const { base } = document.documentElement.dataset
let place = null

/** @param who `guildId` with `csrf` in a browser, or with `secret` in an Activity. */
export function connectAs(who) {
  place = who
}

const address = (path) => `${base}/listen/${place.guildId}/${path}`
const headers = () => (place.secret ? { authorization: `Bearer ${place.secret}` } : { 'x-csrf-token': place.csrf })

/** @throws {Error} with a sentence for the member. */
async function answerOf(response) {
  const body = await response.json().catch(() => ({}))
  if (response.ok) return body
  if (response.status === 401) end()
  const known = { 401: words.gone, 429: words.slowDown, 409: body.error?.message }
  throw new Error(known[response.status] ?? words.failed)
}

export async function ask(path, signal) {
  return answerOf(await fetch(address(path), { headers: headers(), signal }))
}

/** Does something as the member and shows a refusal. @returns whether it was done. */
export async function perform(action, values = {}) {
  try {
    const response = await fetch(address(`do/${action}`), {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
    say((await answerOf(response)).said ?? '')
    return true
  } catch (error) {
    say(error instanceof TypeError ? words.offline : error.message)
    return false
  }
}

export async function signOut() {
  await fetch(address('sign-out'), { method: 'POST', headers: headers() })
  location.reload()
}

/** Shows a cover. An Activity has no cookie, so its script fetches the picture. */
export async function showCover(image, mark, size = 'small') {
  if (!place.secret) {
    image.src = address(`cover/${mark}?size=${size}`)
    return
  }
  try {
    const response = await fetch(address(`cover/${mark}?size=${size}`), { headers: headers() })
    if (!response.ok) return image.remove()
    image.src = URL.createObjectURL(await response.blob())
    image.addEventListener('load', () => URL.revokeObjectURL(image.src), { once: true })
  } catch {
    image.remove()
  }
}

const state = { isOver: false }

function end() {
  state.isOver = true
  setProblem(words.gone)
  find('[data-live]').hidden = true
}

const FIRST_BYTE_MS = 4000
const SILENCE_MS = 45_000
const POLL_MS = 1000
const RETRY_MS = 2000

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Hands over what happens as it happens, for as long as the page is open. */
export async function follow(listener) {
  while (!state.isOver) {
    try {
      await readStream(listener)
      setProblem(state.isOver ? words.gone : words.offline)
    } catch (error) {
      if (error.isSilent) await poll(listener)
      else if (!state.isOver) setProblem(error instanceof TypeError ? words.offline : error.message)
    }
    find('[data-live]').hidden = true
    await wait(RETRY_MS + Math.random() * RETRY_MS)
  }
}

async function readStream(listener) {
  const stopping = new AbortController()
  let timer = setTimeout(() => stopping.abort(), FIRST_BYTE_MS)
  let isOpen = false
  try {
    const response = await fetch(address('live'), { headers: headers(), signal: stopping.signal })
    if (!response.ok) await answerOf(response)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => stopping.abort(), SILENCE_MS)
      if (!isOpen) opened()
      isOpen = true
      rest = takeBlocks(rest + value, listener)
    }
  } catch (error) {
    // Some proxies hold a stream back until it ends.
    if (stopping.signal.aborted && !isOpen) throw Object.assign(new Error(words.offline), { isSilent: true })
    throw error
  } finally {
    clearTimeout(timer)
    stopping.abort()
  }
}

/** @returns the beginning of a message that is not whole yet. */
function takeBlocks(text, listener) {
  const blocks = text.split('\n\n')
  const rest = blocks.pop()
  const messages = blocks.filter((block) => block.startsWith('data: '))
  for (const message of messages) take(JSON.parse(message.slice(6)), listener)
  return rest
}

function opened() {
  setProblem(null)
  find('[data-live]').hidden = false
}

function take(message, listener) {
  if (message.type === 'gone') end()
  else listener(message)
}

/** Polls the state without a stream. It ends with the first failure. */
async function poll(listener) {
  for (;;) {
    const { player, me } = await ask('state')
    opened()
    listener({ type: 'player', player })
    listener({ type: 'me', me })
    await wait(POLL_MS)
  }
}
