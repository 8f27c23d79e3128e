import { AsyncLocalStorage } from 'node:async_hooks'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { GatewayVoiceServerUpdateDispatchData, GatewayVoiceStateUpdateDispatchData } from 'discord-api-types/v10'
import { Fault } from '../../../lib/errors.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { openTrackStore, type TrackStore } from '../cache/store.ts'
import { createTrackCache } from '../cache/track-cache.ts'
import type { TrackPlayerEvent } from '../playback/track-player-options.ts'
import { TrackPlayer } from '../playback/track-player.ts'
import { sandboxFor } from '../ffmpeg/decoder-sandbox.ts'
import { FrameClock } from '../playback/frame-clock.ts'
import { openOpusCodecs, type OpusCodecs } from '../mixing/opus-codecs.ts'
import { createFfmpeg, type Ffmpeg } from '../ffmpeg/ffmpeg.ts'
import { log, send, warner } from './line-log.ts'
import { createHlsClient, type HlsClient } from '../input/hls-client.ts'
import type { TrackAccess } from '../input/open-bytes.ts'
import { withOpenDeadline } from '../input/open-deadline.ts'
import { createFrameOpener, type FrameOpener } from '../input/open-frames.ts'
import type { AudioEvent, JoinOptions, NodeStats, PlayerRef } from './protocol.ts'
import { Recorder } from './flight-recorder.ts'
import { FrameTee } from '../playback/frame-tee.ts'
import { createCounters, type Counters } from './counters.ts'
import { markOpening, type TrackMarks } from '../watchdog/track-marks.ts'
import { addCertificateAuthorities } from './extra-ca.ts'
import { guardVoiceLibrary } from '../voice/library-guards.ts'
import { Voice, type VoiceEvents } from '../voice/voice-session.ts'
import {
  callMethod,
  describe,
  packFault,
  type AudioMethods,
  type Call,
  type Port,
  type SoundSettings,
  type ThreadSetup,
  type ToThread,
} from './rpc.ts'
import { guildKey } from '../../guild-key.ts'

const LAG_STEP_MS = 10

interface Player {
  readonly ref: PlayerRef
  readonly voice: Voice
  readonly trackPlayer: TrackPlayer
  readonly tee: FrameTee
  readonly recorder: Recorder
}

interface Engine {
  readonly line: Port
  readonly setup: ThreadSetup
  readonly clock: FrameClock
  readonly hls: HlsClient
  readonly opener: FrameOpener
  /** Null where they cannot be had: nothing fades then. */
  readonly codecs: OpusCodecs | null
  /** Where the engine has a thread of its own. */
  readonly marks: TrackMarks | undefined
  readonly counts: Counters
  /** Connections that had to be restored, by the close code of Discord. */
  readonly rejoins: Map<string, number>
  readonly lag: ReturnType<typeof monitorEventLoopDelay>
  /** Null where nothing is kept. */
  readonly store: TrackStore | null
  readonly players: Map<string, Player>
  readonly closeAll: () => Promise<void>
}

/** The inside of an audio thread: answers what comes over the line. Runs wherever it is called. */
export function startEngine(line: Port, setup: ThreadSetup, marks?: TrackMarks): void {
  guardVoiceLibrary()
  addCertificateAuthorities(setup.certificates)
  const starting = createEngine(line, setup, marks)
  starting.catch((err: unknown) => log(line, 'error', { err: describe(err) }, 'audio thread failed to start'))
  // What is said before it is ready is heard in its order.
  const ready = starting.then((engine) => ({ engine, methods: createMethods(engine) }))
  line.on('message', (message) => {
    void ready.then(({ engine, methods }) => receive(engine, methods, message as ToThread))
  })
}

