import { nameTrack } from '../i18n/format.ts'
import { labelOf } from '../i18n/labels.ts'
import { playerCommand } from '../playback/player-command.ts'
import { nameAt } from './edit-queue.ts'
import { queuePosition } from './position.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const skipToText = textOf('queue', 'skipTo')

export const skipTo = playerCommand({
  name: 'skipto',
  labels: labelOf(skipToText),
  operation: 'skipTo',
  options: { position: queuePosition() },
  async input(invocation, context) {
    await nameAt(invocation, context, invocation.options.position)
    return invocation.options
  },
  say: ({ language, words }, { track }) =>
    track ? skipToText[language].words.skipped({ track: nameTrack(track) }) : words.skip.skippedLast,
})
