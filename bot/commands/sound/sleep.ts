import { Refusal } from '../core/reply.ts'
import { choice, optional, whole, labelOf } from '../core/options.ts'
import { playerCommand } from '../playback/player-command.ts'
import { describeSleepTimer } from './sleep-words.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const sleepText = textOf('sound', 'sleep')

const LONGEST_MINUTES = 720

export const sleep = playerCommand({
  name: 'sleep',
  labels: labelOf(sleepText),
  operation: 'sleep',
  options: {
    minutes: optional(whole({ min: 1, max: LONGEST_MINUTES })),
    until: optional(choice(['track', 'off'])),
  },
  input({ options: { minutes, until }, words }) {
    if ((minutes === null) === (until === null)) throw new Refusal(words.sleep.eitherOr)
    return { minutes: until === 'off' ? 0 : minutes }
  },
  say: ({ words }, { sleep: set }) => describeSleepTimer(set, words.sleep),
})
