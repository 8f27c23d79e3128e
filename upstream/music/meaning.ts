import { z } from 'zod'
import { createCache } from '../http/cache.ts'
import { createUpstream, notFound, urlPath, type Upstream, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure } from '../http/failure.ts'
import { alike, folded, songNames, type SongName, type TrackName } from './title-matching.ts'
import { usable } from './schemas.ts'

export interface MeaningOf {
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly source: 'genius' | 'wikipedia'
  readonly url: string
}

export type Meaning = ReturnType<typeof createMeaning>

interface MeaningOptions {
  /** `{lang}` in it stands for the language. */
  readonly wikipediaUrl: string
  readonly genius: { readonly baseUrl: string; readonly token: string | null }
  readonly timeoutMs: number
  readonly cacheMax: number
}

/** The editions of Wikipedia with articles on many songs. For any other language the English one is asked. */
const LANGUAGES = new Set('en de fr es pt it ja nl pl ru sv tr uk zh ko ar cs fi he hu id no da vi'.split(' '))

const Hits = z.object({
  response: z.object({ hits: z.array(z.unknown()) }),
})
const Hit = z.object({
  result: z.object({ id: z.int(), title: z.string(), artist_names: z.string().default('') }),
})
const Song = z.object({
  response: z.object({
    song: z.object({
      title: z.string(),
      url: z.url(),
      description: z.object({ plain: z.string().nullish() }).nullish(),
    }),
  }),
})
const Pages = z.object({ query: z.object({ search: z.array(z.object({ title: z.string() })) }) })
const Summary = z.object({
  type: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  extract: z.string().default(''),
  content_urls: z.object({ desktop: z.object({ page: z.url() }) }),
})

const FOUND_MS = 24 * 3_600_000
const MISSING_MS = 3_600_000
const ALIKE_MIN = 0.6
const ABOUT_MUSIC = /\b(?:songs?|singles?|tracks?|ballads?|anthems?|instrumentals?)\b/i

export function createMeaning(context: UpstreamContext, options: MeaningOptions) {
  const { genius, cacheMax: max } = options
  const { metrics, now } = context
  const ttl = { ttlMs: FOUND_MS, missingTtlMs: MISSING_MS }
  const cache = createCache<MeaningOf | null>({ name: 'meaning', max, ...ttl, metrics, now })
  const wikipedia = createWikipedia(context, options)
  const annotations = genius.token === null ? null : createGenius(context, { ...options, token: genius.token })

  async function look(track: TrackName, lang: string): Promise<MeaningOf | null> {
    const asks = [
      ...(lang === 'en' ? [] : [(name: SongName) => wikipedia(name, lang)]),
      ...(annotations ? [annotations] : []),
      (name: SongName) => wikipedia(name, 'en'),
    ]
    const [name] = songNames(track)
    let failure: UpstreamFailure | null = null
    for (const ask of name && name.artist !== '' ? asks : []) {
      try {
        const found = await ask(name as SongName)
        if (found) return found
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error
        failure = error
      }
    }
    // Who could not be asked may have known: that is no answer to keep.
    if (failure) throw failure
    return null
  }

  return {
    /** What a song is about; null if unknown. @throws {UpstreamFailure} when no service answered. */
    find: (track: TrackName, lang: string): Promise<MeaningOf | null> => {
      const base = lang.toLowerCase().split('-')[0] ?? ''
      const known = LANGUAGES.has(base) ? base : 'en'
      const key = JSON.stringify([known, folded(track.title), folded(track.author)])
      return cache.get(key, () => look(track, known))
    },
  }
}

function createGenius(context: UpstreamContext, options: MeaningOptions & { readonly token: string }) {
  const { genius, token, timeoutMs } = options
  const headers = { authorization: `Bearer ${token}` }
  const api = createUpstream(context, { id: 'genius', name: 'Genius', baseUrl: genius.baseUrl, timeoutMs, headers })
  return async ({ title, artist }: SongName): Promise<MeaningOf | null> => {
    const { response } = await api.get({ path: '/search', query: { q: `${artist} ${title}` }, shape: Hits })
    const hit = usable(Hit, response.hits).find(
      ({ result }) => alike(result.title, title) >= ALIKE_MIN && alike(result.artist_names, artist) >= ALIKE_MIN,
    )
    if (!hit) return null
    const path = urlPath`/songs/${hit.result.id}`
    const found = await api.find({ path, query: { text_format: 'plain' }, shape: Song, absent: notFound })
    const { title: name = '', url = '', description } = found?.response.song ?? {}
    const paragraphs = paragraphsOf(description?.plain ?? '')
    // A song without a description has a question mark.
    if (paragraphs.length === 0 || paragraphs[0] === '?') return null
    return { title: name, paragraphs, source: 'genius', url }
  }
}

function createWikipedia(context: UpstreamContext, { wikipediaUrl, timeoutMs }: MeaningOptions) {
  const editions = new Map<string, Upstream>()

  function edition(lang: string): Upstream {
    const baseUrl = wikipediaUrl.replace('{lang}', lang)
    const known =
      editions.get(lang) ?? createUpstream(context, { id: 'wikipedia', name: 'Wikipedia', baseUrl, timeoutMs })
    editions.set(lang, known)
    return known
  }

  return async (name: SongName, lang: string): Promise<MeaningOf | null> => {
    const api = edition(lang)
    const words = `"${name.title.replaceAll('"', ' ')}" ${name.artist}${lang === 'en' ? ' song' : ''}`
    const query = { action: 'query', list: 'search', srsearch: words, srlimit: 3, format: 'json' }
    const { search } = (await api.get({ path: '/w/api.php', query, shape: Pages })).query
    for (const page of search.filter(({ title }) => isTitled(title, name))) {
      const path = urlPath`/api/rest_v1/page/summary/${page.title.replaceAll(' ', '_')}`
      const found = await api.find({ path, shape: Summary, absent: notFound, redirects: 2 })
      if (!found || !isAbout(found, name, lang)) continue
      const { title, extract, content_urls: urls } = found
      return { title, paragraphs: paragraphsOf(extract), source: 'wikipedia', url: urls.desktop.page }
    }
    return null
  }
}

/** `Title` or `Title (Artist song)`. */
function isTitled(page: string, { title }: SongName): boolean {
  return alike(page.replace(/\([^()]*\)$/, ''), title) >= ALIKE_MIN
}

/** An article on the song, not on a town, a film or another song of the same name. */
function isAbout(
  { type, description, extract }: z.output<typeof Summary>,
  { artist }: SongName,
  lang: string,
): boolean {
  const about = `${description ?? ''} ${extract}`
  const isMusic = lang !== 'en' || ABOUT_MUSIC.test(about)
  return type === 'standard' && extract.trim() !== '' && isMusic && folded(about).includes(folded(artist))
}

function paragraphsOf(text: string): readonly string[] {
  return text
    .split(/\r?\n+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
}
