import { state } from './store.js'
import { words } from './words.js'

/** Calls the controls. @throws {Error} with a sentence for the person. */
export async function call(method, path, body) {
  let response
  try {
    response = await fetch(`/sandbox${path}`, requestOf(method, body))
  } catch {
    throw new Error(words().unreachable)
  }
  const answer = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}

export const guildPath = (rest = '') => `/guilds/${state.guild.id}${rest}`
export const memberPath = (userId, rest = '') => guildPath(`/members/${userId}${rest}`)

function requestOf(method, body) {
  const accept = 'application/json'
  if (!body) return { method, headers: { accept } }
  return { method, headers: { accept, 'content-type': accept }, body: JSON.stringify(body) }
}
