import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFileChapters } from '../../../../bot/sources/chapters/file-chapters.ts'
import { memoryBytes, type RandomAccessBytes } from '../../../../bot/sources/http/random-access.ts'
import { sniffBytes } from '../../../../bot/sources/library/audio-tags.ts'
import { createReader } from '../../../../bot/sources/library/reader.ts'
import { MOST_CHAPTERS } from '../../../../bot/tracks/chapters.ts'
import { createLog } from '../../../../lib/log.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { serve } from '../../../support/web.ts'
import { chapterFrame, id3Tag } from '../../../support/id3-chapters.ts'

const chapters = { 'Süße Nacht': 0, 'The 2nd part': 1.25, 東京: 3.25 }
const expected = [
  { title: 'Süße Nacht', startMs: 0 },
  { title: 'The 2nd part', startMs: 1250 },
  { title: '東京', startMs: 3250 },
]

/** Names and options of ffmpeg. */
const KINDS: readonly (readonly [string, readonly string[]])[] = [
  ['song.mp3', []],
  ['older.mp3', ['-id3v2_version', '3']],
  ['song.opus', ['-c:a', 'libopus']],
  ['song.m4a', ['-c:a', 'aac']],
  ['fast.m4a', ['-c:a', 'aac', '-movflags', '+faststart']],
  ['song.m4b', ['-c:a', 'aac', '-f', 'ipod']],
  ['song.mka', ['-c:a', 'libopus']],
  ['song.webm', ['-c:a', 'libopus']],
]

async function chaptersOf(bytes: RandomAccessBytes) {
  const found = await sniffBytes(bytes)
  if (found.kind !== 'audio') throw new Error('This is no sound.')
  return readFileChapters(bytes, found)
}

describe('the chapters of a file', () => {
  const own = closing()
  const folder = temporaryFolder()
  after(() => folder.remove())

  for (const [name, options] of KINDS) {
    it(`are read from ${name}`, async () => {
      const file = readFileSync(makeAudio(join(folder.path, name), { seconds: 5, chapters, options }))
      expect(await chaptersOf(memoryBytes(file))).to.deep.equal(expected)
    })
  }

  it('are read from the comments of FLAC and Vorbis', async () => {
    const tags = { CHAPTER001: '00:00:00.000', CHAPTER001NAME: 'One', CHAPTER002: '00:01:02.5', CHAPTER003: 'never' }
    for (const name of ['song.flac', 'song.ogg']) {
      const bytes = memoryBytes(readFileSync(makeAudio(join(folder.path, name), { tags })))
      expect(await chaptersOf(bytes), name).to.deep.equal([
        { title: 'One', startMs: 0 },
        { title: '', startMs: 62_500 },
      ])
    }
  })

  it('are none where a file has none, is damaged, or is cut', async () => {
    const plain = readFileSync(makeAudio(join(folder.path, 'plain.mka'), { options: ['-c:a', 'libopus'] }))
    expect(await chaptersOf(memoryBytes(plain))).to.deep.equal([])
    for (const name of ['song.mp3', 'song.m4a', 'song.mka', 'song.ogg']) {
      const whole = readFileSync(join(folder.path, name))
      for (let cut = 64; cut < whole.length; cut = Math.ceil(cut * 1.7)) {
        const found = await chaptersOf(memoryBytes(whole.subarray(0, cut)))
        expect(found.length, `${name} cut at ${cut}`).to.be.at.most(3)
      }
    }
  })

  it('are read by ranges from the web', async () => {
    const file = readFileSync(join(folder.path, 'song.m4a'))
    const web = own(
      await serve((request, response) => {
        const [, from = '0', to = ''] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
        const piece = file.subarray(Number(from), Number(to) + 1)
        const range = `bytes ${from}-${Number(from) + piece.length - 1}/${file.length}`
        response.writeHead(206, { 'content-range': range, 'content-length': piece.length }).end(piece)
      }),
    )
    const reader = own(createReader({ allowHosts: [`127.0.0.1:${web.port}`], log: createLog('silent') }))
    expect(await reader.run('chapters', { url: web.url, outgoing: null })).to.deep.equal(expected)
    expect(await reader.run('chapters', { path: join(folder.path, 'song.mka') })).to.deep.equal(expected)
  })

  it('are the first ones of a tag of 8 MiB of them, read beside the thread that answers requests', async () => {
    const frames = Array.from({ length: 180_000 }, (_, index) => chapterFrame(index, `Chapter ${index}`))
    const tag = id3Tag(frames)
    expect(tag.length).to.be.greaterThan(8 * 1024 * 1024)
    const found = await chaptersOf(memoryBytes(tag))
    expect(found.length).to.be.at.most(MOST_CHAPTERS)
    expect(found[1]).to.deep.equal({ title: 'Chapter 1', startMs: 1000 })
  })
})
