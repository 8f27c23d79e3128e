/** A line is cut here. No address or tag that is played is longer. */
const LINE_MAX_CHARS = 4096

/** The lines of a playlist, trimmed and cut at 4,096 characters; empty lines are left out. Reads the text once. */
export function* playlistLines(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const kept = line.slice(0, LINE_MAX_CHARS).trim()
    if (kept !== '') yield kept
  }
}
