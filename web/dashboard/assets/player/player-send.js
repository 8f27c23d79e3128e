import { setRefusal, words } from './player-page.js'

/** Sends a form's fields. @returns the answer; null if the service could not be reached. */
export async function post(url, fields) {
  const body = new URLSearchParams(fields)
  body.set('csrf', words.csrf)
  body.set('answer', 'json')
  try {
    const response = await fetch(url, { method: 'POST', body })
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (!isJson) {
      // The session is over, or the player: the page itself knows what to say then.
      location.reload()
      return null
    }
    const answer = await response.json()
    setRefusal(answer.refused)
    return answer
  } catch {
    setRefusal(words.offline)
    return null
  }
}

const PAUSE_MS = 150

/**
 * Sends the last of many values: one at a time, and not before they rest for a moment.
 * @param onAnswer called with the answer once nothing newer waits.
 */
export function createSender(onAnswer) {
  let waiting = null
  let timer = 0
  let isBusy = false

  async function flush() {
    if (isBusy || waiting === null) return
    const { url, fields } = waiting
    waiting = null
    isBusy = true
    const answer = await post(url, fields)
    isBusy = false
    if (waiting === null) onAnswer(answer)
    else later()
  }
  function later() {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), PAUSE_MS)
  }
  return {
    send(url, fields) {
      waiting = { url, fields }
      later()
    },
    /** Whether a shown value is not sent or not answered yet. */
    isPending: () => isBusy || waiting !== null,
  }
}
