/** A file whose tests are themselves tested, and the tests that should see every fault in it. */
export interface Target {
  readonly file: string
  readonly tests: readonly string[]
  /** Changes that cannot be seen from outside. */
  readonly equivalent?: readonly Equivalent[]
}

export interface Equivalent {
  /** As the report shows it. */
  readonly change: string
  /** A part of the line, where the change alone does not say which one. */
  readonly on?: string
  readonly why: string
}

const EGRESS = [
  'test/upstream/egress/private-addresses.test.ts',
  'test/upstream/egress/egress-rules.test.ts',
  'test/upstream/egress/egress-policy.test.ts',
  'test/upstream/egress/egress.test.ts',
]

const PLAYER = [
  'test/bot/player/playback.test.ts',
  'test/bot/player/playback-retries.test.ts',
  'test/bot/player/player.test.ts',
  'test/bot/player/stay-in-channel.test.ts',
  'test/bot/player/player-table.test.ts',
  'test/bot/music.test.ts',
  'test/bot/player/play.test.ts',
  'test/bot/player/audio-settings/volume-control.test.ts',
  'test/bot/player/audio-settings/filters.test.ts',
  'test/bot/player/audio-settings/mix-layers.test.ts',
  'test/bot/player/queue/next-track.test.ts',
  'test/bot/player/queue/queue-editing.test.ts',
  'test/bot/player/session-restore.test.ts',
]

