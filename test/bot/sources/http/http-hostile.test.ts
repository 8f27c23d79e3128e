import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { musicWeb, TAGS } from '../../../support/music-web.ts'
import { faultOf, serve } from '../../../support/web.ts'

const { signal } = new AbortController()

const REFUSED = ['unplayable', 'address_refused', 'nothing_found', 'source_off']

describe('the http source, of playlists and of what is no music', () => {
  const web = musicWeb()

  it('says what it found where no music is', async () => {
    const bodies: Record<string, [string | Buffer, string]> = {
      '/page': ['<!doctype html><h1>404</h1>', 'a web page'],
      '/image.mp3': [Buffer.from('89504e470d0a1a0a0000', 'hex'), 'an image'],
      '/text': ['root:x:0:0', 'a text file'],
      '/empty': ['', 'nothing'],
      '/noise': [Buffer.alloc(100_000, 1), 'an unknown audio format'],
      '/list.m3u': ['#EXTM3U\n', 'has nothing playable'],
    }
    web.answer = ({ url }, response) => response.end(bodies[url ?? '']?.[0])
    for (const [path, [, words]] of Object.entries(bodies)) {
      const fault = await faultOf(web.sources.find(web.url + path, signal))
      expect(fault.message).to.contain(words)
      expect(fault.code).to.equal('validation_error')
      expect(fault.reason).to.equal('unplayable')
    }
  })

  it('tells a refused file from a server in trouble', async () => {
    web.answer = ({ url }, response) => response.writeHead(Number(url?.slice(1))).end('<html>')
    for (const [status, code, reason] of [
      [401, 'validation_error', 'private'],
      [403, 'validation_error', 'unplayable'],
      [404, 'validation_error', 'nothing_found'],
      [410, 'validation_error', 'nothing_found'],
      [416, 'validation_error', 'unplayable'],
      [418, 'validation_error', 'unplayable'],
      [451, 'validation_error', 'region'],
      [429, 'service_unavailable', 'source_refused'],
      [500, 'service_unavailable', 'unreachable'],
      [503, 'service_unavailable', 'unreachable'],
    ] as const) {
      const fault = await faultOf(web.sources.find(`${web.url}/${status}`, signal))
      expect([fault.code, fault.reason], String(status)).to.deep.equal([code, reason])
    }
  })

  it('reads little of a huge answer', async () => {
    let sent = 0
    const noise = Buffer.alloc(65_536, 'ID3')
    web.answer = (_, response) => {
      response.writeHead(200, { 'content-length': 10_000_000_000 })
      const more = () => {
        while (!response.destroyed && response.write(noise)) sent += noise.length
        sent += noise.length
      }
      response.on('drain', more)
      more()
    }
    await web.sources.find(`${web.url}/huge`, signal).catch(() => {})
    expect(sent).to.be.lessThan(20_000_000)
  })

  it('finds all tracks of a playlist, regardless of its form', async () => {
    const lists: Record<string, string> = {
      '/list.m3u':
        '#EXTM3U\n#PLAYLIST:Evening\n#EXTINF:20,Named\nplain.mp3\n\nsong.mp3\nfile:///etc/passwd\nhttp://10.0.0.1/a.mp3\n',
      '/list.pls':
        '[playlist]\nNumberOfEntries=2\nFile2=song.mp3\nFile1=plain.mp3\nTitle1=Named\nLength1=20\nVersion=2\n',
      '/list.xspf':
        '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>Evening</title><trackList>' +
        '<track><location>plain.mp3?a=1&amp;b=2</location><title>Named</title></track><track><location>song.mp3</location>' +
        '</track></trackList></playlist>',
    }
    web.answer = (request, response) => {
      const list = lists[request.url ?? '']
      if (list) response.end(list)
      else web.files(request, response)
    }
    for (const path of Object.keys(lists)) {
      const { tracks, playlist } = await web.sources.find(web.url + path, signal)
      expect(
        tracks.map(({ title }) => title),
        path,
      ).to.deep.equal(['Named', TAGS.title])
      expect(playlist).to.equal(path === '/list.pls' ? 'list' : 'Evening')
    }
  })

  it('plays one of the servers that a station lists, the first that works', async () => {
    web.answer = ({ url }, response) => {
      if (url === '/tune.pls') return response.end('[playlist]\nFile1=/dead\nFile2=/alive\nFile3=/alive2\n')
      if (url === '/dead') return response.writeHead(404).end()
      response
        .writeHead(200, { 'icy-name': 'Station' })
        .write(readFileSync(join(web.folder, 'song.mp3')).subarray(5003))
    }
    const { tracks, playlist } = await web.sources.find(`${web.url}/tune.pls`, signal)
    expect(tracks.map(({ uri }) => uri)).to.deep.equal([`${web.url}/alive`])
    expect(playlist).to.equal(null)
    expect(web.requests).to.deep.equal(['/tune.pls', '/dead', '/alive'])
  })

  it('looks at the first tracks of a long playlist and takes the others at their word', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `#EXTINF:${i},Title ${i}\nplain.mp3?${i}`)
    web.answer = (request, response) => {
      if (request.url === '/long.m3u') response.end(`#EXTM3U\n${names.join('\n')}`)
      else response.end(readFileSync(join(web.folder, 'plain.mp3')))
    }
    const { tracks } = await web.sources.find(`${web.url}/long.m3u`, signal)
    expect(tracks).to.have.length(100)
    expect(tracks[99]).to.include({ title: 'Title 99', lengthMs: 99_000, isStream: false })
    expect(web.requests.length).to.be.lessThan(30)
  })

  it('gives up on playlists that lead to playlists', async () => {
    let count = 0
    web.answer = (_, response) => response.end(`#EXTM3U\nnext${count++}.m3u\n`)
    const fault = await faultOf(web.sources.find(`${web.url}/list.m3u`, signal))
    expect(fault.message).to.contain('too many nested playlists')
    expect(web.requests).to.have.length(4)
  })

  it('reaches nothing private, by no query, playlist, redirect or token', async () => {
    let hits = 0
    const inner = web.own(await serve((_, response) => response.end(String(hits++))))
    web.answer = ({ url }, response) => {
      if (url === '/list.m3u')
        response.end(`#EXTM3U\n${inner.url}/a.mp3\nhttp://[::1]:${inner.port}/\nfile:///etc/passwd`)
      else response.writeHead(302, { location: inner.url }).end()
    }
    const queries = [`${web.url}/list.m3u`, `${web.url}/redirect`, inner.url, `http://localhost:${inner.port}/`]
    for (const query of [...queries, 'file:///etc/passwd', 'ftp://127.0.0.1/', 'http://', 'concat:a|b://']) {
      const fault = await faultOf(web.sources.find(query, signal))
      expect(fault.code, query).to.equal('validation_error')
      expect(fault.reason, query).to.be.oneOf(REFUSED)
    }
    const token: TrackInfo = {
      title: 't',
      author: 'a',
      lengthMs: 0,
      identifier: '',
      isStream: true,
      uri: 'https://example.com/',
      artworkUrl: null,
      isrc: null,
      sourceName: 'http',
      probe: 'mp3',
    }
    const identifiers = [
      'file:///etc/passwd',
      '/etc/passwd',
      '',
      'pipe:0',
      'x'.repeat(20_000),
      'http://169.254.169.254/',
    ]
    for (const identifier of [inner.url, `${web.url}/redirect`, `${web.url}/list.m3u`, ...identifiers]) {
      for (const sourceName of ['http', 'local', 'youtube']) {
        const hostile = decodeToken(encodeToken({ ...token, identifier, sourceName }))
        const fault = await faultOf(web.sources.open(hostile, signal))
        expect(fault.code, identifier).to.equal('validation_error')
        expect(fault.reason, identifier).to.be.oneOf(REFUSED)
      }
    }
    expect(hits).to.equal(0)
  })

  it('forgets a caller who gives up, and cuts what was asked for', async () => {
    const arrived = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    web.answer = (_, response) => {
      arrived.resolve()
      response.on('close', () => left.resolve())
    }
    const caller = new AbortController()
    const finding = web.sources.find(`${web.url}/slow`, caller.signal).catch((error: Error) => error.message)
    await arrived.promise
    caller.abort(new Error('gone'))
    expect(await finding).to.equal('gone')
    await left.promise
  })
})
