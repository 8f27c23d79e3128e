import { PRESET_NAMES } from '../../player/audio-settings/filter-schema.ts'
import { spelledOut, type Filters } from '../../player/audio-settings/filters.ts'
import { Refusal } from '../core/reply.ts'
import { choice, optional, whole, labelOf, withOptions } from '../core/options.ts'
import { playerCommand } from '../playback/player-command.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const filterText = textOf('sound', 'filter')
const presetText = textOf('sound', 'preset')

interface FilterRequest {
  readonly preset: 'off' | (typeof PRESET_NAMES)[number] | null
  /** Semitones. */
  readonly pitch: number | null
  /** Percent. */
  readonly speed: number | null
}

export const filter = playerCommand({
  name: 'filter',
  labels: withOptions(labelOf(filterText), presetText, ['preset']),
  operation: 'patch',
  options: {
    preset: optional(choice(['off', ...PRESET_NAMES])),
    pitch: optional(whole({ min: -12, max: 12 })),
    speed: optional(whole({ min: 50, max: 200 })),
  },
  input({ options, language }) {
    if (options.preset === null && options.pitch === null && options.speed === null) {
      throw new Refusal(filterText[language].words.nothingChosen)
    }
    return { filters: filtersOf(options) }
  },
  say({ options: { preset, pitch, speed }, language }) {
    const { words } = filterText[language]
    const parts = [
      ...(preset === null || preset === 'off' ? [] : [presetText[language][preset]]),
      ...(pitch === null || pitch === 0 ? [] : [words.semitones({ signed: signed(pitch, language) })]),
      ...(speed === null || speed === 100 ? [] : [words.speed({ percent: speed })]),
    ]
    return parts.length === 0 ? words.off : words.set({ parts: parts.join(' · ') })
  },
})

/** Pitch and speed come on top of those of the preset. */
function filtersOf({ preset, pitch, speed }: FilterRequest): Filters {
  const named: Filters = preset === null || preset === 'off' ? {} : { preset }
  if ((pitch ?? 0) === 0 && (speed ?? 100) === 100) return named
  const own = spelledOut(named).timescale ?? { speed: 1, pitch: 1, rate: 1 }
  return {
    ...named,
    timescale: { ...own, speed: own.speed * ((speed ?? 100) / 100), pitch: own.pitch * 2 ** ((pitch ?? 0) / 12) },
  }
}

function signed(value: number, language: string): string {
  return new Intl.NumberFormat(language, { signDisplay: 'exceptZero' }).format(value)
}
