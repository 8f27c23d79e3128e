import { X509Certificate } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { AsyncLocalStorage } from 'node:async_hooks'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { GatewayVoiceServerUpdateDispatchData, GatewayVoiceStateUpdateDispatchData } from 'discord-api-types/v10'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { openTrackStore, type TrackStore } from '../cache/store.ts'
import { createTrackCache } from '../cache/track-cache.ts'
import { sandboxFor } from '../ffmpeg/decoder-sandbox.ts'
import { FrameClock } from '../playback/frame-clock.ts'
import { openOpusCodecs } from '../mixing/opus-codecs.ts'
import { createFfmpeg, type Ffmpeg } from '../ffmpeg/ffmpeg.ts'
import { log, openLine, send, warner, type Line } from './line-log.ts'
import { createHlsClient, type HlsClient } from '../input/hls-client.ts'
import type { TrackAccess } from '../input/open-bytes.ts'
import { createFrameOpener } from '../input/open-frames.ts'
import { PlayerTable, type PlayerMeans, type ThreadPlayer } from './player-table.ts'
import type { NodeStats, PlayerSnapshot } from './protocol.ts'
import { createCounters, type Counters } from './counters.ts'
import { Utilization } from '../watchdog/utilization.ts'
import type { TrackMarks } from '../watchdog/track-marks.ts'
import { guardVoiceLibrary } from '../../../lib/patches/voice-guards.ts'
import { connectVoiceSockets } from '../../../lib/patches/voice-udp.ts'
import { assertVoiceHost } from '../voice/voice-hosts.ts'
import { Voice } from '../voice/voice-session.ts'
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

/** Each step wakes the thread, so few: a stall that matters to a listener lasts longer. */
const LAG_STEP_MS = 40

interface Engine extends PlayerMeans {
  readonly hls: HlsClient
  readonly lag: ReturnType<typeof monitorEventLoopDelay>
  readonly utilization: Utilization
  /** Null if nothing is kept. */
  readonly store: TrackStore | null
  readonly players: PlayerTable
  readonly closeAll: () => Promise<void>
}

/** The inside of an audio thread: answers what comes over the line. Runs wherever it is called. */
export function startEngine(port: Port, setup: ThreadSetup, marks?: TrackMarks): void {
  const line = openLine(port)
  guardVoiceLibrary()
  connectVoiceSockets()
  addCertificateAuthorities(setup.certificates)
  const starting = createEngine(line, setup, marks)
  starting.catch((err: unknown) => log(line, 'error', { err: describe(err) }, 'audio thread failed to start'))
  // Messages that arrive before the engine is ready are handled in order.
  const ready = starting.then((engine) => ({ engine, methods: createMethods(engine) }))
  line.on('message', (message) => {
    void ready.then(({ engine, methods }) => receive(engine, methods, message as ToThread))
  })
}

async function createEngine(line: Line, setup: ThreadSetup, marks?: TrackMarks): Promise<Engine> {
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
  const codecs = await openOpusCodecs().catch(warner(line, 'fades off: loading libopus failed'))
  const opener = createFrameOpener(access, { counters: counts, cache: kept?.cache ?? null, ffmpeg, sandbox })
  // Otherwise the clock of all would carry the mark of the track that woke it.
  const outsideTracks = AsyncLocalStorage.snapshot()
  const clock = new FrameClock({
    now: () => performance.now(),
    wake: (delayMs, run) => {
      const timer = outsideTracks(() => setTimeout(run, delayMs))
      return () => clearTimeout(timer)
    },
    onError: (err) => log(line, 'error', { err: describe(err) }, 'frame failed'),
  })
  const means = { line, setup, opener, codecs: codecs ?? null, marks, clock, counts, rejoins: new Map() }
  return {
    ...means,
    hls,
    lag,
    utilization: new Utilization(),
    store: kept?.store ?? null,
    players: new PlayerTable(means),
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
    const onError = warner(line, 'track preparation failed')
    return { store, cache: createTrackCache({ ...means, store, targetLufs, onError }) }
  } catch (err) {
    warner(line, 'track cache off: its folder is not usable')(err)
    return null
  }
}

