import type { APIEmbed } from 'discord.js'
import { WeatherQuery, type WeatherReport } from '../../../upstream/weather/schemas.ts'
import { command } from '../core/command.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { input, type Suggest } from '../core/options.ts'
import { lookupHandler, type Reader } from '../core/lookup.ts'
import { count, field, flag, nameCountry, percent, title } from '../core/embed-format.ts'
import { emojiOf, skyOf, warmth } from './sky.ts'
import { labelOf } from '../i18n/labels.ts'
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
