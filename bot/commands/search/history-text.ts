import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: ['history', 'See and replay what was played here', { page: ['page', 'Which page'] }] as const satisfies Label,
  words: { title: 'Played lately', choose: 'Play one or several again', empty: 'Nothing was played here yet.' },
}

/** Texts of `/history`. */
export const historyText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['verlauf', 'Zeigt, was hier lief, und spielt es noch einmal', { page: ['seite', 'Welche Seite'] }],
    words: {
      title: 'Zuletzt gespielt',
      choose: 'Einen oder mehrere noch einmal spielen',
      empty: 'Hier lief noch nichts.',
    },
  },
  fr: {
    label: ['historique', 'Montre ce qui a été joué ici et le rejoue', { page: ['page', 'Quelle page'] }],
    words: {
      title: 'Joué récemment',
      choose: 'Rejouer un ou plusieurs titres',
      empty: 'Rien n’a encore été joué ici.',
    },
  },
  'es-ES': {
    label: ['historial', 'Muestra lo que sonó aquí y lo vuelve a poner', { page: ['página', 'Qué página'] }],
    words: {
      title: 'Ha sonado hace poco',
      choose: 'Volver a poner una o varias',
      empty: 'Aquí no ha sonado nada todavía.',
    },
  },
  'pt-BR': {
    label: ['histórico', 'Mostra o que tocou aqui e toca de novo', { page: ['página', 'Qual página'] }],
    words: { title: 'Tocadas recentemente', choose: 'Tocar de novo uma ou mais', empty: 'Nada tocou aqui ainda.' },
  },
  ja: {
    label: ['履歴', 'ここで再生した曲を表示し、もう一度再生します', { page: ['ページ', 'どのページか'] }],
    words: {
      title: '最近再生した曲',
      choose: 'もう一度再生する曲を選ぶ（複数可）',
      empty: 'ここではまだ何も再生されていません。',
    },
  },
}