export const TARGETS: readonly Target[] = [
  { file: 'bot/player/phase.ts', tests: ['test/bot/player/phase.test.ts', ...PLAYER] },
  {
    file: 'bot/player/queue/queue.ts',
    tests: ['test/bot/player/queue/queue.test.ts', 'test/bot/player/queue/queue-limits.test.ts'],
    equivalent: [
      { change: 'left > 0 → left >= 0', why: 'The first place changes places with itself.' },
      { change: '0 → 1', on: 'turns.get(owner) ?? 0', why: 'Only the order of the turns counts.' },
      { change: '1 → 2', on: 'turn + 1', why: 'Only the order of the turns counts.' },
      { change: '0 → 1', on: 'slots[turn - 1] ?? 0', why: 'Every turn from the second on has a slot, 1 or higher.' },
      {
        change: 'slots[turn] ?? 0 → slots[turn]',
        on: 'slots[turn - 1] ?? 0',
        why: 'Only the first turn may have none.',
      },
    ],
  },
  {
    file: 'bot/player/audio-settings/volume-state.ts',
    tests: ['test/bot/player/audio-settings/volume-state.test.ts', ...PLAYER],
  },
  { file: 'bot/player/queue/queue-editing.ts', tests: PLAYER },
  {
    file: 'bot/player/queue/queue-limits.ts',
    tests: ['test/bot/player/queue/queue-limits.test.ts'],
    equivalent: [
      {
        change: 'wanted[0]?.requesterId ?? null → wanted[0]?.requesterId',
        why: 'Undefined only where nothing is wanted.',
      },
    ],
  },
  {
    file: 'bot/player/playback.ts',
    tests: PLAYER,
    equivalent: [
      { change: 'isAnnounced: false → (removed)', why: 'Undefined is as good as false.' },
      { change: 'position > 0 → position >= 0', why: 'What was just put on has prepared its next one.' },
      { change: 'position > 0 → true', why: 'What was just put on has prepared its next one.' },
      { change: 'return → (removed)', on: '    return', why: 'Without a position nothing more is asked.' },
      { change: 'playOf(core.phase) ?? playId → playOf(core.phase)', why: 'A phase without a play ignores positions.' },
      { change: "is: 'interrupted' → (removed)", why: 'Only a failure is told from the rest.' },
      { change: "is: 'playing' → (removed)", why: 'Only a failure is told from the rest.' },
    ],
  },
  {
    file: 'bot/player/audio-settings/volume-control.ts',
    tests: PLAYER,
    equivalent: [
      { change: 'volume: core.volume → (removed)', why: 'Both callers give another one.' },
      { change: 'playId !== null → true', why: 'A phase without a play ignores positions.' },
      { change: 'paused !== before.paused → true', why: 'The phase stays the same object.' },
    ],
  },
  {
    file: 'api/limits/limiter.ts',
    tests: ['test/api/limits/limiter.test.ts'],
    equivalent: [{ change: 'nowMs < bucket.atMs → nowMs <= bucket.atMs', why: 'It writes the same time again.' }],
  },
  {
    file: 'api/limits/limiter-redis.ts',
    tests: ['test/api/limits/limiter-gate.test.ts', 'test/api/limits/limiter-redis.test.ts'],
  },
  {
    file: 'api/limits/limiter-script.ts',
    tests: ['test/api/limits/limiter-redis.test.ts', 'test/api/limits/limiter.test.ts'],
    equivalent: [
      { change: '4 → 5', why: 'A class may have any slot of its own.' },
      {
        change: 'if now < at then return filled, stored end → if now <= at then return filled, stored end',
        why: 'It writes the same time again.',
      },
      {
        change:
          "if #value < before then value = value .. string.rep('\\\\0', before - #value) end → if #value <= before then value = value .. string.rep('\\\\0', before - #value) end",
        why: 'It adds nothing.',
      },
      {
        change:
          "if #value < before then value = value .. string.rep('\\\\0', before - #value) end → if #value < before then value = value .. string.rep('\\\\0', before + #value) end",
        why: 'Zeros behind the last slot are levels of nothing.',
      },
    ],
  },
  {
    file: 'db/projects/keys.ts',
    tests: ['test/db/projects/key-limits.test.ts', 'test/db/projects/keys.test.ts'],
    equivalent: [
      { change: 'allow === null && classes === null → false', why: 'It only saves time.' },
      { change: 'json === null → false', why: 'JSON.parse(null) is null.' },
      { change: 'classes.filter(isKeyClass) → classes', why: 'All of them are; it tells TypeScript so.' },
    ],
  },
  {
    file: 'db/projects/key-cache.ts',
    tests: ['test/db/projects/key-cache.test.ts'],
    equivalent: [
      { change: '!hasAsked → true', why: 'It only saves time.' },
      { change: 'hasAsked = true → (removed)', why: 'It only saves time.' },
      { change: 'true → false', on: 'hasAsked = true', why: 'It only saves time.' },
    ],
  },
  { file: 'upstream/egress/private-addresses.ts', tests: EGRESS },
  {
    file: 'upstream/egress/egress-guard.ts',
    tests: EGRESS,
    equivalent: [
      { change: 'once: true → (removed)', why: 'A signal aborts once.' },
      { change: 'true → false', on: 'once: true', why: 'A signal aborts once.' },
      { change: "either.removeEventListener('abort', onAbort) → (removed)", why: 'The signal is of this call alone.' },
      { change: 'aborted.catch(() => {}) → (removed)', why: 'The race has handled it.' },
      { change: 'URL.parse(url)?.host → URL.parse(url).host', why: 'A text that is no URL was refused before.' },
      { change: "URL.parse(url)?.host ?? 'The host' → URL.parse(url)?.host", why: 'As above.' },
      { change: 'all → true', why: 'Node asks for all addresses.' },
      { change: "done(null, first?.address ?? '', first?.family) → (removed)", why: 'Node asks for all addresses.' },
      { change: 'first?.address → first.address', why: 'Node asks for all addresses.' },
      { change: "first?.address ?? '' → first?.address", why: 'Node asks for all addresses.' },
      { change: "first?.address ?? '' → ''", why: 'Node asks for all addresses.' },
      { change: 'first?.family → first.family', why: 'Node asks for all addresses.' },
      { change: 'value ?? [] → value', why: 'No header comes without a value.' },
      { change: 'pipelining: 1 → (removed)', why: 'It is the default.' },
    ],
  },
]
