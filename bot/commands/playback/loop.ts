import { choice } from '../core/options.ts'
import { labelOf } from '../i18n/labels.ts'
import { playerCommand } from './player-command.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const loopText = textOf('playback', 'loop')

export const loop = playerCommand({
  name: 'loop',
  labels: labelOf(loopText),
  operation: 'patch',
  options: { mode: choice(['off', 'track', 'queue']) },
  input: ({ options }) => ({ loop: options.mode }),
  say: ({ options, language }) => loopText[language].words[options.mode],
})
