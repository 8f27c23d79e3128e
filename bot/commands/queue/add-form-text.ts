import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    title: 'Add to the queue',
    field: 'Song, artist or link',
  },
}

/** Texts of the form that adds a track. */
export const addFormText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      title: 'Zur Warteschlange hinzufügen',
      field: 'Titel, Band oder Link',
    },
  },
  fr: {
    words: {
      title: 'Ajouter à la file',
      field: 'Titre, artiste ou lien',
    },
  },
  'es-ES': {
    words: {
      title: 'Añadir a la cola',
      field: 'Título, artista o enlace',
    },
  },
  'pt-BR': {
    words: {
      title: 'Adicionar à fila',
      field: 'Título, artista ou link',
    },
  },
  ja: {
    words: {
      title: 'キューに追加',
      field: '曲名、アーティスト名、リンク',
    },
  },
}
