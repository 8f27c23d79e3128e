import { expect } from 'chai'
import { chaptersOfDescription } from '../../../../bot/sources/chapters/description-chapters.ts'
import { parsePodcastChapters, readPodcastChapters } from '../../../../bot/sources/podcast/podcast.ts'
import { MOST_CHAPTERS, toChapters } from '../../../../bot/tracks/chapters.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { closing } from '../../../support/closing.ts'
import { faultOf, serve } from '../../../support/web.ts'

const seconds = (text: string) =>
  chaptersOfDescription(text).map(({ title, startMs }) => `${startMs / 1000} ${title}`.trim())

describe('the chapters of a description', () => {
  it('are its lines that begin or end with a time', () => {
    expect(seconds('Our album!\n\n0:00 Intro\n1:05 The Ferry\n1:02:03 - Encore\nThanks to all.')).to.deep.equal([
      '0 Intro',
      '65 The Ferry',
      '3723 Encore',
    ])
    expect(seconds('• (00:00) One\n• [02:10] | Two & three\n• 03:30: Four')).to.deep.equal([
      '0 One',
      '130 Two & three',
      '210 Four',
    ])
    expect(seconds('夜 0:00\n海 – 4:20\n朝 9:59')).to.deep.equal(['0 夜', '260 海', '599 朝'])
    expect(seconds('0:00 (Live) Intro\r\n1:00 "Two"\r\n2:00\r\n')).to.deep.equal(['0 (Live) Intro', '60 "Two"', '120'])
  })

  it('are none unless there are three that begin at the beginning', () => {
    for (const text of ['', '0:00 One\n1:00 Two', '0:10 One\n1:00 Two\n2:00 Three', 'Starts at 20:00\nDoors 19:00'])
      expect(seconds(text), text).to.deep.equal([])
    expect(seconds('0:00 One\n2:00 Two\n1:00 was great\n3:00 Three'), 'one goes back').to.deep.equal([
      '0 One',
      '120 Two',
      '180 Three',
    ])
    expect(seconds('0:00 One\n1:75 no time\n1:99:00 nor this\n2:00 Two\n3:00 Three')).to.have.length(3)
  })

  it('takes time in proportion to the length of the description', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `${index}:00${' '.repeat(200)}${'-'.repeat(200)}`)
    expect(chaptersOfDescription(lines.join('\n')).length).to.be.at.most(2000)
    expect(chaptersOfDescription('0:00'.repeat(1_000_000))).to.deep.equal([])
  })
})

describe('the chapters of a podcast', () => {
  const own = closing()

  it('are those of its file that belong into a list', () => {
    const file = {
      version: '1.2.0',
      chapters: [
        { startTime: 0, title: 'Hello' },
        { startTime: 12.5, title: 'A picture', toc: false },
        { startTime: 61.25 },
        { startTime: 'soon', title: 'broken' },
      ],
    }
    expect(parsePodcastChapters(JSON.stringify(file))).to.deep.equal([
      { title: 'Hello', startMs: 0 },
      { title: '', startMs: 61_250 },
    ])
    for (const text of ['', 'no JSON', '[]', '{"chapters":7}', 'null'])
      expect(parsePodcastChapters(text)).to.deep.equal([])
  })

  it('are fetched through the egress guard, and no more than half a mebibyte', async () => {
    const web = own(
      await serve(({ url }, response) => {
        if (url === '/gone') response.writeHead(404).end('{}')
        else response.end(url === '/long' ? ' '.repeat(600 * 1024) : '{"chapters":[{"startTime":3,"title":"Hi"}]}')
      }),
    )
    const read = async (url: string, allowHosts: readonly string[]) => {
      const egress = own(createEgress({ allowHosts, userAgent: 'test' }))
      return readPodcastChapters(url, { egress, signal: new AbortController().signal })
    }
    const here = [`127.0.0.1:${web.port}`]
    expect(await read(`${web.url}/chapters.json`, here)).to.deep.equal([{ title: 'Hi', startMs: 3000 }])
    expect(await read(`${web.url}/gone`, here)).to.deep.equal([])
    expect((await faultOf(read(`${web.url}/long`, here))).code).to.equal('service_unavailable')
    expect((await faultOf(read(`${web.url}/chapters.json`, []))).reason).to.equal('address_refused')
  })
})

describe('a list of chapters', () => {
  it('is in order, ends each where the next begins, and is bounded', () => {
    const found = [
      { title: '  Two\n', startMs: 1000.4 },
      { title: '', startMs: 0 },
      { title: 'too', startMs: 1000 },
      { title: 'beyond', startMs: 60_000 },
      { title: 'before', startMs: -5 },
      { title: 'never', startMs: NaN },
    ]
    expect(toChapters(found, 5000)).to.deep.equal([
      { title: '1', startMs: 0, endMs: 1000 },
      { title: 'Two', startMs: 1000, endMs: 5000 },
    ])
    expect(toChapters(found.slice(0, 2), 0).at(-1)?.endMs).to.equal(null)
    const many = Array.from({ length: 9000 }, (_, index) => ({ title: 'x'.repeat(10_000), startMs: index }))
    const bounded = toChapters(many, 0)
    expect([bounded.length, bounded[0]?.title.length]).to.deep.equal([MOST_CHAPTERS, 100])
  })

  it('is empty where one chapter is all there is', () => {
    expect(toChapters([{ title: 'All of it', startMs: 0 }], 5000)).to.deep.equal([])
  })
})
