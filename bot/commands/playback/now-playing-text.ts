import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: ['nowplaying', 'Show the player card'] as const satisfies Label,
}

/** Texts of `/nowplaying`. */
export const nowPlayingText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['läuft', 'Zeigt die Player-Karte'],
  },
  fr: {
    label: ['en-cours', 'Affiche la carte du lecteur'],
  },
  'es-ES': {
    label: ['sonando', 'Muestra la tarjeta del reproductor'],
  },
  'pt-BR': {
    label: ['tocando', 'Mostra o cartão do player'],
  },
  ja: {
    label: ['再生中', 'プレーヤーのカードを表示します'],
  },
}
