/** A file without numbers and pictures, as the library's index has it. */
export const UNTAGGED = {
  albumArtist: null,
  discNumber: null,
  trackNumber: null,
  hasPicture: false,
  coverFile: null,
  coverAtMs: 0,
} as const
