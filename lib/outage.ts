import type { Logger } from './log.ts'

/** Something that fails for a while: it is logged once when that begins, and once when it is over. */
export type Outage = ReturnType<typeof createOutage>

export function createOutage(log: Logger, words: { readonly failing: string; readonly recovered: string }) {
  let isOn = false
  return {
    get isOn(): boolean {
      return isOn
    },
    failed(fields: object) {
      if (!isOn) log.warn(fields, words.failing)
      isOn = true
    },
    worked() {
      if (isOn) log.info(words.recovered)
      isOn = false
    },
  }
}
