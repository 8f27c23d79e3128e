import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    title: 'Add to the queue',
    field: 'A title, an artist or a link',
  },
}

/** Texts of the form that adds a track. */
export const addFormText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      title: 'Zur Warteschlange hinzufügen',
      field: 'Ein Titel, eine Band oder ein Link',
    },
  },
  fr: {
    words: {
      title: 'Ajouter à la file',
      field: 'Un titre, un artiste ou un lien',
    },
  },
  'es-ES': {
    words: {
      title: 'Añadir a la cola',
      field: 'Un título, un artista o un enlace',
    },
  },
  'pt-BR': {
    words: {
      title: 'Adicionar à fila',
      field: 'Um título, um artista ou um link',
    },
  },
  ja: {
    words: {
      title: 'キューに追加',
      field: '曲名、アーティスト名、またはリンク',
    },
  },
}
