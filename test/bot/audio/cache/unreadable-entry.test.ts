import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { keyOf, openTrackStore } from '../../../../bot/audio/cache/store.ts'
import { tempFolder } from '../folder.ts'

/** Target of a descriptor of this process; null if closed, such as the listing's own. */
function targetOf(fd: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return null
  }
}

describe('an entry of the track cache that cannot be read', () => {
  const folder = tempFolder()

  it('is not left open', async function () {
    if (process.platform !== 'linux') this.skip()
    const path = folder.path('unreadable')
    const store = await openTrackStore({ folder: path, maxBytes: 1024 })
    const key = keyOf('local 1', '')
    const entry = join(path, `${key}.0.0.opus`)
    mkdirSync(entry)
    expect(await store.open(key, 0).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('EISDIR')
    expect(readdirSync('/proc/self/fd').filter((fd) => targetOf(fd) === entry)).to.deep.equal([])
  })
})
