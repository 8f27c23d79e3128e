import type { Language } from '../../../lib/texts/languages.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const skyText = textOf('weather', 'sky')

type Sky = keyof (typeof skyText)['en']['words']

/** OpenWeatherMap's conditions, each with the word that comes closest. */
const SKIES: ReadonlyMap<number, Sky> = new Map<number, Sky>([
  ...[200, 201, 202, 230, 231, 232].map((id) => [id, 'thunderstormWithRain'] as const),
  ...[210, 211, 212, 221].map((id) => [id, 'thunderstorm'] as const),
  ...[300, 301, 302, 310, 311, 312, 313, 314, 321].map((id) => [id, 'drizzle'] as const),
  [500, 'lightRain'],
  [501, 'rain'],
  ...[502, 503, 504].map((id) => [id, 'heavyRain'] as const),
  [511, 'freezingRain'],
  ...[520, 521, 522, 531].map((id) => [id, 'showers'] as const),
  [600, 'lightSnow'],
  [601, 'snow'],
  [602, 'heavySnow'],
  ...[611, 612, 613, 615, 616].map((id) => [id, 'sleet'] as const),
  ...[620, 621, 622].map((id) => [id, 'snowShowers'] as const),
  [701, 'mist'],
  [711, 'smoke'],
  [721, 'mist'],
  ...[731, 751, 761, 762].map((id) => [id, 'dust'] as const),
  [741, 'mist'],
  [771, 'squalls'],
  [781, 'tornado'],
  [800, 'clear'],
  [801, 'fewClouds'],
  [802, 'scatteredClouds'],
  [803, 'brokenClouds'],
  [804, 'overcast'],
])

export function skyOf(conditionId: number, language: Language): string {
  return skyText[language].words[SKIES.get(conditionId) ?? 'overcast']
}

const EMOJI: ReadonlyMap<string, string> = new Map([
  ['01d', '☀️'],
  ['01n', '🌙'],
  ['02d', '🌤️'],
  ['02n', '🌙'],
  ['03d', '⛅'],
  ['03n', '☁️'],
  ['04', '☁️'],
  ['09', '🌧️'],
  ['10', '🌦️'],
  ['11', '⛈️'],
  ['13', '🌨️'],
  ['50', '🌫️'],
])

/** Of an icon's name, which ends with the letter of day or night. */
export function emojiOf(icon: string): string {
  return EMOJI.get(icon) ?? EMOJI.get(icon.slice(0, 2)) ?? '🌍'
}

/** Colours from freezing to hot, each from its temperature on. */
const WARMTH: readonly (readonly [celsius: number, colour: number])[] = [
  [35, 0xd93a2b],
  [28, 0xec6a2c],
  [21, 0xf5a623],
  [14, 0xe8c547],
  [7, 0x7fb685],
  [0, 0x4aa3c7],
  [-10, 0x4a7fd6],
]

export function warmth(celsius: number): number {
  return WARMTH.find(([from]) => celsius >= from)?.[1] ?? 0x6c5fd1
}