async function createEngine(line: Port, setup: ThreadSetup, marks?: TrackMarks): Promise<Engine> {
  const egress = createEgress(setup.egress)
  const counts = createCounters()
  const lag = monitorEventLoopDelay({ resolution: LAG_STEP_MS })
  lag.enable()
  const sandbox = await sandboxFor(setup.decoders, warner(line, 'ffmpeg runs without a sandbox'))
  const ffmpeg = createFfmpeg({ sandbox })
  ffmpeg.warmUp()
  const hls = createHlsClient((message) => send(line, message))
  const access = { egress, readHlsWindow: hls.read }
  const kept = setup.sound && (await openCache(line, setup.sound, { access, counters: counts, ffmpeg }))
  const codecs = await openOpusCodecs().catch(warner(line, 'tracks do not fade: libopus cannot be loaded'))
  const opener = createFrameOpener(access, { counters: counts, cache: kept?.cache ?? null, ffmpeg, sandbox })
  // Otherwise the clock of all would carry the mark of the track that woke it.
  const outsideTracks = AsyncLocalStorage.snapshot()
  return {
    line,
    setup,
    hls,
    opener,
    codecs: codecs ?? null,
    marks,
    clock: new FrameClock({
      now: () => performance.now(),
      wake: (delayMs, run) => {
        const timer = outsideTracks(() => setTimeout(run, delayMs))
        return () => clearTimeout(timer)
      },
      onError: (err) => log(line, 'error', { err: describe(err) }, 'frame failed'),
    }),
    counts,
    rejoins: new Map(),
    lag,
    store: kept?.store ?? null,
    players: new Map(),
    closeAll: async () => {
      lag.disable()
      await kept?.cache.close()
      await opener.close()
      codecs?.close()
      await egress.close()
    },
  }
}

/** A folder that cannot be written costs the cache, not the music. */
async function openCache(
  line: Port,
  { targetLufs, cache }: SoundSettings,
  means: { access: TrackAccess; counters: Counters; ffmpeg: Ffmpeg },
) {
  try {
    const store = await openTrackStore(cache)
    // Thousands of files take a moment; the start does not wait for them.
    store.evict().catch(warner(line, 'track cache not trimmed'))
    const onError = warner(line, 'track not made ready')
    return { store, cache: createTrackCache({ ...means, store, targetLufs, onError }) }
  } catch (err) {
    warner(line, 'tracks are not kept: the folder cannot be used')(err)
    return null
  }
}

function statsOf({ counts, store, players, rejoins, lag }: Engine): NodeStats {
  const kept = { cacheBytes: store?.bytes ?? 0, cacheEntries: store?.entries ?? 0 }
  // The timer that measures wakes each so many milliseconds on its own.
  const lagMs = Math.max(0, lag.percentile(99) / 1e6 - LAG_STEP_MS)
  return { ...counts, ...kept, players: players.size, rejoins: Object.fromEntries(rejoins), lagMs }
}

function receive(engine: Engine, methods: AudioMethods, message: ToThread): void {
  if (message.kind === 'hlsAnswer') engine.hls.receive(message)
  else void answer(engine, methods, message)
}

async function answer({ line }: Engine, methods: AudioMethods, call: Call): Promise<void> {
  const { id } = call
  try {
    const value = await callMethod(methods, call)
    if (id !== null) send(line, { kind: 'answer', id, value })
  } catch (error) {
    // Without anyone to hear of it, the thread ends and is replaced.
    if (id === null) throw error
    send(line, { kind: 'refusal', id, fault: packFault(error) })
  }
}

/** What the main thread can call. */
function createMethods(engine: Engine): AudioMethods {
  const { players, clock } = engine
  return {
    join: async (options) => ensure(engine, options).voice.join(options.channelId),
    async leave(ref) {
      const player = find(engine, ref)
      await player?.trackPlayer.stop()
      if (find(engine, ref) === player) forget(engine, ref)
    },
    play: async (options) => get(engine, options).trackPlayer.play(options),
    prepare: async (ref, next) => find(engine, ref)?.trackPlayer.prepare(next),
    setSegments: async (ref, playId, segments) => find(engine, ref)?.trackPlayer.setSegments(playId, segments),
    addLayer: async (ref, layer) => get(engine, ref).trackPlayer.layers.add(layer),
    setLayer: async (ref, layerId, volume) => find(engine, ref)?.trackPlayer.layers.setVolume(layerId, volume),
    removeLayer: async (ref, layerId) => find(engine, ref)?.trackPlayer.layers.remove(layerId),
    layers: async (ref) => find(engine, ref)?.trackPlayer.layers.positions() ?? [],
    stop: async (ref) => void find(engine, ref)?.trackPlayer.stop(),
    setSound: async (ref, sound) => get(engine, ref).trackPlayer.setSound(sound),
    seek: async (ref, positionMs) => get(engine, ref).trackPlayer.seek(positionMs),
    position: async (ref) => get(engine, ref).trackPlayer.positionMs,
    stats: async () => statsOf(engine),
    trace: async (ref) => find(engine, ref)?.recorder.read() ?? null,
    tee: async (ref, isOpen) => get(engine, ref).tee.set(isOpen),
    voiceStateUpdate: async (ref, data) =>
      find(engine, ref)?.voice.onStateUpdate(data as GatewayVoiceStateUpdateDispatchData),
    voiceServerUpdate: async (ref, data) =>
      find(engine, ref)?.voice.onServerUpdate(data as GatewayVoiceServerUpdateDispatchData),
    async dropBot(botId) {
      for (const { ref, voice } of players.values()) if (ref.botId === botId) voice.drop()
    },
    ping: async () => undefined,
    async close() {
      for (const { ref } of players.values()) forget(engine, ref)
      clock.close()
      await engine.closeAll()
    },
  }
}

