import { createHash } from 'node:crypto'
import { createLru } from '../../../lib/sharing/lru.ts'
import type { EncodedTrack } from '../../tracks/track.ts'

/** Discord shows no more. */
export const MOST_CHOICES = 25

export interface AutocompleteChoice<V extends string | number = string> {
  /** At most 100 characters; longer ones are cut. */
  readonly name: string
  /** At most 100 characters. */
  readonly value: V
}

/** Tracks that were offered while a member typed. A choice is too short for a token, so it carries its mark. */
export type Suggestions = ReturnType<typeof createSuggestions>

interface ListName {
  readonly title: string
  readonly author: string | null
  readonly uri: string
}

const MOST_REMEMBERED = 5000
const MOST_SEARCHES = 500
const SEARCH_KEPT_MS = 60_000
const LONGEST_VALUE = 100
const MARKED = /^(.*) #([\w-]{12})$/su

export function createSuggestions() {
  const tokens = createLru<string, string>(MOST_REMEMBERED)
  const uris = createLru<string, string>(MOST_REMEMBERED)
  const searches = createLru<string, Promise<readonly EncodedTrack[]>>(MOST_SEARCHES, { ttl: SEARCH_KEPT_MS })

  function toChoice(track: EncodedTrack): AutocompleteChoice {
    const mark = markOf(track.encoded)
    tokens.set(mark, track.encoded)
    return { name: choiceName(track), value: markedAs(track.title, mark) }
  }

  return {
    toChoice,
    /** An album, an artist or the like as a choice. */
    toListChoice: ({ title, author, uri }: ListName): AutocompleteChoice => {
      const mark = markOf(uri)
      uris.set(mark, uri)
      const name = cut(choiceName({ title, author: author ?? '' }), LONGEST_VALUE)
      return { name, value: markedAs(title, mark) }
    },
    /** The address of what was chosen; else the text that was typed. */
    takeList(chosen: string): { readonly uri: string } | { readonly query: string } {
      const [, title, mark = ''] = MARKED.exec(chosen) ?? []
      const uri = uris.get(mark)
      return uri === undefined ? { query: title ?? chosen } : { uri }
    },
    /** The token of a track that was offered; null for one that is forgotten. */
    tokenOf: (mark: string): string | null => tokens.get(mark) ?? null,
    /** Returns results of a search as choices. The same words within a minute are searched for once. */
    async offer(words: string, search: () => Promise<readonly EncodedTrack[]>): Promise<readonly AutocompleteChoice[]> {
      const key = words.toLowerCase()
      const known = searches.get(key)
      const found = known ?? search()
      if (!known) searches.set(key, found)
      try {
        return (await found).map(toChoice)
      } catch (err) {
        searches.delete(key)
        throw err
      }
    },
    /** The token of what was chosen; else the text that was typed. */
    take(chosen: string): { readonly encoded: string } | { readonly query: string } {
      const [, title, mark = ''] = MARKED.exec(chosen) ?? []
      const encoded = tokens.get(mark)
      if (encoded !== undefined) return { encoded }
      // The track was offered before a restart: the title may do.
      return { query: title ?? chosen }
    },
  }
}

function markedAs(title: string, mark: string): string {
  const ending = ` #${mark}`
  return `${cut(title, LONGEST_VALUE - ending.length)}${ending}`
}

/** A short identifier of a track. */
export function markOf(encoded: string): string {
  return createHash('sha256').update(encoded).digest('base64url').slice(0, 12)
}

export function choiceName({ title, author }: { readonly title: string; readonly author: string }): string {
  // Discord takes no empty names.
  return [title, author].filter((it) => it.trim() !== '').join(' · ') || '…'
}

/** At most `length` units, and no half of a character. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`
}
