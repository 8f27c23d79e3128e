/** Lines of lyrics that follow the music. @returns `set` for `{ row, ms }` of each, and `follow` for where the music is. */
export function openSungLines(panel) {
  let lines = []
  let sung = -1
  return {
    set(given) {
      lines = given
      sung = -1
    },
    /** Marks the line that is sung at this position. */
    follow(positionMs) {
      if (lines.length === 0) return
      const now = lines.findLastIndex(({ ms }) => ms <= positionMs)
      if (now === sung) return
      lines[sung]?.row.removeAttribute('aria-current')
      sung = now
      const row = lines[now]?.row
      if (!row) return
      row.setAttribute('aria-current', 'true')
      // The panel is what its lines are measured from.
      const top = row.offsetTop - panel.clientHeight / 2 + row.clientHeight / 2
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
      panel.scrollTo({ top, behavior: isCalm ? 'auto' : 'smooth' })
    },
  }
}
