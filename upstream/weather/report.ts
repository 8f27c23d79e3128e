import type { WeatherReport } from './schemas.ts'

/** What a weather service observed, in metric units and seconds. */
export interface Observation {
  readonly city: string
  /** ISO 3166-1 alpha-2; empty if a place belongs to none. */
  readonly country: string
  readonly longitude: number
  readonly latitude: number
  /** Seconds east of UTC there, at that time. */
  readonly offsetSeconds: number
  readonly observedAt: number
  readonly celsius: number
  readonly feelsLike: number
  readonly celsiusMin: number
  readonly celsiusMax: number
  readonly humidity: number
  readonly seaHpa: number
  readonly groundHpa: number | null
  readonly visibilityMeters: number | null
  readonly cloudiness: number
  readonly windSpeed: number
  readonly windGust: number | null
  readonly windDegrees: number
  /** Millimetres of water in the last hour. */
  readonly rainMm: number
  readonly snowMm: number
  /** Null above the polar circles, where the sun neither rises nor sets. */
  readonly sunrise: number | null
  readonly sunset: number | null
  readonly condition: {
    readonly id: number
    readonly main: string
    readonly description: string
    /** With the letter of day or night: `10d`. */
    readonly icon: string
  }
}

const DAY = 86_400
const COMPASS = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW']

/** An observation as `GET /v1/tools/weather` answers it. Times are Unix seconds. */
export function toReport(seen: Observation, iconBaseUrl: string): WeatherReport {
  const { offsetSeconds, observedAt } = seen
  const { icon } = seen.condition
  return {
    city: seen.city,
    country: seen.country,
    coordinates: { lon: seen.longitude, lat: seen.latitude },
    timezone: {
      offsetSeconds,
      offsetHours: round(offsetSeconds / 3600),
      utc: utcOffset(offsetSeconds),
    },
    observedAt: { timestamp: observedAt, utc: utc(observedAt), local: local(observedAt, offsetSeconds) },
    temperature: temperature(seen),
    humidity: round(seen.humidity),
    pressure: { sea: round(seen.seaHpa), ground: roundOrNull(seen.groundHpa) },
    visibility: visibility(seen.visibilityMeters),
    cloudiness: round(seen.cloudiness),
    wind: {
      speed: round(seen.windSpeed),
      speedKmh: round(seen.windSpeed * 3.6),
      gust: roundOrNull(seen.windGust),
      deg: round(seen.windDegrees),
      direction: compassPoint(seen.windDegrees),
    },
    precipitation: { rainLastHour: round(seen.rainMm), snowLastHour: round(seen.snowMm) },
    sun: sunTimes(seen),
    weather: { ...seen.condition, iconUrl: `${iconBaseUrl}/${encodeURIComponent(icon)}@2x.png` },
  }
}

function temperature({ celsius, feelsLike, celsiusMin, celsiusMax }: Observation) {
  return {
    unit: 'celsius' as const,
    current: round(celsius),
    currentFahrenheit: round((celsius * 9) / 5 + 32),
    feelsLike: round(feelsLike),
    tempMin: round(Math.min(celsiusMin, celsius)),
    tempMax: round(Math.max(celsiusMax, celsius)),
  }
}

function visibility(meters: number | null) {
  if (meters === null) return { meters: null, kilometers: null }
  const seen = Math.min(10_000, Math.round(meters))
  return { meters: seen, kilometers: round(seen / 1000) }
}

/**
 * Above the polar circles the day is taken to last from midnight to midnight, and the night likewise: the sun
 * "rises" at local midnight and "sets" a day or nothing later.
 */
function sunTimes({ condition, observedAt, offsetSeconds, ...seen }: Observation) {
  const midnight = Math.floor((observedAt + offsetSeconds) / DAY) * DAY - offsetSeconds
  const sunrise = seen.sunrise ?? midnight
  const given = seen.sunset ?? midnight + (condition.icon.endsWith('d') ? DAY : 0)
  // Where the service's day is another than the city's, the sunset may be the one of the day before.
  const sunset = given < sunrise ? given + DAY : given
  const daylightSeconds = Math.min(DAY, Math.max(0, sunset - sunrise))
  const sinceSunrise = (((observedAt - sunrise) % DAY) + DAY) % DAY
  return {
    sunrise,
    sunset,
    sunriseUtc: utc(sunrise),
    sunsetUtc: utc(sunset),
    sunriseLocal: local(sunrise, offsetSeconds),
    sunsetLocal: local(sunset, offsetSeconds),
    daylightSeconds,
    isDaytime: sinceSunrise < daylightSeconds,
  }
}

export function compassPoint(degrees: number): string {
  const turned = ((degrees % 360) + 360) % 360
  return COMPASS[Math.round(turned / 22.5) % COMPASS.length] ?? 'N'
}

/** Two decimals, without the noise of binary fractions and without a negative zero. */
function round(value: number): number {
  return Math.round(value * 100) / 100 + 0
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value)
}

function utc(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}

function local(seconds: number, offsetSeconds: number): string {
  return utc(seconds + offsetSeconds).replace('Z', '')
}

/** `UTC-03:30`. */
function utcOffset(offsetSeconds: number): string {
  const minutes = Math.round(Math.abs(offsetSeconds) / 60)
  return `UTC${offsetSeconds < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
