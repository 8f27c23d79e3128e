/** Loudness of a player. Muting never touches `level`; only the end of a mute may. */
export interface Volume {
  /** Percent, 0 to 200. */
  readonly level: number
  readonly muted: boolean
  /** The level when the mute began; null while there is none. */
  readonly levelBeforeMute: number | null
}

export const FULL: Volume = { level: 100, muted: false, levelBeforeMute: null }

/** Begins a mute, or ends it with the level as it is now. Repeating changes nothing. */
export function setMuted(volume: Volume, muted: boolean): Volume {
  if (volume.muted === muted) return volume
  return { level: volume.level, muted, levelBeforeMute: muted ? volume.level : null }
}

/** Ends a mute and brings the level back to what it was when the mute began, even if it was changed meanwhile. */
export function unmute(volume: Volume): Volume {
  if (!volume.muted) return volume
  return { level: volume.levelBeforeMute ?? volume.level, muted: false, levelBeforeMute: null }
}

export function setLevel(volume: Volume, level: number): Volume {
  return volume.level === level ? volume : { ...volume, level }
}
