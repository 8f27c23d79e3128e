import { expect } from 'chai'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { musicWeb, reaching, TAGS } from '../../../support/music-web.ts'
import { listen } from '../../../support/web.ts'

const { signal } = new AbortController()

describe('the http source', () => {
  const web = musicWeb()

  async function trackAt(path: string): Promise<TrackInfo> {
    const { tracks } = await web.sources.find(web.url + path, signal)
    expect(tracks).to.have.length(1)
    return tracks[0] as TrackInfo
  }

  for (const [file, probe, codec] of [
    ['song.mp3', 'mp3', 'other'],
    ['song.flac', 'flac', 'other'],
    ['song.opus', 'ogg', 'ogg-opus'],
    ['song.m4a', 'mp4', 'other'],
    ['song.webm', 'matroska/webm', 'webm-opus'],
  ] as const) {
    it(`finds ${file} with its tags and length, and opens it from its token`, async () => {
      const track = await trackAt(`/${file}`)
      const url = `${web.url}/${file}`
      expect(track).to.include({ title: TAGS.title, author: TAGS.artist, isStream: false, probe })
      expect(track).to.include({ uri: url, identifier: url, sourceName: 'http', artworkUrl: null })
      expect(track.lengthMs).to.be.closeTo(20_000, 60)
      const playable = await web.sources.open(decodeToken(encodeToken(track)), signal)
      expect(playable).to.deep.equal({ kind: 'http', url, codec, isStream: false })
      expect(web.requests.length).to.be.lessThan(6)
    })
  }

  it('takes what it can get from a server that knows no ranges', async () => {
    web.answer = ({ url }, response) => {
      const path = join(web.folder, url ?? '')
      response.writeHead(200, { 'content-length': statSync(path).size })
      createReadStream(path).pipe(response)
    }
    for (const [file, codec] of [
      ['song.mp3', 'other'],
      ['song.flac', 'other'],
      ['song.opus', 'ogg-opus'],
      ['song.webm', 'webm-opus'],
      ['fast.m4a', 'other'],
    ] as const) {
      const track = await trackAt(`/${file}`)
      expect(track, file).to.include({ title: TAGS.title, isStream: false })
      // The length of Ogg stands at its end.
      if (file !== 'song.opus') expect(track.lengthMs, file).to.be.closeTo(20_000, 60)
      expect(await web.sources.open(track, signal), file).to.include({ codec })
    }
    expect(web.requests).to.have.length(5)
  })

  it('goes by what is in a file, not by what it is called', async () => {
    web.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      createReadStream(join(web.folder, 'song.flac')).pipe(response)
    }
    expect(await trackAt('/cover.png')).to.include({ title: TAGS.title, probe: 'flac' })
  })

  it('names a file without tags by what the server or the address calls it', async () => {
    let disposition = ''
    web.answer = (_, response) => {
      if (disposition) response.setHeader('content-disposition', Buffer.from(disposition).toString('latin1'))
      response.end(readFileSync(join(web.folder, 'plain.mp3')))
    }
    for (const [path, sent, title] of [
      ['/Evening%20Song.mp3', '', 'Evening Song'],
      ['/my_first_song.mp3', '', 'my first song'],
      ['/%E6%9D%B1%E4%BA%AC.mp3', '', '東京'],
      ['/%ff.mp3', '', '%ff'],
      ['/get?id=1', 'attachment; filename="Quiet Road.mp3"', 'Quiet Road'],
      ['/get?id=2', "attachment; filename=x.mp3; filename*=UTF-8''S%C3%BC%C3%9Fe%20Nacht.mp3", 'Süße Nacht'],
      ['/get?id=3', 'attachment; filename="Süße.mp3"', 'Süße'],
      ['/get?id=4', 'attachment; filename="../../etc/passwd.mp3"', 'passwd'],
      ['/', '', web.host],
    ] as const) {
      disposition = sent
      expect(await trackAt(path), path).to.include({ title, author: web.host })
    }
  })

  it('takes a title of characters that draw nothing for none', async () => {
    makeAudio(join(web.folder, 'Quiet_Road.mp3'), {
      seconds: 1,
      tags: { title: '\u200B\u2060\u202E', artist: '\u3164 \u2800' },
    })
    expect(await trackAt('/Quiet_Road.mp3')).to.include({ title: 'Quiet Road', author: web.host })
    makeAudio(join(web.folder, 'heart.mp3'), { seconds: 1, tags: { title: '❤️\u200D🔥', artist: 'a\u200B' } })
    expect(await trackAt('/heart.mp3')).to.include({ title: '❤️\u200D🔥', author: 'a\u200B' })
  })

  it('follows redirects, and keeps the address that was asked for', async () => {
    web.answer = (request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: '/song.mp3' }).end()
      else web.files(request, response)
    }
    expect(await trackAt('/old')).to.include({ title: TAGS.title, uri: `${web.url}/old` })
  })

  it('knows an internet radio, whose stream begins in the middle of a frame', async () => {
    for (const file of ['song.mp3', 'live.aac']) {
      const sound = readFileSync(join(web.folder, file)).subarray(5003)
      web.answer = (request, response) => {
        expect(request.headers['icy-metadata']).to.equal('1')
        response.writeHead(200, {
          'content-type': 'audio/mpeg',
          'icy-name': 'Radio S\xc3\xbcd',
          'icy-metaint': '16000',
        })
        response.write(sound.subarray(0, 16_000))
        response.write(Buffer.from(`\x02StreamTitle='Artist - Song';`.padEnd(33, '\0'), 'latin1'))
        response.write(sound.subarray(16_000))
      }
      const track = await trackAt(`/${file}/;stream`)
      expect(track).to.include({
        title: 'Radio Süd',
        isStream: true,
        lengthMs: 0,
        probe: file === 'song.mp3' ? 'mp3' : 'adts',
      })
      expect(await web.sources.open(track, signal)).to.include({ kind: 'http', isStream: true, codec: 'other' })
    }
  })

  it('refuses a radio that sends a title after every few bytes of sound', async () => {
    web.answer = (_, response) => void response.writeHead(200, { 'icy-metaint': '16' }).end(Buffer.alloc(4000))
    const failure = await trackAt('/titles').catch((error: unknown) => error)
    expect(failure).to.have.property('message').that.includes('every 16 bytes')
    expect(web.requests).to.have.length(1)
  })

  it('refuses a file whose header promises more channels and samples than any has', async () => {
    const format = '\x10\0\0\0\x01\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x20\0'
    const head = Buffer.from(`RIFF\xff\xff\xff\xffWAVEfmt ${format}data\xff\xff\xff\xff`, 'latin1')
    web.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(Buffer.concat([head, Buffer.alloc(200_000, 1)]))
    }
    const failure = await trackAt('/rates.wav').catch((error: unknown) => error)
    expect(failure).to.have.property('message').that.includes('has no audio')
  })

  it('knows a radio that sends Ogg Opus, slowly', async () => {
    const sound = readFileSync(join(web.folder, 'song.opus'))
    web.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/ogg', 'icy-name': 'Slow', 'icy-br': '96' })
      let at = 0
      const timer = setInterval(() => response.write(sound.subarray(at, (at += 6000))), 50)
      response.on('close', () => clearInterval(timer))
    }
    const track = await trackAt('/live')
    expect(track).to.include({ title: 'Slow', isStream: true, probe: 'ogg' })
    expect(await web.sources.open(track, signal)).to.include({ codec: 'ogg-opus', isStream: true })
  })

  it('knows the radio of an old SHOUTcast server', async () => {
    const sound = readFileSync(join(web.folder, 'song.mp3')).subarray(5003)
    const shoutcast = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(
          'ICY 200 OK\r\nicy-notice1:<BR>\r\nicy-name:Old Tower\r\nicy-br:128\r\ncontent-type:audio/mpeg\r\n\r\n',
        )
        socket.write(sound)
      })
    })
    const { url, port } = web.own(await listen(shoutcast))
    const old = await reaching(web, `127.0.0.1:${port}`)
    const { tracks } = await old.find(`${url}/`, signal)
    expect(tracks[0]).to.include({ title: 'Old Tower', isStream: true })
  })
})
