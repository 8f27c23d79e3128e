import { flag } from '../core/options.ts'
import { labelsOf } from '../i18n/labels.ts'
import { playerCommand } from '../playback/player-command.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const autoplayText = textOf('settings', 'autoplay')

export const autoplay = playerCommand({
  name: 'autoplay',
  labels: labelsOf(autoplayText, 'autoplay'),
  operation: 'patch',
  options: { on: flag() },
  input: ({ options }) => ({ autoplay: options.on }),
  say: ({ options, language }) => autoplayText[language].words[options.on ? 'on' : 'off'],
})
