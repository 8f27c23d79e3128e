import { choice } from '../core/options.ts'
import { labelOf } from '../i18n/labels.ts'
import { loopText } from './loop-text.ts'
import { playerCommand } from './player-command.ts'

export const loop = playerCommand({
  name: 'loop',
  labels: labelOf(loopText),
  operation: 'patch',
  options: { mode: choice(['off', 'track', 'queue']) },
  input: ({ options }) => ({ loop: options.mode }),
  say: ({ options, language }) => loopText[language].words[options.mode],
})
