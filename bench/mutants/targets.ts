/** A file whose tests are themselves tested, and the tests that should see every fault in it. */
export interface Target {
  readonly file: string
  readonly tests: readonly string[]
  /** Changes that change nothing a caller could see, each with the reason. Written as the report shows them. */
  readonly equivalent: Readonly<Record<string, string>>
}

const PLAYER = [
  'test/bot/player.test.ts',
  'test/bot/player-staying.test.ts',
  'test/bot/player-table.test.ts',
  'test/bot/music.test.ts',
  'test/bot/music-play.test.ts',
  'test/bot/music-sound.test.ts',
  'test/bot/music-filters.test.ts',
  'test/bot/music-mix.test.ts',
  'test/bot/music-next-track.test.ts',
  'test/bot/returning.test.ts',
]

export const TARGETS: readonly Target[] = [
  { file: 'bot/phase.ts', tests: ['test/bot/phase.test.ts', ...PLAYER], equivalent: {} },
  { file: 'bot/rotation.ts', tests: ['test/bot/rotation.test.ts', 'test/bot/admission.test.ts'], equivalent: {} },
  { file: 'bot/volume.ts', tests: ['test/bot/volume.test.ts', ...PLAYER], equivalent: {} },
  { file: 'bot/queue-editing.ts', tests: PLAYER, equivalent: {} },
  { file: 'bot/admission.ts', tests: ['test/bot/admission.test.ts'], equivalent: {} },
  { file: 'bot/playing.ts', tests: PLAYER, equivalent: {} },
  { file: 'bot/sounding.ts', tests: PLAYER, equivalent: {} },
  { file: 'api/meter.ts', tests: ['test/api/meter.test.ts'], equivalent: {} },
  { file: 'api/meter-redis.ts', tests: ['test/api/meter-redis.test.ts'], equivalent: {} },
  { file: 'db/keys.ts', tests: ['test/db/keys.test.ts'], equivalent: {} },
  { file: 'db/key-cache.ts', tests: ['test/db/key-cache.test.ts'], equivalent: {} },
  {
    file: 'upstream/address.ts',
    tests: ['test/upstream/egress-policy.test.ts', 'test/upstream/egress.test.ts'],
    equivalent: {},
  },
  {
    file: 'upstream/egress.ts',
    tests: ['test/upstream/egress-policy.test.ts', 'test/upstream/egress.test.ts'],
    equivalent: {},
  },
]
