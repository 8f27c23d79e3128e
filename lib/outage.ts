import type { Logger } from './log.ts'

/** Something that fails for a while: it is logged once when that begins, and once when it is over. */
export interface Outage {
  readonly isOn: boolean
  failed(fields: object): void
  worked(): void
}

export function createOutage(log: Logger, words: { readonly failing: string; readonly recovered: string }): Outage {
  let isOn = false
  return {
    get isOn() {
      return isOn
    },
    failed(fields) {
      if (!isOn) log.warn(fields, words.failing)
      isOn = true
    },
    worked() {
      if (isOn) log.info(words.recovered)
      isOn = false
    },
  }
}
