import { startStandIn, type StandIn } from './stand-in.ts'

export const STATION_ID = '00000000-0000-4000-8000-000000000041'

export interface RadioBrowserStandIn extends StandIn {
  /** Stream URL of its first station. */
  stream: string
  /** Hosts of the servers that it lists. */
  servers: string[]
}

export async function startRadioBrowser(): Promise<RadioBrowserStandIn> {
  const stand = { stream: 'http://radio.example.org:8000/live', servers: new Array<string>() }
  const station = (end: string, more: Record<string, unknown> = {}) => ({
    stationuuid: `00000000-0000-4000-8000-0000000000${end}`,
    name: ' Harbour \tFM ',
    url: 'http://radio.example.org/stream.m3u',
    url_resolved: stand.stream,
    homepage: '',
    favicon: '',
    country: 'Germany',
    hls: 0,
    lastcheckok: 1,
    ...more,
  })
  const service = await startStandIn(({ path, query }) => {
    if (path === '/json/servers') return { json: stand.servers.map((name) => ({ ip: '127.0.0.1', name })) }
    if (path === '/json/stations/search') {
      if (query.get('name') === 'nothing' || query.get('tag') === 'nothing') return { json: [] }
      if (query.get('tag')) return { json: [station('46', { name: 'Jazz One', url_resolved: 'http://jazz.example/' })] }
      if (query.get('name') === 'few') return { json: [station('41')] }
      return {
        json: [
          station('41'),
          station('42'),
          station('43', { url_resolved: 'http://two.example/', homepage: 'https://two.example/', favicon: '//x' }),
          station('44', { url_resolved: 'http://three.example/', lastcheckok: 0 }),
          station('45', { url_resolved: 'http://four.example/live.m3u8', hls: 1 }),
          { stationuuid: 'none' },
        ],
      }
    }
    if (path === `/json/url/${STATION_ID}`) return { json: { ok: 'true', message: 'retrieved', url: stand.stream } }
    if (path.startsWith('/json/url/')) return { json: { ok: false, message: 'did not find station' } }
  })
  return Object.assign(stand, service)
}
