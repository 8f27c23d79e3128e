import { Loop } from '../../player/inputs.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import { choice, optional } from '../core/options.ts'
import { labelOf } from '../i18n/labels.ts'
import { playerCommand } from './player-command.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const loopText = textOf('playback', 'loop')

export const loop = playerCommand({
  name: 'loop',
  labels: labelOf(loopText),
  operation: 'patch',
  options: { mode: optional(choice(Loop.options)) },
  input: ({ options: { mode } }) => (mode === null ? null : { loop: mode }),
  show: ({ language }, player) => `${nameLoop(language, player)}\n${loopText[language].words.change}`,
  say: ({ language }, player) => nameLoop(language, player),
})

function nameLoop(language: Language, { loop }: PlayerInfo): string {
  return loopText[language].words[loop]
}
