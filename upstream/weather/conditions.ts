/** A condition in OpenWeatherMap's words, which are the words of our API. */
interface Condition {
  readonly id: number
  readonly main: string
  readonly description: string
  /** Without the day or night letter. */
  readonly icon: string
}

const condition = (id: number, main: string, description: string, icon: string): Condition => ({
  id,
  main,
  description,
  icon,
})

const CLEAR = condition(800, 'Clear', 'clear sky', '01')
const FEW_CLOUDS = condition(801, 'Clouds', 'few clouds', '02')
const SCATTERED_CLOUDS = condition(802, 'Clouds', 'scattered clouds', '03')
const BROKEN_CLOUDS = condition(803, 'Clouds', 'broken clouds', '04')
const OVERCAST = condition(804, 'Clouds', 'overcast clouds', '04')
const FOG = condition(741, 'Fog', 'fog', '50')
const FREEZING_RAIN = condition(511, 'Rain', 'freezing rain', '13')
const LIGHT_SNOW = condition(600, 'Snow', 'light snow', '13')

/** WMO code table 4677, as far as Open-Meteo uses it. */
const BY_WMO_CODE: ReadonlyMap<number, Condition> = new Map([
  [0, CLEAR],
  [1, FEW_CLOUDS],
  [2, SCATTERED_CLOUDS],
  [3, OVERCAST],
  [45, FOG],
  [48, FOG],
  [51, condition(300, 'Drizzle', 'light intensity drizzle', '09')],
  [53, condition(301, 'Drizzle', 'drizzle', '09')],
  [55, condition(302, 'Drizzle', 'heavy intensity drizzle', '09')],
  [56, FREEZING_RAIN],
  [57, FREEZING_RAIN],
  [61, condition(500, 'Rain', 'light rain', '10')],
  [63, condition(501, 'Rain', 'moderate rain', '10')],
  [65, condition(502, 'Rain', 'heavy intensity rain', '10')],
  [66, FREEZING_RAIN],
  [67, FREEZING_RAIN],
  [71, LIGHT_SNOW],
  [73, condition(601, 'Snow', 'snow', '13')],
  [75, condition(602, 'Snow', 'heavy snow', '13')],
  [77, LIGHT_SNOW],
  [80, condition(520, 'Rain', 'light intensity shower rain', '09')],
  [81, condition(521, 'Rain', 'shower rain', '09')],
  [82, condition(522, 'Rain', 'heavy intensity shower rain', '09')],
  [85, condition(620, 'Snow', 'light shower snow', '13')],
  [86, condition(622, 'Snow', 'heavy shower snow', '13')],
  [95, condition(211, 'Thunderstorm', 'thunderstorm', '11')],
  [96, condition(201, 'Thunderstorm', 'thunderstorm with rain', '11')],
  [99, condition(202, 'Thunderstorm', 'thunderstorm with heavy rain', '11')],
])

/** The condition of a WMO code; by the clouds alone (percent) if there is none or an unknown one. */
export function conditionOf(wmoCode: number | null, cloudiness: number): Condition {
  const known = wmoCode === null ? undefined : BY_WMO_CODE.get(wmoCode)
  if (!known) return byClouds(cloudiness)
  const isBroken = known === OVERCAST && cloudiness >= 51 && cloudiness <= 84
  return isBroken ? BROKEN_CLOUDS : known
}

function byClouds(cloudiness: number): Condition {
  if (cloudiness < 11) return CLEAR
  if (cloudiness <= 25) return FEW_CLOUDS
  if (cloudiness <= 50) return SCATTERED_CLOUDS
  return cloudiness <= 84 ? BROKEN_CLOUDS : OVERCAST
}
