// Makes the demo tracks before the tests: processes that need them at the same time would each make their own.
import { demoTracks } from './made-once.ts'

await demoTracks()
