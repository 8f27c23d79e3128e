import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'radio',
    'Play an internet radio station',
    { station: ['station', 'Name; your favourites come first'] },
  ] as const satisfies Label,
}

/** Texts of `/radio`. */
export const radioText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['radio', 'Spielt ein Internetradio', { station: ['sender', 'Name; deine Favoriten zuerst'] }],
  },
  fr: {
    label: ['radio', 'Lit une radio en ligne', { station: ['station', 'Nom ; tes favoris d’abord'] }],
  },
  'es-ES': {
    label: ['radio', 'Pone una emisora de internet', { station: ['emisora', 'Nombre; primero tus favoritas'] }],
  },
  'pt-BR': {
    label: ['rádio', 'Toca uma rádio da internet', { station: ['estação', 'Nome; suas favoritas primeiro'] }],
  },
  ja: {
    label: ['ラジオ', 'インターネットラジオを再生します', { station: ['局', '局名。お気に入りが先に出ます'] }],
  },
}
