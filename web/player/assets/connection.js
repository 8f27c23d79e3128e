import { find, make, say, setProblem, words } from './page.js'

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
  throw Object.assign(new Error(known[response.status] ?? words.failed), {
    isFinal: [401, 409].includes(response.status),
  })
}

/** @throws {Error} with a sentence for the member, and what `fetch` throws when it is stopped. */
async function send(path, init) {
  try {
    return await fetch(address(path), { ...init, headers: { ...headers(), ...init.headers } })
  } catch (error) {
    throw error instanceof TypeError ? new Error(words.offline) : error
  }
}

export async function ask(path, signal) {
  return answerOf(await send(path, { signal }))
}

/**
 * Does something as the member, and shows a refusal, or a failure with a button that tries again.
 * @param values or a function for them, if they may be others by then. @returns whether it was done.
 */
export async function perform(action, values = {}) {
  try {
    const body = JSON.stringify(typeof values === 'function' ? await values() : values)
    const response = await send(`do/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    say((await answerOf(response)).said ?? '')
    return true
  } catch (error) {
    const again = { label: words.retry, run: () => void perform(action, values) }
    say(error.message, error.isFinal ? undefined : again)
    return false
  }
}

export async function signOut() {
  await fetch(address('sign-out'), { method: 'POST', headers: headers() })
  location.reload()
}

/** The path of a track's cover. @param id its number in the queue. */
export const coverOf = ({ mark, id }, size = 'small') => `cover/${mark}?size=${size}${id ? `&id=${id}` : ''}`

/** @returns a picture; null if there is none. */
export async function pictureAt(path) {
  const response = await send(path, {}).catch(() => null)
  return response?.ok ? response.blob() : null
}

/** A picture that takes itself away if it cannot be shown. An Activity has no cookie, so its script fetches it. */
export function pictureOf(path, attributes = {}) {
  const image = make('img', { alt: '', ...attributes })
  image.addEventListener('error', () => image.remove())
  if (place.secret) void fetchInto(image, path)
  else image.src = address(path)
  return image
}

async function fetchInto(image, path) {
  const picture = await pictureAt(path)
  if (!picture) return image.remove()
  image.src = URL.createObjectURL(picture)
  image.addEventListener('load', () => URL.revokeObjectURL(image.src), { once: true })
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
