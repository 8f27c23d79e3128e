import { isDeepStrictEqual } from 'node:util'
import type { Clock, ClockMode } from '../clock/clock.ts'
import type { Crowd } from '../crowd.ts'
import type { Faults } from '../faults/faults.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Recorder } from '../record/recorder.ts'
import type { DaveRule, UdpFaults, VoiceServer } from '../voice/server.ts'
import { createWorld, getGuild, type World } from '../world/world.ts'
import { buildWorld } from '../worlds/build.ts'
import type { Seat } from '../worlds/build-guild.ts'
import type { WorldFile } from '../worlds/schema.ts'
import { takeSeats } from '../worlds/seats.ts'
import { copy } from './copy.ts'
import { keyOf, membershipsOf, restoreWorld, stateOf, tellAll, type WorldState } from './restore.ts'

const SNAPSHOTS_MAX = 20
const NAME_CHARS_MAX = 100
/** DAVE rule of a new voice server. */
const NEW_DAVE: DaveRule = { version: 1, required: false }
/** Name of the snapshot of the world when the sandbox was ready. */
export const START = 'start'

/** Effect of a restored world on connected bots: they receive events, or are logged out. */
export type ClientsAfter = 'resync' | 'disconnect'

export interface SnapshotView {
  readonly name: string
  /** ISO 8601, of the machine's clock. */
  readonly takenAt: string
  readonly guilds: number
}

/** Why a snapshot cannot be had; the message says what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

export type Snapshots = ReturnType<typeof createSnapshots>

export interface SnapshotParts {
  readonly world: World
  readonly gateway: Gateway
  readonly voice: VoiceServer
  readonly crowd: Crowd
  readonly clock: Clock
  readonly faults: Faults
  readonly recorder: Recorder
}

interface Snapshot {
  readonly view: SnapshotView
  readonly state: WorldState
  readonly clock: ClockMode
  readonly faults: ReturnType<Faults['save']>
  readonly network: ReadonlyMap<string, UdpFaults>
  readonly dave: DaveRule
  /** The members in voice whose clients are ours. */
  readonly clients: ReadonlySet<string>
}

/** Everything that a test can change, kept in memory under names. */
export function createSnapshots(parts: SnapshotParts) {
  const kept = new Map<string, Snapshot>()

  function get(name: string): Snapshot {
    const found = kept.get(name)
    if (found) return found
    throw new SnapshotError(`No snapshot is called "${name}". There are: ${[...kept.keys()].join(', ')}.`)
  }
  return {
    /** Takes or replaces one. */
    take(name: string): SnapshotView {
      if (name.length > NAME_CHARS_MAX) throw new SnapshotError(`A name has at most ${NAME_CHARS_MAX} characters.`)
      if (kept.size >= SNAPSHOTS_MAX && !kept.has(name)) {
        throw new SnapshotError(`Snapshot limit reached (${SNAPSHOTS_MAX}). Delete one first.`)
      }
      const snapshot = take(parts, name)
      kept.set(name, snapshot)
      return snapshot.view
    },
    list: (): readonly SnapshotView[] => [...kept.values()].map(({ view }) => view),
    remove(name: string) {
      if (name === START) throw new SnapshotError(`The snapshot "${START}" stays, for reset.`)
      get(name)
      kept.delete(name)
    },
    /** @throws {SnapshotError} where no snapshot has this name. */
    restore(name: string, clients: ClientsAfter): SnapshotView {
      const snapshot = get(name)
      restore(parts, snapshot, clients)
      return snapshot.view
    },
    /**
     * Replaces the world by one from a file, to which `reset` then returns. Resolves when its members are in voice.
     * @throws {WorldError} with all that is wrong with it; the world is as it was then.
     */
    async load(file: WorldFile, clients: ClientsAfter) {
      const { world, crowd, clock } = parts
      const before = clock.mode()
      const fresh = { ...createWorld(clock), nextId: world.nextId, rules: world.rules }
      let seats: readonly Seat[]
      try {
        seats = buildWorld(fresh, file)
      } catch (error) {
        clock.setMode(before)
        throw error
      }
      const view = { name: START, takenAt: new Date().toISOString(), guilds: fresh.guilds.size }
      const nothing = { faults: [], network: new Map(), dave: NEW_DAVE, clients: new Set<string>() }
      restore(parts, { view, state: copy(stateOf(fresh)), clock: clock.mode(), ...nothing }, clients)
      const here = seats.map(({ guild, ...seat }) => Object.assign(seat, { guild: getGuild(world, guild.id) }))
      await takeSeats(crowd, here)
      kept.set(START, take(parts, START))
    },
  }
}

function take({ world, voice, crowd, clock, faults }: SnapshotParts, name: string): Snapshot {
  const guilds = [...world.guilds.values()]
  const voices = guilds.flatMap((guild) => [...guild.voice.values()])
  const ours = voices.filter(({ guildId, userId }) => crowd.has(guildId, userId))
  return {
    view: { name, takenAt: new Date().toISOString(), guilds: guilds.length },
    state: copy(stateOf(world)),
    clock: clock.mode(),
    faults: faults.save(),
    network: new Map(guilds.map(({ id }) => [id, voice.faults(id)])),
    dave: voice.dave(),
    clients: new Set(ours.map(keyOf)),
  }
}

function restore(parts: SnapshotParts, snapshot: Snapshot, clients: ClientsAfter): void {
  const { world, gateway, voice, crowd, clock, faults, recorder } = parts
  const before = membershipsOf(world)
  const guildIds = new Set([...world.guilds.keys(), ...snapshot.network.keys()])
  // Faults end first, so that none of them delays or drops what tells the clients.
  faults.clear()
  for (const id of guildIds) {
    const then = snapshot.network.get(id) ?? {}
    if (!isDeepStrictEqual(then, voice.faults(id))) voice.setFaults(id, then)
  }
  if (!isDeepStrictEqual(snapshot.dave, voice.dave())) voice.setDave(snapshot.dave)
  clock.setMode(snapshot.clock)
  restoreWorld(parts, snapshot.state, snapshot.clients)
  for (const guild of world.guilds.values()) for (const userId of guild.voice.keys()) voice.refresh(guild.id, userId)
  gateway.forgetStarts()
  if (clients === 'disconnect') gateway.logOutAll()
  else {
    gateway.logOutUnknown()
    tellAll(parts, before)
  }
  crowd.follow()
  faults.restore(snapshot.faults)
  recorder.clear()
  for (const notice of ['applications', 'presence', 'rules', 'restored'] as const) world.notices.emit(notice)
}
