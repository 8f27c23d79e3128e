import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf, openTrackStore } from '../../bot/audio/cache/store.ts'

/** Writes a track that never ends, so that someone may kill this process in the middle of it. */
const store = await openTrackStore({ folder: process.argv[2] ?? '', maxBytes: 1024 ** 3 })
await store.put(keyOf('local a', '1'), 0, endless())

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.alloc(1000)
    await sleep(5)
  }
}