function statsOf({ counts, store, players, rejoins, lag, utilization }: Engine): NodeStats {
  const kept = { cacheBytes: store?.bytes ?? 0, cacheEntries: store?.entries ?? 0 }
  // The timer that measures wakes each so many milliseconds on its own.
  const lagMs = Math.max(0, lag.percentile(99) / 1e6 - LAG_STEP_MS)
  const measured = { lagMs, utilization: utilization.read() }
  return { ...counts, ...kept, ...measured, players: players.size, rejoins: Object.fromEntries(rejoins) }
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
    // Unhandled, so the thread ends and is replaced.
    if (id === null) throw error
    send(line, { kind: 'refusal', id, fault: packFault(error) })
  }
}

/** Methods that the main thread can call. */
function createMethods(engine: Engine): AudioMethods {
  const { players } = engine
  return {
    join: async (options) => players.ensure(options).voice.join(options.channelId),
    open: async (options) => players.open(options),
    async connectVoice(ref, voice) {
      assertVoiceHost(voice.endpoint, engine.setup.voiceHosts ?? [])
      await players.getExternal(ref).connect(voice)
    },
    async leave(ref) {
      const player = players.find(ref)
      await player?.trackPlayer.stop()
      if (players.find(ref) === player) players.forget(ref)
    },
    play: async (options) => players.play(options),
    prepare: async (ref, next) => players.find(ref)?.trackPlayer.prepare(next),
    setSegments: async (ref, playId, segments) => players.find(ref)?.trackPlayer.setSegments(playId, segments),
    addLayer: async (ref, layer) => players.get(ref).trackPlayer.layers.add(layer),
    setLayer: async (ref, layerId, volume) => players.find(ref)?.trackPlayer.layers.setVolume(layerId, volume),
    removeLayer: async (ref, layerId) => players.find(ref)?.trackPlayer.layers.remove(layerId),
    layers: async (ref) => players.find(ref)?.trackPlayer.layers.positions() ?? [],
    setEnd: async (ref, playId, endMs) => players.find(ref)?.trackPlayer.setEnd(playId, endMs),
    stop: async (ref) => void players.find(ref)?.trackPlayer.stop(),
    setSound: async (ref, sound) => players.get(ref).trackPlayer.setSound(sound),
    seek: async (ref, positionMs) => players.get(ref).trackPlayer.seek(positionMs),
    position: async (ref) => players.get(ref).trackPlayer.positionMs,
    snapshot: async (ref) => snapshotOf(players.get(ref)),
    snapshots: async (botId) => players.ofBot(botId).map(snapshotOf),
    stats: async () => statsOf(engine),
    trace: async (ref) => players.find(ref)?.recorder.read() ?? null,
    tee: async (ref, isOpen) => players.get(ref).tee.set(isOpen),
    voiceStateUpdate: async (ref, data) =>
      ownVoice(players.find(ref))?.onStateUpdate(data as GatewayVoiceStateUpdateDispatchData),
    voiceServerUpdate: async (ref, data) =>
      ownVoice(players.find(ref))?.onServerUpdate(data as GatewayVoiceServerUpdateDispatchData),
    joinHeld: async (ref, isHeld) => ownVoice(players.find(ref))?.holdJoin(isHeld),
    dropBot: async (botId) => players.dropBot(botId),
    holdUntil: async (untilMs, orUntilMs) => players.holdUntil(untilMs, orUntilMs),
    ping: async () => undefined,
    async close() {
      players.forgetAll()
      engine.clock.close()
      await engine.closeAll()
    },
  }
}

function ownVoice(player: ThreadPlayer | null): Voice | null {
  return player?.voice instanceof Voice ? player.voice : null
}

function snapshotOf({ ref, voice, trackPlayer, recorder }: ThreadPlayer): PlayerSnapshot {
  const { playId, positionMs } = trackPlayer
  const { isConnected, pingMs } = voice
  return { guildId: ref.guildId, playId, positionMs, isConnected, pingMs, frames: recorder.lastMinute() }
}

/**
 * Makes all TLS connections of this thread trust further certificate authorities (PEM). One of the same name is
 * replaced: with two of a name, OpenSSL may try the wrong one and give up.
 */
function addCertificateAuthorities(certificates: readonly string[]): void {
  if (certificates.length === 0) return
  const names = new Set(certificates.map(nameOf))
  const others = getCACertificates('default').filter((certificate) => !names.has(nameOf(certificate)))
  setDefaultCACertificates([...others, ...certificates])
}

function nameOf(certificate: string): string {
  return new X509Certificate(certificate).subject
}
