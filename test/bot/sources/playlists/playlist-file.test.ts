import { expect } from 'chai'
import { readPlaylist } from '../../../../bot/sources/playlists/playlist-file.ts'
import { sniff } from '../../../../bot/sources/http/sniff.ts'
import { decodeText } from '../../../../bot/sources/http/text.ts'

const base = new URL('http://radio.test/lists/evening.m3u')

function urls(format: Parameters<typeof readPlaylist>[0], text: string): string[] {
  return readPlaylist(format, text, base).entries.map(({ url }) => url)
}

describe('playlists', () => {
  it('name addresses that are complete or relative to their own', () => {
    const text = '\ufeffa.mp3\r\n../b.mp3\r/c.mp3\n//other.test/d.mp3\nhttps://other.test/e.mp3\n?f\n'
    expect(urls('m3u', text)).to.deep.equal([
      'http://radio.test/lists/a.mp3',
      'http://radio.test/b.mp3',
      'http://radio.test/c.mp3',
      'http://other.test/d.mp3',
      'https://other.test/e.mp3',
      'http://radio.test/lists/evening.m3u?f',
    ])
  })

  it('name nothing that is not on the web', () => {
    const text = 'file:///etc/passwd\nftp://a.test/b\njavascript:alert(1)\nhttp://\ndata:audio/mpeg,x\nconcat:a|b\n'
    expect(urls('m3u', `${text}http://ok.test/${'x'.repeat(3000)}`)).to.deep.equal([])
  })

  it('say titles and lengths in the ways that programs write them', () => {
    const text = `#EXTM3U
#PLAYLIST: Late  Night
#EXTINF:125,Artist - Song, live
one.mp3
#EXTINF:-1 tvg-id="x" group="y",Station
two
#EXTINF:12.5
three.mp3
four.mp3`
    const { title, entries } = readPlaylist('m3u', text, base)
    expect(title).to.equal('Late Night')
    expect(entries.map((it) => [it.title, it.lengthMs])).to.deep.equal([
      ['Artist - Song, live', 125_000],
      ['Station', 0],
      [null, 12_500],
      [null, 0],
    ])
  })

  it('of Windows Media, Winamp and others are found by what they say, in any case and encoding', () => {
    const address = 'http://ok.test/a?b=1&c=2'
    const escaped = address.replace('&', '&amp;')
    const texts = [
      `<asx version="3.0"><title>FM</title><entry><title>Stream</title><ref href="${escaped}"/></entry></asx>`,
      `<ASX Version = "3.0">\r\n<TITLE>FM</Title>\r\n<ENTRY><REF HREF="${address}" /></Entry></ASX>`,
      `<!-- made by hand --><Asx><Entry><Ref Href='${address}'></Entry></Asx>`,
      `<asx><entryref href="${escaped}"/></asx>`,
      `<asx><entry><ref href="mms${address.slice(4)}"/></entry></asx>`,
      `<?wpl version="1.0"?>\n<smil><head><title>FM</title></head><body><seq><media src="${escaped}"/></seq></body></smil>`,
      `<?xml version="1.0"?><!DOCTYPE smil PUBLIC "x" "y"><smil><body><audio src="${escaped}"/></body></smil>`,
      `<?xml version="1.0"?><WinampXML><playlist><entry Playstring="file:${escaped}"><Name>FM</Name></entry></playlist></WinampXML>`,
      `<?XML version="1.0"?><PlayList><TrackList><Track><Location>${escaped}</Location></Track></TrackList></PlayList>`,
      `<x:playlist xmlns:x="http://xspf.org/ns/0/"><x:track><x:location>${escaped}</x:location></x:track></x:playlist>`,
      `[Reference]\r\nRef1=${address}\r\n`,
      `[REFERENCE]\nref1 = ${address}`,
      `[PlayList]\nFILE1=${address}\n`,
      `File1=${address}\nTitle1=FM\n`,
      `[InternetShortcut]\nURL=${address}\n`,
      `#EXTM3U\n#EXTINF:-1,FM\n${address}|User-Agent=Mozilla/5.0\n`,
    ]
    for (const text of texts) {
      const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
      for (const bytes of [
        Buffer.from(text),
        Buffer.from(`\ufeff${text}`),
        wide,
        Buffer.from(wide).swap16(),
        wide.subarray(2),
      ]) {
        const found = sniff(bytes)
        if (found.kind !== 'playlist' || found.format === 'hls') throw new Error(`${found.kind} for ${text}`)
        expect(urls(found.format, decodeText(bytes)), text).to.deep.equal([address])
      }
    }
  })

  it('are read in the order of their numbers when they are pls', () => {
    const text = '[playlist]\nFile10=ten\nfile2 = two\nTITLE2=Second\nLength2=-1\nFile1=one\nFile=x\nnoise\n'
    expect(urls('pls', text).map((url) => url.replace(/.*\//, ''))).to.deep.equal(['one', 'two', 'ten'])
    expect(readPlaylist('pls', text, base).entries[1]).to.include({ title: 'Second', lengthMs: 0 })
  })

  it('are read from xspf with whatever XML can do, and load nothing', () => {
    const text = `<?xml version="1.0"?><!DOCTYPE playlist [<!ENTITY x SYSTEM "file:///etc/passwd">]>
      <playlist><title>Mix &amp; match</title><trackList>
        <track><!-- c --><location>a.mp3?b=1&amp;c=2</location><title><![CDATA[<Song>]]></title><creator>Ann</creator>
          <duration>61500</duration></track>
        <track><title>No address</title></track>
        <track><location>http://ok.test/&#x65;</location><title>&x;</title></track>
      </trackList></playlist>`
    const { title, entries } = readPlaylist('xspf', text, base)
    expect(title).to.equal('Mix & match')
    expect(entries[0]).to.deep.equal({
      url: 'http://radio.test/lists/a.mp3?b=1&c=2',
      title: 'Ann - <Song>',
      lengthMs: 61_500,
    })
    expect(JSON.stringify(entries)).not.to.contain('root:')
    expect(entries.at(-1)?.url).to.equal('http://ok.test/e')
  })

  it('are cut at their bound, and taken as far as they go when they are damaged', () => {
    const many = Array.from({ length: 500 }, (_, i) => `http://a.test/${i}`).join('\n')
    expect(urls('m3u', many)).to.have.length(100)
    expect(urls('xspf', '<playlist><trackList><track><location>a</location></track><track><loc')).to.have.length(1)
    expect(urls('xspf', '<track>'.repeat(9000))).to.deep.equal([])
    expect(urls('pls', '=\n=\nFile99999999999999999999=a\n')).to.have.length(1)
    expect(urls('m3u', '#EXTINF:'.repeat(9000))).to.deep.equal([])
  })
})
