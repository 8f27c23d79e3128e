const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The English name of a language code; the code itself if there is none. */
export function languageName(code: string): string {
  if (code === 'und') return 'Undetermined'
  try {
    return NAMES.of(code) ?? code
  } catch {
    // Not a language code at all.
    return code
  }
}