function find(engine: Engine, ref: PlayerRef): Player | null {
  return engine.players.get(guildKey(ref)) ?? null
}

/** @throws {Fault} in a thread that took the place of another: the service brings its players back one by one. */
function get(engine: Engine, ref: PlayerRef): Player {
  const player = find(engine, ref)
  if (player) return player
  const message = 'The bot is just coming back to its voice channel; try again in a moment.'
  throw new Fault('service_unavailable', message, { retryAfterMs: 1000 })
}

function ensure(engine: Engine, { botId, guildId, projectId = botId }: JoinOptions): Player {
  const existing = find(engine, { botId, guildId })
  if (existing) return existing
  const ref = { botId, guildId }
  const emit: EmitPlayerEvent = (event) => send(engine.line, { kind: 'event', event: { ...ref, ...event } })
  const recorder = new Recorder(monotonicNow)
  const voice = new Voice(ref, voiceEvents(engine, { ref, emit, recorder }), engine.setup.voice)
  const { clock, counts, codecs } = engine
  const unmarked = engine.opener.forProject(projectId)
  const opener = engine.marks ? markOpening(unmarked, engine.marks) : unmarked
  const onTrouble = (text: string) => recorder.note({ kind: 'source', text })
  const open = withOpenDeadline((track, request, signal) => opener.open(track, { ...request, onTrouble }, signal))
  const tee = new FrameTee(voice, (batch) => send(engine.line, { kind: 'sound', player: ref, batch }))
  const { prefetch } = opener
  const trackPlayer = new TrackPlayer({ outlet: tee, clock, codecs, counts, recorder, emit, open, prefetch })
  const player = { ref, voice, trackPlayer, tee, recorder }
  engine.players.set(guildKey(ref), player)
  return player
}

type EmitPlayerEvent = (event: TrackPlayerEvent | VoiceNews) => void

/** What happens to a player's voice, told and written down. */
function voiceEvents(
  engine: Engine,
  { ref, emit, recorder }: { ref: PlayerRef; emit: EmitPlayerEvent; recorder: Recorder },
): VoiceEvents {
  let isIn = false
  return {
    payload: (payload) => emit({ type: 'gatewayPayload', payload }),
    ready: (channelId) => {
      if (!isIn) engine.counts.joins++
      recorder.note({ kind: 'voice', text: `${isIn ? 'voice is ready again' : 'joined'} in channel ${channelId}` })
      isIn = true
      emit({ type: 'voiceReady', channelId })
    },
    restoring: (closeCode) => {
      const code = closeCode === null ? 'none' : String(closeCode)
      engine.rejoins.set(code, (engine.rejoins.get(code) ?? 0) + 1)
      const why =
        closeCode === null ? 'Discord moved it or took its server away' : `Discord closed it with ${closeCode}`
      recorder.note({ kind: 'voice', text: `the voice connection is being restored: ${why}`, closeCode })
      emit({ type: 'voiceRestoring', closeCode })
    },
    lost: (loss) => {
      forget(engine, ref)
      emit({ type: 'voiceLost', loss })
    },
    privacyCode: (code) => {
      const text = code === null ? 'the call is not end-to-end encrypted' : 'the call has new end-to-end keys'
      recorder.note({ kind: 'encryption', text })
      emit({ type: 'privacyCode', code })
    },
    error: (err) => log(engine.line, 'debug', { ...ref, err: describe(err) }, 'voice connection complained'),
  }
}

/** Stops, leaves and forgets; the sound before the voice, so that no frame goes nowhere. */
function forget(engine: Engine, ref: PlayerRef): void {
  const player = find(engine, ref)
  if (!player) return
  engine.players.delete(guildKey(ref))
  player.trackPlayer.close()
  player.tee.close()
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
