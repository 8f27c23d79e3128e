import { PRESET_NAMES } from '../../player/audio-settings/filter-schema.ts'
import { choice } from '../core/options.ts'
import { labelOf } from '../i18n/labels.ts'
import { filterText } from './filter-text.ts'
import { playerCommand } from './player-command.ts'

export const filter = playerCommand({
  name: 'filter',
  labels: labelOf(filterText),
  operation: 'patch',
  options: { preset: choice(['off', ...PRESET_NAMES]) },
  input: ({ options: { preset } }) => ({ filters: preset === 'off' ? {} : { preset } }),
  say({ options: { preset }, language }) {
    const { words } = filterText[language]
    return preset === 'off' ? words.off : words.set(preset)
  },
})
