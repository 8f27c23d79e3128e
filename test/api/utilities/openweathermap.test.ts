import { expect } from 'chai'
import { readConfig } from '../../../config.ts'
import { compassPoint } from '../../../upstream/weather/report.ts'
import { OBSERVED_AT } from '../../support/upstreams/open-meteo.ts'
import { OPENWEATHER_KEY, startOpenWeatherMap, type OpenWeatherMap } from '../../support/upstreams/openweathermap.ts'
import { dataOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('the weather by OpenWeatherMap', () => {
  let service: OpenWeatherMap
  let api: UtilityApi

  beforeEach(async () => {
    service = await startOpenWeatherMap()
    api = await startUtilityApi({
      ...upstreamUrls({ openweathermap: service.url, 'weather-icons': 'https://icons.example/' }),
      OPENWEATHER_API_KEY: OPENWEATHER_KEY,
    })
  })
  afterEach(async () => {
    await api.close()
    await service.close()
  })

  const ask = (city: string) => api.call('GET', `/v1/tools/weather?city=${encodeURIComponent(city)}`)
  const weatherOf = (city: string) => dataOf(ask(city))

  it('is used as soon as there is a key, and gives the same fields', async () => {
    const data = await weatherOf('Göteborg')
    expect(data).to.deep.include({
      city: 'Gothenburg',
      country: 'SE',
      timezone: { offsetSeconds: 3600, offsetHours: 1, utc: 'UTC+01:00' },
      temperature: {
        unit: 'celsius',
        current: 6.31,
        currentFahrenheit: 43.36,
        feelsLike: 2.94,
        tempMin: 5.6,
        tempMax: 7.2,
      },
      pressure: { sea: 1004, ground: 1001 },
      visibility: { meters: 10_000, kilometers: 10 },
      precipitation: { rainLastHour: 1.1, snowLastHour: 0 },
    })
    expect(data.weather.iconUrl).to.equal('https://icons.example/09d@2x.png')
  })

  it('copes with everything that may be missing', async () => {
    const { main, ...rest } = service.current
    service.current = {
      ...rest,
      main: { temp: -0.2, pressure: 1019, humidity: 60 },
      wind: { speed: 1 },
      sys: {},
      name: '',
    }
    delete service.current['rain']
    delete service.current['visibility']
    const data = await weatherOf('Göteborg')
    expect(main).to.be.an('object')
    expect(data).to.include({ city: 'Gothenburg', country: 'SE' })
    expect(data.pressure).to.deep.equal({ sea: 1019, ground: null })
    expect(data.visibility).to.deep.equal({ meters: null, kilometers: null })
    expect(data.wind).to.deep.equal({ speed: 1, speedKmh: 3.6, gust: null, deg: 0, direction: 'N' })
    expect(data.precipitation).to.deep.equal({ rainLastHour: 0, snowLastHour: 0 })
    expect(data.temperature).to.include({ feelsLike: -0.2, tempMin: -0.2, tempMax: -0.2 })
  })

  it('takes the first of several conditions, and rain of three hours as a third of it', async () => {
    service.current['weather'].push({ id: 701, main: 'Mist', description: 'mist', icon: '50d' })
    service.current['rain'] = { '3h': 3 }
    const data = await weatherOf('Göteborg')
    expect(data.weather.id).to.equal(520)
    expect(data.precipitation.rainLastHour).to.equal(1)
  })

  it('never shows a lowest above or a highest below the temperature', async () => {
    Object.assign(service.current['main'], { temp_min: 9, temp_max: 3 })
    expect((await weatherOf('Göteborg')).temperature).to.include({ tempMin: 6.31, tempMax: 6.31 })
  })

  it('makes up the sun where it neither rises nor sets, like the other service', async () => {
    service.current['sys'] = { country: 'NO' }
    for (const [icon, daylightSeconds] of [
      ['13d', 86_400],
      ['13n', 0],
    ] as const) {
      service.current['weather'][0].icon = icon
      expect((await weatherOf('Göteborg')).sun).to.include({
        sunrise: 1_795_215_600,
        daylightSeconds,
        isDaytime: icon === '13d',
      })
      api.clock.nowMs += 600_000
    }
    expect(OBSERVED_AT).to.be.above(1_795_215_600)
  })

  it('finds a city in its country and its state', async () => {
    for (const city of ['Paris,US', 'Paris, Texas', 'London,ON,CA', 'London,CA', 'Portland,ME']) await weatherOf(city)
    const asked = service.received.filter(({ path }) => path === '/geo/1.0/direct').map(({ query }) => query.get('q'))
    expect(asked).to.deep.equal(['Paris,US', 'Paris', 'London,CA', 'London,CA', 'Portland,ME', 'Portland,ME,US'])
    const places = service.received
      .filter(({ path }) => path === '/data/2.5/weather')
      .map(({ query }) => query.get('lon'))
    expect(places).to.deep.equal(['-95.5555', '-81.2434', '-70.2587'])
    expect((await ask('London,ON,GB')).status).to.equal(404)
  })

  it('answers 404 for an empty list and for a code that is a text', async () => {
    expect((await ask('Atlantis')).status).to.equal(404)
  })

  it('answers 500 and keeps the key to itself when the key is refused', async () => {
    const wrong = await startUtilityApi({
      ...upstreamUrls({ openweathermap: service.url }),
      OPENWEATHER_API_KEY: 'hush-hush',
    })
    const { status, body } = await wrong.call('GET', '/v1/tools/weather?city=Paris')
    expect(status).to.equal(500)
    expect(JSON.stringify([body, wrong.log])).not.to.contain('hush')
    await wrong.close()
  })

  it('cannot be chosen without a key', () => {
    expect(() => readConfig({ WEATHER_PROVIDER: 'openweathermap' })).to.throw('OPENWEATHER_API_KEY')
    expect(
      readConfig({ WEATHER_PROVIDER: 'open-meteo', OPENWEATHER_API_KEY: 'x' }).utilities.weather.provider,
    ).to.equal('open-meteo')
    expect(readConfig({ OPEN_METEO_API_KEY: 'x' }).utilities.weather.openMeteo.baseUrl).to.equal(
      'https://customer-api.open-meteo.com',
    )
  })

  it('names the wind by sixteen points', () => {
    const points: [number, string][] = [
      [0, 'N'],
      [360, 'N'],
      [11.24, 'N'],
      [11.25, 'NNE'],
      [348.74, 'NNW'],
      [348.75, 'N'],
      [359.9, 'N'],
      [-90, 'W'],
      [180, 'S'],
      [225, 'SW'],
    ]
    for (const [degrees, point] of points) expect(compassPoint(degrees), String(degrees)).to.equal(point)
  })
})
