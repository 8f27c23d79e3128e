import { performance } from 'node:perf_hooks'
import type { GatewayVoiceServerUpdateDispatchData, GatewayVoiceStateUpdateDispatchData } from 'discord-api-types/v10'
import { Fault } from '../../errors.ts'
import { createEgress, type Egress } from '../../upstream/egress.ts'
import { openTrackStore, type TrackStore } from './cache/store.ts'
import { createTrackCache } from './cache/track-cache.ts'
import type { DeckEvent } from './deck-options.ts'
import { Deck } from './deck.ts'
import { FrameClock } from './frame-clock.ts'
import { createFrameOpener, type FrameOpener } from './open-frames.ts'
import type { AudioEvent, NodeStats, PlayerRef } from './protocol.ts'
import { createTallies, type Tallies } from './tallies.ts'
import { trustAlso } from './trust.ts'
import { guardVoiceLibrary } from './voice-guards.ts'
import { Voice, type VoiceEvents } from './voice.ts'
import {
  describe,
  packFault,
  type Call,
  type FromThread,
  type Line,
  type LogLevel,
  type SoundSettings,
  type ThreadSetup,
  type ToThread,
} from './wire.ts'

interface Player {
  readonly ref: PlayerRef
  readonly voice: Voice
  readonly deck: Deck
}

interface Engine {
  readonly line: Line
  readonly setup: ThreadSetup
  readonly clock: FrameClock
  readonly opener: FrameOpener
  readonly counts: Tallies
  /** Null where nothing is kept. */
  readonly store: TrackStore | null
  readonly players: Map<string, Player>
  readonly closeAll: () => Promise<void>
}

/** The inside of an audio thread: answers what comes over the line. Runs wherever it is called. */
export function startEngine(line: Line, setup: ThreadSetup): void {
  guardVoiceLibrary()
  trustAlso(setup.certificates)
  const starting = createEngine(line, setup)
  starting.catch((err: unknown) => log(line, 'error', { err: describe(err) }, 'audio thread failed to start'))
  // What is said before it is ready is heard in its order.
  line.on('message', (message) => void starting.then((engine) => receive(engine, message as ToThread)))
}

async function createEngine(line: Line, setup: ThreadSetup): Promise<Engine> {
  const egress = createEgress(setup.egress)
  const counts = createTallies()
  const kept = setup.sound && (await openCache(line, setup.sound, { egress, tallies: counts }))
  const opener = createFrameOpener(egress, { tallies: counts, cache: kept?.cache ?? null })
  return {
    line,
    setup,
    opener,
    clock: new FrameClock({
      now: () => performance.now(),
      wake: (delayMs, run) => {
        const timer = setTimeout(run, delayMs)
        return () => clearTimeout(timer)
      },
      onError: (err) => log(line, 'error', { err: describe(err) }, 'frame failed'),
    }),
    counts,
    store: kept?.store ?? null,
    players: new Map(),
    closeAll: async () => {
      await kept?.cache.close()
      await opener.close()
      await egress.close()
    },
  }
}

/** A folder that cannot be written costs the cache, not the music. */
async function openCache(
  line: Line,
  { targetLufs, cache }: SoundSettings,
  means: { egress: Egress; tallies: Tallies },
) {
  const complain = (text: string) => (err: unknown) => log(line, 'warn', { err: describe(err) }, text)
  try {
    const store = await openTrackStore(cache)
    const onError = complain('track not made ready')
    return { store, cache: createTrackCache({ ...means, store, targetLufs, onError }) }
  } catch (err) {
    complain('tracks are not kept: the folder cannot be used')(err)
    return null
  }
}

function statsOf({ counts, store }: Engine): NodeStats {
  return { ...counts, cacheBytes: store?.bytes ?? 0, cacheEntries: store?.entries ?? 0 }
}

function receive(engine: Engine, message: ToThread): void {
  switch (message.kind) {
    case 'call':
      void answer(engine, message.id, message.call)
      return
    case 'voiceState':
      find(engine, message.player)?.voice.onStateUpdate(message.data as GatewayVoiceStateUpdateDispatchData)
      return
    case 'voiceServer':
      find(engine, message.player)?.voice.onServerUpdate(message.data as GatewayVoiceServerUpdateDispatchData)
      return
    case 'dropBot':
      for (const { ref, voice } of engine.players.values()) if (ref.botId === message.botId) voice.drop()
  }
}

