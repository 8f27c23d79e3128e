import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'radio',
    'Play an internet radio',
    { station: ['station', 'Its name; your favourite stations come first'] },
  ] as const satisfies Label,
}

/** Texts of `/radio`. */
export const radioText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['radio', 'Spielt ein Internetradio', { station: ['sender', 'Sein Name; deine Favoriten kommen zuerst'] }],
  },
  fr: {
    label: ['radio', 'Joue une radio en ligne', { station: ['station', 'Son nom ; tes favoris d’abord'] }],
  },
  'es-ES': {
    label: ['radio', 'Pone una emisora de internet', { station: ['emisora', 'Su nombre; primero tus favoritas'] }],
  },
  'pt-BR': {
    label: ['rádio', 'Toca uma rádio da internet', { station: ['estação', 'O nome; suas favoritas vêm primeiro'] }],
  },
  ja: {
    label: ['ラジオ', 'インターネットラジオを再生します', { station: ['局', '局名。お気に入りの局が先に出ます'] }],
  },
}
