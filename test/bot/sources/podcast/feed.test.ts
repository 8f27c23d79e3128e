import { expect } from 'chai'
import { createFeedParser, EPISODES_MAX, type Feed } from '../../../../bot/sources/podcast/feed.ts'

const BASE = new URL('https://show.example/feed.xml')

function parse(text: string, pieceChars = text.length || 1): Feed | null {
  const parser = createFeedParser(BASE)
  for (let at = 0; at < text.length && !parser.isFull; at += pieceChars) parser.write(text.slice(at, at + pieceChars))
  return parser.end()
}

const rss = (inside: string) => `<rss version="2.0"><channel><title>Show</title>${inside}</channel></rss>`
const item = (inside: string) => rss(`<item>${inside}<enclosure url="/a.mp3" type="audio/mpeg"/></item>`)

const dated = (title: string, date: string) =>
  `<item><title>${title}</title>${date}<enclosure url="/${title}.mp3"/></item>`

function lengthOf(duration: string): number | undefined {
  return parse(item(`<itunes:duration>${duration}</itunes:duration>`))?.episodes[0]?.lengthMs
}

describe('the feed of a podcast', () => {
  it('is read the same in pieces of any size', () => {
    const text = item(
      '<title>Ämne &lt;1&gt;</title><pubDate>Mon, 05 Oct 2026 05:00:00 GMT</pubDate><itunes:duration>5:07</itunes:duration>',
    )
    const whole = parse(text)
    expect(whole?.episodes).to.deep.equal([
      {
        title: 'Ämne <1>',
        author: null,
        url: 'https://show.example/a.mp3',
        lengthMs: 307_000,
        publishedAtMs: Date.UTC(2026, 9, 5, 5),
        artworkUrl: null,
        chaptersUrl: null,
      },
    ])
    for (const size of [1, 7, 100]) expect(parse(text, size), String(size)).to.deep.equal(whole)
  })

  it('has the newest first, by whichever time zones it has', () => {
    const feed = parse(
      rss(
        dated('b', '<pubDate>Mon, 15 Jan 2024 06:00:00 GMT</pubDate>') +
          dated('c', '<pubDate>Mon, 15 Jan 2024 06:00:00 CET</pubDate>') +
          dated('a', '<pubDate>Mon, 01 Jul 2024 06:00:00 BST</pubDate>') +
          dated('d', '<dc:date>2024-01-01T06:00:00</dc:date>'),
      ),
    )
    expect(feed?.episodes.map(({ title }) => title)).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('is read no further where one text, comment, attribute or tag of it has no end', () => {
    const large = 'x'.repeat(4 * 1024 * 1024)
    const first = '<item><title>One</title><enclosure url="/1.mp3"/></item>'
    const attributes = Array.from({ length: 200_000 }, (_, at) => `a${at}="some value"`).join(' ')
    for (const node of [
      `<p>${large}</p>`,
      `<![CDATA[${large}]]>`,
      `<!--${large}-->`,
      `<p a="${large}"/>`,
      `<p ${attributes}/>`,
    ]) {
      const parser = createFeedParser(BASE)
      const text = rss(`${first}<item>${node}`)
      let at = 0
      for (; at < text.length && !parser.isFull; at += 16_384) parser.write(text.slice(at, at + 16_384))
      expect(at).to.be.below(1_200_000)
      expect(parser.end()?.episodes.map(({ title }) => title)).to.deep.equal(['One'])
    }
    const notes = `<description><![CDATA[${'x'.repeat(1_000_000)}]]></description>`
    expect(parse(rss(first.replace('<title>', `${notes}<title>`) + first), 16_384)?.episodes).to.have.length(2)
  })

  it('may be Atom', () => {
    const feed = parse(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Waves</title><author><name>Ann</name></author>
      <entry><title>One</title><published>2026-10-05T05:00:00Z</published><author><name>Bea</name></author>
        <link rel="alternate" href="/one.html"/><link rel="enclosure" type="audio/ogg" href="/one.ogg"/></entry></feed>`)
    expect([feed?.title, feed?.author]).to.deep.equal(['Waves', 'Ann'])
    expect(feed?.episodes).to.have.length(1)
    expect(feed?.episodes[0]).to.include({ title: 'One', author: 'Bea', url: 'https://show.example/one.ogg' })
  })

  it('says how long an episode is in seconds or as a clock, and nothing where that is nonsense', () => {
    const said = ['61', '1:01', '1:02:45', '90.5', '', 'soon', '1:2:3:4', '-5', '99999999999', '1e9']
    expect(said.map(lengthOf)).to.deep.equal([61_000, 61_000, 3_765_000, 90_500, 0, 0, 0, 0, 0, 0])
  })

  it('is half read where it is damaged or ends early, and never expands what it defines itself', () => {
    const bomb =
      '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    const feed = parse(bomb + item('<title>One &b; &x; &nbsp; <b>two</title>'))
    expect(feed?.title).to.equal('Show')
    expect(JSON.stringify(feed)).not.to.match(/aaaaa|root:/)
    const two = rss(
      '<item><title>One</title><enclosure url="/1.mp3"/></item><item><title>Two</title><enclosure url="/2.m',
    )
    expect(parse(two)?.episodes.map(({ title }) => title)).to.deep.equal(['One'])
    for (const text of ['', 'words', '<html><rss/></html>', '{"a":1}', '<opml><item/></opml>'])
      expect(parse(text)?.episodes ?? [], text).to.deep.equal([])
  })

  it('keeps no more than the newest, of titles no more than is shown, and stops where it is nested without end', () => {
    const many = Array.from({ length: 3 * EPISODES_MAX }, (_, n) => {
      const date = new Date(Date.UTC(2020, 0, 1 + n)).toUTCString()
      return `<item><title>${n}</title><pubDate>${date}</pubDate><enclosure url="/${n}.mp3"/></item>`
    })
    const titles = parse(rss(many.join('')))?.episodes.map(({ title }) => title)
    expect([titles?.length, titles?.[0]]).to.deep.equal([EPISODES_MAX, String(3 * EPISODES_MAX - 1)])
    const long = parse(item(`<title>${'long '.repeat(100_000)}</title>`), 4096)?.episodes[0]?.title ?? ''
    expect(long.length).to.be.within(100, 2000)
    const parser = createFeedParser(BASE)
    for (let n = 0; n < 100 && !parser.isFull; n++) parser.write('<a>')
    expect(parser.isFull).to.equal(true)
  })

  it('takes no sound from what is a picture or a page, and no address that is not of the web', () => {
    const enclosures = [
      'type="image/png" url="/1"',
      'type="application/pdf" url="/2"',
      'url="ftp://a/3"',
      'url=""',
      `url="/${'x'.repeat(3000)}"`,
    ]
    const feed = parse(rss(enclosures.map((attributes) => `<item><enclosure ${attributes}/></item>`).join('')))
    // An empty address is the feed's own.
    expect(feed?.episodes.map(({ url }) => url)).to.deep.equal([BASE.href])
  })
})