async function answer(engine: Engine, id: number, call: Call): Promise<void> {
  try {
    send(engine.line, { kind: 'answer', id, value: await carryOut(engine, call) })
  } catch (error) {
    send(engine.line, { kind: 'refusal', id, fault: packFault(error) })
  }
}

async function carryOut(engine: Engine, { name, input }: Call): Promise<unknown> {
  switch (name) {
    case 'join':
      return ensure(engine, input).voice.join(input.channelId)
    case 'leave':
      return forget(engine, input)
    case 'play':
      return get(engine, input).deck.play(input)
    case 'prepare':
      return find(engine, input.player)?.deck.prepare(input.next)
    case 'addLayer':
      return get(engine, input.player).deck.layers.add(input.layer)
    case 'setLayer':
      return find(engine, input.player)?.deck.layers.setVolume(input.layerId, input.volume)
    case 'removeLayer':
      return find(engine, input.player)?.deck.layers.remove(input.layerId)
    case 'layers':
      return find(engine, input)?.deck.layers.positions() ?? []
    case 'stop':
      return find(engine, input)?.deck.stop()
    case 'setSound':
      return get(engine, input.player).deck.setSound(input.sound)
    case 'seek':
      return get(engine, input.player).deck.seek(input.positionMs)
    case 'position':
      return get(engine, input).deck.positionMs
    case 'stats':
      return statsOf(engine)
    case 'ping':
      return undefined
    case 'close':
      for (const { ref } of engine.players.values()) forget(engine, ref)
      engine.clock.close()
      return engine.closeAll()
  }
}

function nameOf({ botId, guildId }: PlayerRef): string {
  return `${botId}/${guildId}`
}

function find(engine: Engine, ref: PlayerRef): Player | null {
  return engine.players.get(nameOf(ref)) ?? null
}

function get(engine: Engine, ref: PlayerRef): Player {
  const player = find(engine, ref)
  if (!player) throw new Fault('conflict', 'The bot is in no voice channel of this guild.')
  return player
}

function ensure(engine: Engine, { botId, guildId }: PlayerRef): Player {
  const existing = find(engine, { botId, guildId })
  if (existing) return existing
  const ref = { botId, guildId }
  const tell = (event: DeckEvent | VoiceNews) => send(engine.line, { kind: 'event', event: { ...ref, ...event } })
  const events: VoiceEvents = {
    payload: (payload) => tell({ type: 'gatewayPayload', payload }),
    ready: (channelId) => tell({ type: 'voiceReady', channelId }),
    restoring: (closeCode) => tell({ type: 'voiceRestoring', closeCode }),
    lost: (loss) => {
      forget(engine, ref)
      tell({ type: 'voiceLost', loss })
    },
    privacyCode: (code) => tell({ type: 'privacyCode', code }),
    error: (err) => log(engine.line, 'debug', { ...ref, err: describe(err) }, 'voice connection complained'),
  }
  const voice = new Voice(ref, events, engine.setup.voice)
  const { clock, counts, opener } = engine
  const deck = new Deck({ outlet: voice, clock, counts, tell, ...opener })
  const player = { ref, voice, deck }
  engine.players.set(nameOf(ref), player)
  return player
}

/** Stops, leaves and forgets; the sound before the voice, so that no frame goes nowhere. */
function forget(engine: Engine, ref: PlayerRef): void {
  const player = find(engine, ref)
  if (!player) return
  engine.players.delete(nameOf(ref))
  player.deck.close()
  player.voice.leave()
}

type VoiceNews =
  Extract<
    AudioEvent,
    { type: 'gatewayPayload' | 'voiceReady' | 'voiceRestoring' | 'voiceLost' | 'privacyCode' }
  > extends infer News
    ? News extends PlayerRef
      ? Omit<News, keyof PlayerRef>
      : never
    : never

function send(line: Line, message: FromThread): void {
  line.postMessage(message)
}

function log(line: Line, level: LogLevel, fields: object, text: string): void {
  send(line, { kind: 'log', level, fields, text })
}
