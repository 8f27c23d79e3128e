import { randomUUID } from 'node:crypto'
import { Fault } from '../../../lib/errors.ts'
import type { MixLayer } from '../../music.ts'
import { openTrack } from '../track-opening.ts'
import { playOf } from '../phase.ts'
import { assertNode, assertOpen, type PlayerCore, type QueuedTrack } from '../player-state.ts'
import { toTrack } from '../../tracks/track.ts'

const OPEN_TIMEOUT_MS = 10_000
const MOST_LAYERS = 5

type Layer = PlayerCore['layers'][number]

/** @throws {Fault} `conflict` with nothing playing or five layers already; whatever the track itself is refused with. */
export async function addLayer(core: PlayerCore, track: QueuedTrack, volume: number): Promise<MixLayer> {
  assertOpen(core)
  const playId = playOf(core.phase)
  if (playId === null || core.isAdrift) {
    throw new Fault('conflict', 'Nothing is playing that could be laid over.', { reason: 'nothing_playing' })
  }
  if (core.layers.length >= MOST_LAYERS) {
    throw new Fault('conflict', `There are ${MOST_LAYERS} layers already. Remove one, or wait until one ends.`)
  }
  assertNode(core)
  const { node, ref } = core.parts
  const playable = await openTrack(core, track, AbortSignal.timeout(OPEN_TIMEOUT_MS))
  const layer = { id: randomUUID(), track, volume }
  core.layers = [...core.layers, layer]
  try {
    await node.addLayer(ref, { id: layer.id, playable, volume })
  } catch (err) {
    forgetLayer(core, layer.id)
    // What was not mixed in at once shall not come in later.
    node.removeLayer(ref, layer.id).catch(() => undefined)
    throw err
  }
  return shown(layer, 0)
}

export async function listLayers(core: PlayerCore): Promise<readonly MixLayer[]> {
  assertOpen(core)
  const { node, ref } = core.parts
  if (core.layers.length === 0) return []
  assertNode(core)
  const positions = new Map((await node.layers(ref)).map(({ id, positionMs }) => [id, positionMs]))
  return core.layers.map((layer) => shown(layer, positions.get(layer.id) ?? 0))
}

/** @throws {Fault} `not_found` when it has ended or never was. */
export async function changeLayer(core: PlayerCore, id: string, volume: number): Promise<MixLayer> {
  const layer = find(core, id)
  const { node, ref } = core.parts
  await node.setLayer(ref, id, volume)
  layer.volume = volume
  const { positionMs } = (await node.layers(ref)).find((one) => one.id === id) ?? { positionMs: 0 }
  return shown(layer, positionMs)
}

/** @throws {Fault} `not_found` when it has ended or never was. */
export async function removeLayer(core: PlayerCore, id: string): Promise<MixLayer> {
  const layer = find(core, id)
  const { node, ref } = core.parts
  const { positionMs } = (await node.layers(ref)).find((one) => one.id === id) ?? { positionMs: 0 }
  await node.removeLayer(ref, id)
  forgetLayer(core, id)
  return shown(layer, positionMs)
}

export function forgetLayer(core: PlayerCore, id: string): void {
  core.layers = core.layers.filter((layer) => layer.id !== id)
}

function find(core: PlayerCore, id: string): Layer {
  assertOpen(core)
  assertNode(core)
  const layer = core.layers.find((one) => one.id === id)
  if (!layer) throw new Fault('not_found', 'There is no such layer over the current track; it may have ended.')
  return layer
}

function shown({ id, track, volume }: Layer, positionMs: number): MixLayer {
  return { id, track: { ...toTrack(track.info), encoded: track.encoded }, volume, positionMs }
}
