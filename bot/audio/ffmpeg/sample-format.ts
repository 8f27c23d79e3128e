/** Samples a second of all sound here. */
export const RATE = 48_000
/** Whole numbers end at full scale, where Lavaplayer clips as well. */
export const CLIP = 'aformat=sample_fmts=s16'
