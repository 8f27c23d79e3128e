import { flag, optional } from '../core/options.ts'
import { labelsOf } from '../i18n/labels.ts'
import { playerCommand } from '../playback/player-command.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const autoplayText = textOf('settings', 'autoplay')

export const autoplay = playerCommand({
  name: 'autoplay',
  labels: labelsOf(autoplayText, 'autoplay'),
  operation: 'patch',
  options: { on: optional(flag()) },
  // Without a value it is a switch.
  input: ({ options: { on } }, _, { autoplay }) => ({ autoplay: on ?? !autoplay }),
  say: ({ language }, { autoplay }) => autoplayText[language].words[autoplay ? 'on' : 'off'],
})
