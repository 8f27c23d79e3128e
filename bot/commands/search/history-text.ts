import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: ['history', 'Show and replay recent tracks', { page: ['page', 'Page number'] }] as const satisfies Label,
  words: {
    title: 'Recently played',
    choose: 'Choose tracks to play again',
    empty: 'Nothing has been played here yet.',
  },
}

/** Texts of `/history`. */
export const historyText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['verlauf', 'Zeigt zuletzt gespielte Titel und spielt sie erneut', { page: ['seite', 'Seitenzahl'] }],
    words: {
      title: 'Zuletzt gespielt',
      choose: 'Titel erneut spielen',
      empty: 'Hier lief noch nichts.',
    },
  },
  fr: {
    label: ['historique', 'Montre les titres récents et les relit', { page: ['page', 'Numéro de page'] }],
    words: {
      title: 'Titres récents',
      choose: 'Relire un ou plusieurs titres',
      empty: 'Aucun titre lu ici pour l’instant.',
    },
  },
  'es-ES': {
    label: ['historial', 'Muestra las pistas recientes y las repite', { page: ['página', 'Número de página'] }],
    words: {
      title: 'Pistas recientes',
      choose: 'Volver a poner una o varias',
      empty: 'Aquí no ha sonado nada todavía.',
    },
  },
  'pt-BR': {
    label: ['histórico', 'Mostra as faixas recentes e toca de novo', { page: ['página', 'Número da página'] }],
    words: { title: 'Tocadas recentemente', choose: 'Tocar de novo uma ou mais', empty: 'Nada tocou aqui ainda.' },
  },
  ja: {
    label: ['履歴', '最近再生した曲を表示し、もう一度再生します', { page: ['ページ', 'ページ番号'] }],
    words: {
      title: '最近再生した曲',
      choose: 'もう一度再生する曲を選ぶ（複数可）',
      empty: 'ここではまだ何も再生されていません。',
    },
  },
}
