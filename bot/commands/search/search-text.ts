import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'
import { playText } from '../playback/play-text.ts'

const en = {
  label: [
    'search',
    'Search and choose what to play',
    {
      query: ['query', 'Song, artist or album'],
      source: ['source', 'Search only this source'],
      when: playText['en'].label[2].when,
    },
  ] as const satisfies Label,
  words: { title: (query: string) => `Results for “${query}”`, choose: 'Choose one or more tracks' },
}

/** Texts of `/search`. */
export const searchText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'suchen',
      'Sucht Titel zum Auswählen',
      {
        query: ['suche', 'Titel, Band oder Album'],
        source: ['quelle', 'Nur in dieser Quelle suchen'],
        when: playText['de'].label[2].when,
      },
    ],
    words: { title: (query) => `Ergebnisse für „${query}“`, choose: 'Wähle einen oder mehrere Titel' },
  },
  fr: {
    label: [
      'chercher',
      'Cherche des titres à choisir',
      {
        query: ['recherche', 'Titre, artiste ou album'],
        source: ['source', 'Chercher uniquement dans cette source'],
        when: playText['fr'].label[2].when,
      },
    ],
    words: { title: (query) => `Résultats pour « ${query} »`, choose: 'Choisis un ou plusieurs titres' },
  },
  'es-ES': {
    label: [
      'buscar',
      'Busca pistas para elegir',
      {
        query: ['búsqueda', 'Título, artista o álbum'],
        source: ['fuente', 'Buscar solo en esta fuente'],
        when: playText['es-ES'].label[2].when,
      },
    ],
    words: { title: (query) => `Resultados de «${query}»`, choose: 'Elige una o varias pistas' },
  },
  'pt-BR': {
    label: [
      'buscar',
      'Busca faixas para escolher',
      {
        query: ['busca', 'Título, artista ou álbum'],
        source: ['fonte', 'Buscar só nesta fonte'],
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
        source: ['ソース', 'このソースだけを検索します'],
        when: playText['ja'].label[2].when,
      },
    ],
    words: { title: (query) => `「${query}」の検索結果`, choose: '曲を選んでください（複数可）' },
  },
}
