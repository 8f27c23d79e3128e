export const PAGE_LANGUAGES = ['en', 'de'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

/** Words in every language: the English ones say which there are. */
export type PageWords<T> = Readonly<Record<PageLanguage, T>>

export function isLanguage(name: string | null | undefined): name is PageLanguage {
  return (PAGE_LANGUAGES as readonly (string | null | undefined)[]).includes(name)
}

/** The first language of `Accept-Language` that is one of ours; weights are in its order in practice. */
export function preferred(accepted: string | undefined): PageLanguage {
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const name = part.trim().slice(0, 2)
    if (isLanguage(name)) return name
  }
  return 'en'
}
