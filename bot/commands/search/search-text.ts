import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'
import { playText } from '../playback/play-text.ts'

const en = {
  label: [
    'search',
    'Search and choose what to play',
    {
      query: ['query', 'A title, an artist, an album'],
      source: ['source', 'Search there alone'],
      when: playText['en'].label[2].when,
    },
  ] as const satisfies Label,
  words: { title: (query: string) => `Results for “${query}”`, choose: 'Choose one track or several' },
}

/** Texts of `/search`. */
export const searchText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'suchen',
      'Sucht, und du wählst, was spielt',
      {
        query: ['suche', 'Ein Titel, eine Band, ein Album'],
        source: ['quelle', 'Nur dort suchen'],
        when: playText['de'].label[2].when,
      },
    ],
    words: { title: (query) => `Ergebnisse für „${query}“`, choose: 'Wähle einen oder mehrere Titel' },
  },
  fr: {
    label: [
      'chercher',
      'Cherche et laisse choisir quoi jouer',
      {
        query: ['recherche', 'Un titre, un artiste, un album'],
        source: ['source', 'Chercher uniquement là'],
        when: playText['fr'].label[2].when,
      },
    ],
    words: { title: (query) => `Résultats pour « ${query} »`, choose: 'Choisis un ou plusieurs titres' },
  },
  'es-ES': {
    label: [
      'buscar',
      'Busca y elige qué poner',
      {
        query: ['búsqueda', 'Un título, un artista, un álbum'],
        source: ['fuente', 'Buscar solo ahí'],
        when: playText['es-ES'].label[2].when,
      },
    ],
    words: { title: (query) => `Resultados de «${query}»`, choose: 'Elige una o varias pistas' },
  },
  'pt-BR': {
    label: [
      'buscar',
      'Busca e escolha o que tocar',
      {
        query: ['busca', 'Um título, um artista, um álbum'],
        source: ['fonte', 'Buscar só ali'],
        when: playText['pt-BR'].label[2].when,
      },
    ],
    words: { title: (query) => `Resultados para “${query}”`, choose: 'Escolha uma ou mais faixas' },
  },
  ja: {
    label: [
      'さがす',
      '検索して再生する曲を選びます',
      {
        query: ['検索', '曲名、アーティスト、アルバム'],
        source: ['音源', 'ここだけを検索します'],
        when: playText['ja'].label[2].when,
      },
    ],
    words: { title: (query) => `「${query}」の検索結果`, choose: '曲を選んでください（複数可）' },
  },
}
