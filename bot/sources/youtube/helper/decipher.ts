import { constants, createContext, Script } from 'node:vm'

const SCRIPT_MS = 2000

/**
 * Runs a script of YouTube's player, a function's body, where nothing of this process can be reached: a realm of its own
 * without a single object of ours in it, and only a text comes back.
 */
export function runPlayerScript(body: string): unknown {
  const realm = createContext(constants.DONT_CONTEXTIFY)
  const script = new Script(`JSON.stringify((() => {${body}\n})())`)
  const found: unknown = script.runInContext(realm, { timeout: SCRIPT_MS })
  if (typeof found !== 'string') throw new Error('the script gave no text')
  return JSON.parse(found)
}
