import { randomUUID } from 'node:crypto'
import { Fault } from '../../../lib/errors.ts'
import { playOf } from '../phase.ts'
import type { QueuedTrack } from '../player-parts.ts'
import { assertNode, assertOpen, type PlayerState } from '../player-state.ts'
import { toTrack, type EncodedTrack } from '../../tracks/track.ts'

const OPEN_TIMEOUT_MS = 10_000
const MOST_LAYERS = 5

/** Something that sounds over the current track and goes with it. */
interface MixLayer {
  readonly id: string
  readonly track: EncodedTrack
  /** 0 to 1; the player's volume comes on top. */
  readonly volume: number
  readonly positionMs: number
}

type Layer = PlayerState['layers'][number]

/** @throws {Fault} `conflict` if nothing plays or five layers exist; the errors of opening the track. */
export async function addLayer(state: PlayerState, track: QueuedTrack, volume: number): Promise<MixLayer> {
  assertOpen(state)
  const playId = playOf(state.phase)
  if (playId === null || state.isAdrift) {
    throw new Fault('conflict', 'Nothing is playing. Layers need a current track.', { reason: 'nothing_playing' })
  }
  if (state.layers.length >= MOST_LAYERS) {
    throw new Fault('conflict', `Layer limit reached (${MOST_LAYERS}). Remove one, or wait until one ends.`)
  }
  assertNode(state)
  const { node, ref } = state.parts
  const playable = await state.parts.openTrack(track, AbortSignal.timeout(OPEN_TIMEOUT_MS))
  const layer = { id: randomUUID(), track, volume }
  state.addLayer(layer)
  try {
    await node.addLayer(ref, { id: layer.id, playable, volume })
  } catch (err) {
    state.removeLayer(layer.id)
    // A layer that could not start at once must not start later.
    node.removeLayer(ref, layer.id).catch(() => undefined)
    throw err
  }
  return shown(layer, 0)
}

export async function listLayers(state: PlayerState): Promise<readonly MixLayer[]> {
  assertOpen(state)
  const { node, ref } = state.parts
  if (state.layers.length === 0) return []
  assertNode(state)
  const positions = new Map((await node.layers(ref)).map(({ id, positionMs }) => [id, positionMs]))
  return state.layers.map((layer) => shown(layer, positions.get(layer.id) ?? 0))
}

/** @throws {Fault} `not_found` when it has ended or never was. */
export async function changeLayer(state: PlayerState, id: string, volume: number): Promise<MixLayer> {
  const layer = find(state, id)
  const { node, ref } = state.parts
  await node.setLayer(ref, id, volume)
  state.setLayerVolume(id, volume)
  const { positionMs } = (await node.layers(ref)).find((one) => one.id === id) ?? { positionMs: 0 }
  return shown({ ...layer, volume }, positionMs)
}

/** @throws {Fault} `not_found` when it has ended or never was. */
export async function removeLayer(state: PlayerState, id: string): Promise<MixLayer> {
  const layer = find(state, id)
  const { node, ref } = state.parts
  const { positionMs } = (await node.layers(ref)).find((one) => one.id === id) ?? { positionMs: 0 }
  await node.removeLayer(ref, id)
  state.removeLayer(id)
  return shown(layer, positionMs)
}

function find(state: PlayerState, id: string): Layer {
  assertOpen(state)
  assertNode(state)
  const layer = state.layers.find((one) => one.id === id)
  if (!layer) throw new Fault('not_found', "The layer doesn't exist. It may have ended.")
  return layer
}

function shown({ id, track, volume }: Layer, positionMs: number): MixLayer {
  return { id, track: { ...toTrack(track.info), encoded: track.encoded }, volume, positionMs }
}
