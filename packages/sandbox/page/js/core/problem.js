import { find } from './dom.js'

/** Says what went wrong, above the message box, until the next thing is done. */
export function showProblem(text) {
  const line = find('problem')
  if (line) line.textContent = text
}

/** Runs something that may fail, and tells the person why it did. @returns whether it was done. */
export async function attempt(work) {
  showProblem('')
  try {
    await work()
    return true
  } catch (error) {
    showProblem(error.message)
    return false
  }
}
