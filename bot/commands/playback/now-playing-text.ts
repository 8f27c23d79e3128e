import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: ['nowplaying', 'Show the card of what plays now'] as const satisfies Label,
}

/** Texts of `/nowplaying`. */
export const nowPlayingText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['läuft', 'Zeigt die Karte mit dem, was gerade läuft'],
  },
  fr: {
    label: ['en-cours', 'Montre la carte du titre en cours'],
  },
  'es-ES': {
    label: ['sonando', 'Muestra la tarjeta de lo que suena'],
  },
  'pt-BR': {
    label: ['tocando', 'Mostra o cartão do que está tocando'],
  },
  ja: {
    label: ['再生中', '再生中の曲のカードを表示します'],
  },
}
