/**
 * What benches and experiments start: whole services, and web servers beside them. Hundreds of tests do the same with the
 * same helpers, so these are where tests look for theirs.
 */
export { admin, type AdminRun } from '../../test/support/admin.ts'
export { makeAudio } from '../../test/support/audio-files.ts'
export {
  eventually,
  fetchJson,
  makeDataDir,
  startService,
  type Answer,
  type RunningService,
} from '../../test/support/service.ts'
export { openEvents, type Opened } from '../../test/support/socket.ts'
export { listen, serve, type Listening } from '../../test/support/web.ts'
