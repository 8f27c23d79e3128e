import { expect } from 'chai'
import { itCopesWithEveryFailure } from '../../support/upstreams/failing.ts'
import { OBSERVED_AT, startOpenMeteo, type OpenMeteo } from '../../support/upstreams/open-meteo.ts'
import { dataOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('GET /v1/tools/weather', () => {
  let service: OpenMeteo
  let api: UtilityApi

  beforeEach(async () => {
    service = await startOpenMeteo()
    api = await startUtilityApi({
      ...upstreamUrls({ 'open-meteo': service.url, 'open-meteo-geocoding': service.url }),
      UPSTREAM_TIMEOUT_MS: '1000',
    })
  })
  afterEach(async () => {
    await api.close()
    await service.close()
  })

  const ask = (city: string) => api.call('GET', `/v1/tools/weather?city=${encodeURIComponent(city)}`)
  const weatherOf = (city: string) => dataOf(ask(city))

  it('answers every field, in its own envelope and with the request id', async () => {
    const { status, body, headers } = await ask('Göteborg')
    expect(status).to.equal(200)
    expect(headers.get('x-ratelimit-class')).to.equal('fetch')
    expect(body).to.deep.equal({
      error: false,
      requestId: headers.get('x-request-id'),
      data: {
        city: 'Gothenburg',
        country: 'SE',
        coordinates: { lon: 11.96679, lat: 57.70716 },
        timezone: { offsetSeconds: 3600, offsetHours: 1, utc: 'UTC+01:00' },
        observedAt: { timestamp: OBSERVED_AT, utc: '2026-11-21T12:15:00Z', local: '2026-11-21T13:15:00' },
        temperature: {
          unit: 'celsius',
          current: 6.3,
          currentFahrenheit: 43.34,
          feelsLike: 2.9,
          tempMin: 6.3,
          tempMax: 6.3,
        },
        humidity: 78,
        pressure: { sea: 1003.4, ground: 1001.2 },
        visibility: { meters: 10_000, kilometers: 10 },
        cloudiness: 66,
        wind: { speed: 4.27, speedKmh: 15.37, gust: 9.8, deg: 203, direction: 'SSW' },
        precipitation: { rainLastHour: 1.1, snowLastHour: 0.2 },
        sun: {
          sunrise: 1_795_245_720,
          sunset: 1_795_272_660,
          sunriseUtc: '2026-11-21T07:22:00Z',
          sunsetUtc: '2026-11-21T14:51:00Z',
          sunriseLocal: '2026-11-21T08:22:00',
          sunsetLocal: '2026-11-21T15:51:00',
          daylightSeconds: 26_940,
          isDaytime: true,
        },
        weather: {
          id: 520,
          main: 'Rain',
          description: 'light intensity shower rain',
          icon: '09d',
          iconUrl: 'https://openweathermap.org/img/wn/09d@2x.png',
        },
      },
    })
  })

  describe('the city', () => {
    it('may be written in any script, with accents, apostrophes and dots', async () => {
      const cities = ['São Paulo', 'Łódź', '東京', 'Санкт-Петербург', "Coeur d'Alene", 'Saint-Étienne']
      for (const city of cities) await weatherOf(city)
      expect((await weatherOf('Göteborg'.normalize('NFD'))).city).to.equal('Gothenburg')
      expect(service.received.find(({ query }) => query.get('name') === 'São Paulo')?.rawUrl).to.contain(
        'S%C3%A3o%20Paulo',
      )
      expect((await weatherOf('Washington, D.C.')).country).to.equal('US')
      expect((await api.call('GET', '/v1/tools/weather?city=S%C3%A3o+Paulo')).status).to.equal(200)
    })

    it('is found in the country and the state that follow it', async () => {
      const expected: Record<string, number> = {
        Paris: 2.3488,
        'Paris,US': -95.55551,
        'Paris, usa': -95.55551,
        'Paris, France': 2.3488,
        'Paris, Texas': -95.55551,
        'Paris,TN,US': -88.32671,
        'London,UK': -0.12574,
        'London,CA': -81.23304,
        'London,ON,CA': -81.23304,
        'London, England': -0.12574,
        'Springfield, US': -93.29824,
        'Springfield,IL': -89.64371,
        'Austin,TX': -97.74306,
        'London,': -0.12574,
        'Washington,DC': -77.03637,
      }
      for (const [city, lon] of Object.entries(expected)) {
        expect((await weatherOf(city)).coordinates.lon, city).to.equal(lon)
      }
    })

    it('is a town, not the state of the same name, where there is one, and need not belong to a country', async () => {
      expect((await weatherOf('Nowhere')).country).to.equal('')
      expect((await weatherOf('Victoria')).country).to.equal('CA')
    })

    it('answers 404 when there is none of this name, whichever way the geocoder says so', async () => {
      for (const city of ['Atlantis', 'Å', 'Paris,DE', 'Springfield,ON,CA', '__proto__', '<script>', 'x,ZZ']) {
        const { status, body } = await ask(city)
        expect([status, body.error.code], city).to.deep.equal([404, 'not_found'])
      }
      for (const results of [[], null, undefined]) {
        service.next = { json: { results, generationtime_ms: 0.1 } }
        expect((await ask(`Atlantis ${String(results)}`)).status).to.equal(404)
      }
    })

    it('answers 400 when it is missing, empty, too long, given twice or not a city at all', async () => {
      const queries = [
        '',
        '?city=',
        '?city=%20',
        '?city=%2CGB',
        '?city=a%00b',
        '?city=a,b,c,d',
        '?city=a,b,zz',
        '?city=a&city=b',
      ]
      for (const query of [...queries, `?city=${'x'.repeat(201)}`]) {
        const { status, body } = await api.call('GET', `/v1/tools/weather${query}`)
        expect([status, body.error.code], query).to.deep.equal([400, 'bad_request'])
        expect(body.error.details[0].field, query).to.equal('query.city')
      }
      expect(service.received).to.have.length(0)
    })
  })

  describe('the sky', () => {
    it('has the time zone that the answer names, in quarters of an hour and across the date line', async () => {
      const zones: [number, string, number, string][] = [
        [20_700, 'UTC+05:45', 5.75, '2026-11-21T18:00:00'],
        [-12_600, 'UTC-03:30', -3.5, '2026-11-21T08:45:00'],
        [45_900, 'UTC+12:45', 12.75, '2026-11-22T01:00:00'],
        [50_400, 'UTC+14:00', 14, '2026-11-22T02:15:00'],
        [-43_200, 'UTC-12:00', -12, '2026-11-21T00:15:00'],
        [0, 'UTC+00:00', 0, '2026-11-21T12:15:00'],
      ]
      for (const [offsetSeconds, utc, offsetHours, local] of zones) {
        service.sky.offsetSeconds = offsetSeconds
        const data = await weatherOf('Göteborg')
        expect(data.timezone).to.deep.equal({ offsetSeconds, offsetHours, utc })
        expect(data.observedAt.local).to.equal(local)
        api.clock.nowMs += 600_000
      }
    })

    it('has null for what was not measured, and nothing that fell where nothing was measured', async () => {
      Object.assign(service.sky.current, {
        wind_gusts_10m: null,
        surface_pressure: null,
        apparent_temperature: null,
        wind_direction_10m: null,
      })
      for (const name of ['visibility', 'rain', 'showers', 'snowfall'])
        service.sky.hourly[name] = [null, null, null, null]
      const data = await weatherOf('Göteborg')
      expect(data.wind).to.include({ gust: null, deg: 0, direction: 'N' })
      expect(data.pressure.ground).to.equal(null)
      expect(data.visibility).to.deep.equal({ meters: null, kilometers: null })
      expect(data.precipitation).to.deep.equal({ rainLastHour: 0, snowLastHour: 0 })
      expect(data.temperature.feelsLike).to.equal(6.3)
    })

    it('lasts all day or all night beyond the polar circles, whether the service says so or says nothing', async () => {
      const midnight = 1_795_215_600
      const cases = [
        { sunrise: midnight, sunset: midnight + 86_400, is_day: 1, daylight: 86_400 },
        { sunrise: midnight, sunset: midnight, is_day: 0, daylight: 0 },
        { sunrise: null, sunset: null, is_day: 1, daylight: 86_400 },
        { sunrise: null, sunset: null, is_day: 0, daylight: 0 },
      ]
      for (const { sunrise, sunset, is_day, daylight } of cases) {
        service.sky.current['is_day'] = is_day
        Object.assign(service.sky.daily, { sunrise: [sunrise], sunset: [sunset] })
        const { sun } = await weatherOf('Göteborg')
        expect(sun).to.deep.include({
          sunrise: midnight,
          sunset: midnight + daylight,
          sunriseLocal: '2026-11-21T00:00:00',
          daylightSeconds: daylight,
          isDaytime: daylight > 0,
        })
        api.clock.nowMs += 600_000
      }
    })

    it('counts no negative day where the sunset is the one of the day before', async () => {
      Object.assign(service.sky.daily, { sunrise: [OBSERVED_AT - 3600], sunset: [OBSERVED_AT - 3600 - 46_800] })
      const { sun } = await weatherOf('Göteborg')
      expect(sun).to.include({ daylightSeconds: 39_600, isDaytime: true })
    })

    it('never shows a negative zero or the noise of fractions', async () => {
      Object.assign(service.sky.current, {
        temperature_2m: -0.0,
        apparent_temperature: -0.004,
        wind_speed_10m: 0.1 + 0.2,
      })
      const response = await fetch(`${api.baseUrl}/v1/tools/weather?city=Paris`, {
        headers: { authorization: `Bearer svc.${'a1'.repeat(32)}` },
      })
      const text = await response.text()
      expect(text)
        .to.contain('"current":0,"currentFahrenheit":32,"feelsLike":0')
        .and.to.contain('"speed":0.3,"speedKmh":1.08')
    })

    it('has a condition for every code of the service, and by the clouds for one that is new', async () => {
      const expected: [number | null, number, number, string][] = [
        [0, 0, 800, '01d'],
        [1, 20, 801, '02d'],
        [2, 40, 802, '03d'],
        [3, 84, 803, '04d'],
        [3, 85, 804, '04d'],
        [57, 100, 511, '13d'],
        [75, 100, 602, '13d'],
        [99, 100, 202, '11d'],
        [null, 5, 800, '01d'],
        [4242, 30, 802, '03d'],
        [4242, 99, 804, '04d'],
      ]
      for (const [code, clouds, id, icon] of expected) {
        Object.assign(service.sky.current, { weather_code: code, cloud_cover: clouds })
        expect((await weatherOf('Göteborg')).weather, `${code}`).to.include({ id, icon })
        api.clock.nowMs += 600_000
      }
    })
  })

  describe('the service behind it', () => {
    it('is asked once for a hundred identical requests at once, and not at all for what is known', async () => {
      await Promise.all(Array.from({ length: 100 }, (_, i) => weatherOf(i % 2 ? 'Paris' : ' paris ')))
      expect(service.received).to.have.length(2)
      await weatherOf('PARIS')
      expect(service.received).to.have.length(2)
      await weatherOf('Paris,US')
      expect(service.received).to.have.length(4)
    })

    it('remembers for ten minutes that there is no such city', async () => {
      await ask('Atlantis')
      await ask('atlantis')
      expect(service.received).to.have.length(1)
      api.clock.nowMs += 600_000
      await ask('Atlantis')
      expect(service.received).to.have.length(2)
    })

    itCopesWithEveryFailure(it, {
      service: () => service,
      ask: () => ask('Paris'),
      status: 500,
      code: 'internal_error',
      words: /^The weather service \(127\.0\.0\.1:\d+\) /,
      wait: () => (api.clock.nowMs += 60_000),
    })

    it('answers 500 when a number that must be there is missing', async () => {
      service.sky.current['temperature_2m'] = null
      expect((await ask('Paris')).status).to.equal(500)
    })

    it('answers 500 to its documented failures of a good request', async () => {
      const failures = [
        { status: 400, json: { error: true, reason: 'Invalid timezone' } },
        { status: 429, json: { error: true, reason: 'Minutely API request limit exceeded.' } },
        { status: 503, json: { error: true, reason: 'The service is overloaded' } },
        { text: '{"latitude":48.14,"current":{"time":1795Unexpected error while streaming data: timeout' },
        { json: [{ latitude: 1 }, { latitude: 2 }] },
      ]
      for (const failure of failures) {
        service.next = failure
        const { status, body } = await ask('Paris')
        expect(status).to.equal(500)
        expect(body.error.message).not.to.contain('Unexpected')
      }
    })
  })
})
