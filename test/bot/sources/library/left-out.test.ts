import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSources } from '../../../../bot/sources/index.ts'
import { createReader } from '../../../../bot/sources/library/reader.ts'
import { createLibraryRecords } from '../../../../db/music/library.ts'
import { createLog } from '../../../../lib/log.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryDatabase, temporaryFolder } from '../../../support/database.ts'
import { id3, textFrame } from '../../../support/odd-sounds.ts'
import { eventually } from '../../../support/service.ts'

describe('what the library takes in', () => {
  const own = closing()

  it('is each file with sound, whatever its usual name and the tags in front, and it tells how many it left out', async () => {
    const folder = temporaryFolder()
    own({ close: folder.remove })
    const path = (name: string) => join(folder.path, name)
    makeAudio(path('layer two.mp2'), { seconds: 0.3 })
    makeAudio(path('sun.au'), { seconds: 0.3 })
    const flac = readFileSync(makeAudio(path('plain.flac'), { seconds: 0.3 }))
    writeFileSync(path('behind a tag.flac'), Buffer.concat([id3(textFrame('Tagged')), flac]))
    writeFileSync(path('broken.mpa'), 'no sound')
    writeFileSync(path('empty.m4r'), '')

    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    const reader = own(createReader({ allowHosts: [], log }))
    const library = { folders: [folder.path], records: createLibraryRecords(own(temporaryDatabase()).store) }
    const sources = own(await createSources({ names: ['library'], library, allowHosts: [], reader, log }))
    await eventually(
      () => lines.filter((line) => line.includes('"leftOut":2')).length,
      (count) => count === 1,
    )

    const { signal } = new AbortController()
    for (const [text, lengthMs] of [
      ['layer two', 300],
      ['sun', null],
      ['Tagged', 300],
    ] as const) {
      const [found] = await sources.search(text, { limit: 1, signal })
      expect(found, text).to.include({ sourceName: 'local' })
      if (lengthMs !== null) expect(found?.lengthMs, text).to.be.closeTo(lengthMs, 60)
    }
  })
})
