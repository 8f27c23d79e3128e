import { loudness, pitch, SILENT, type Sound } from '../../sound/measure.ts'
import { stairSeconds } from '../../sound/wave.ts'
import type { Playing } from '../../suite/stage.ts'

export const isSilent = (sound: Sound): boolean => loudness(sound) < SILENT
export const isSound = (sound: Sound): boolean => !isSilent(sound)
export const isTone =
  (hz: number, tolerance = 6) =>
  (sound: Sound): boolean =>
    Math.abs((pitch(sound.left) ?? 0) - hz) < tolerance

/** The listener's present position in the stairs, in seconds. */
export async function heardSeconds({ listener }: Playing): Promise<number> {
  const sound = await listener.until('a step of the stairs', isSound)
  return stairSeconds(pitch(sound.left) ?? 0)
}

/** Sound and its level, once it is steady. */
export async function level({ listener }: Playing): Promise<number> {
  await listener.until('sound', isSound)
  await listener.hear(400)
  return loudness(await listener.hear(600))
}
