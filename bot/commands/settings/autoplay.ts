import { flag, optional } from '../core/options.ts'
import { labelsOf } from '../i18n/labels.ts'
import { getPlayer } from '../permissions/rules.ts'
import { playerCommand } from '../playback/player-command.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const autoplayText = textOf('settings', 'autoplay')

export const autoplay = playerCommand({
  name: 'autoplay',
  labels: labelsOf(autoplayText, 'autoplay'),
  operation: 'patch',
  options: { on: optional(flag()) },
  // Without a value it is a switch.
  input: async (invocation, context) => ({
    autoplay: invocation.options.on ?? !(await getPlayer(invocation, context)).autoplay,
  }),
  say: ({ language }, { autoplay }) => autoplayText[language].words[autoplay ? 'on' : 'off'],
})
