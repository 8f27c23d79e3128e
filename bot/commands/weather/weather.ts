import type { APIEmbed } from 'discord.js'
import { WeatherQuery, type WeatherReport } from '../../../upstream/weather/schemas.ts'
import { command } from '../core/command.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { input, type Suggest, labelOf } from '../core/options.ts'
import { lookupHandler, type Reader } from '../core/lookup.ts'
import { count, field, flag, nameCountry, percent, title } from '../core/embed-format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const weatherText = textOf('weather', 'weather')

/** Fewer letters would fit half of the world. */
const LEAST_TYPED = 3
/** Discord's limit for what is chosen from a list. */
const LONGEST_CHOICE = 100
const DAY_SECONDS = 86_400

type Words = (typeof weatherText)['en']['words']

const suggestCities: Suggest = async (typed, { language }, { utilities }) => {
  if (typed.trim().length < LEAST_TYPED) return []
  const places = await utilities.weather.suggest(typed)
  return places.map(({ name, region, country }) => ({
    name: inARow(name, region, nameCountry(country, language)),
    value: inARow(name, region, country),
  }))
}

export const weather = command({
  name: 'weather',
  labels: labelOf(weatherText),
  ...lookupHandler(weatherText, {
    options: { city: input(WeatherQuery.shape.city, { max: LONGEST_CHOICE, suggest: suggestCities }) },
    find: ({ city }, { weather }) => weather.find(city),
    refuse: ({ unknownCity, badCity }, { city }) => ({ missing: unknownCity({ city }), invalid: badCity }),
    draw,
  }),
})

function draw(report: WeatherReport, { words, language, lookups }: Reader<Words>): APIEmbed {
  const { credit } = lookups.weather
  const { temperature, observedAt, humidity, cloudiness, pressure } = report
  const degrees = unit(language, 'celsius')
  const share = (value: number) => percent(language, Math.round(value) / 100)
  const fahrenheit = unit(language, 'fahrenheit')(temperature.currentFahrenheit)
  return {
    title: title(`${nameOf(report, language)} ${flag(report.country)}`),
    description: [
      `# ${emojiOf(report.weather.icon)} ${degrees(temperature.current)}`,
      `**${skyOf(report.weather.id, language)}** · ${words.feelsLike({ temperature: degrees(temperature.feelsLike) })} · ${fahrenheit}`,
      // Its terms: a link, wherever the data is shown.
      `-# [Weather data by ${credit.name}](${credit.url}) · ${words.localTime({ time: clock(observedAt.local, language) })}`,
    ].join('\n'),
    color: warmth(temperature.current),
    fields: [
      ...field(`💨 ${words.wind}`, windOf(report, language)),
      ...field(`💧 ${words.humidity}`, share(humidity)),
      ...field(`☁️ ${words.clouds}`, share(cloudiness)),
      ...field(`🌅 ${words.sun}`, sunOf(report, language)),
      ...field(`⏲️ ${words.pressure}`, `${count(language, Math.round(pressure.sea))} hPa`),
      ...field(`👁️ ${words.visibility}`, visibilityOf(report, language)),
      ...fallen(report, language),
    ],
  }
}

function inARow(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(', ')
}

function nameOf({ city, country }: WeatherReport, language: Language): string {
  return country === '' ? city : `${city}, ${nameCountry(country, language)}`
}

function windOf({ wind }: WeatherReport, language: Language): string {
  const { words } = weatherText[language]
  const speed = unit(language, 'kilometer-per-hour')
  const point = words.compass.split(' ')[Math.round(wind.deg / 22.5) % 16] ?? ''
  const gusts =
    wind.gust !== null && wind.gust > wind.speed ? `\n${words.gusts({ speed: speed(wind.gust * 3.6) })}` : ''
  return `${speed(wind.speedKmh)} ${point}${gusts}`
}

/** Nothing above the polar circles, where the sun neither rises nor sets. */
function sunOf({ sun }: WeatherReport, language: Language): string | null {
  if (sun.daylightSeconds <= 0 || sun.daylightSeconds >= DAY_SECONDS) return null
  return `${clock(sun.sunriseLocal, language)} – ${clock(sun.sunsetLocal, language)}`
}

function visibilityOf({ visibility }: WeatherReport, language: Language): string | null {
  return visibility.kilometers === null ? null : unit(language, 'kilometer', 1)(visibility.kilometers)
}

function fallen({ precipitation: { rainLastHour, snowLastHour } }: WeatherReport, language: Language) {
  const { words } = weatherText[language]
  const depth = unit(language, 'millimeter', 1)
  return [
    ...field(`🌧️ ${words.rain}`, rainLastHour > 0 ? depth(rainLastHour) : null),
    ...field(`🌨️ ${words.snow}`, snowLastHour > 0 ? depth(snowLastHour) : null),
  ]
}

function unit(language: Language, name: string, maximumFractionDigits = 0): (value: number) => string {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: name, maximumFractionDigits })
  // `+ 0` and the rounding before: no "-0 °C".
  const scale = 10 ** maximumFractionDigits
  return (value) => format.format(Math.round(value * scale) / scale + 0)
}

/** The time on the clocks there, of an instant that is written in it. */
function clock(local: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  return format.format(Date.parse(`${local}Z`))
}

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

function skyOf(conditionId: number, language: Language): string {
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
function emojiOf(icon: string): string {
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

function warmth(celsius: number): number {
  return WARMTH.find(([from]) => celsius >= from)?.[1] ?? 0x6c5fd1
}
