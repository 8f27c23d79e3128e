import type { SegmentCategory } from '../../../lib/music/segment-categories.ts'
import type { Localised } from '../i18n/languages.ts'

interface SegmentText {
  /** Names of the segments that SponsorBlock knows. */
  readonly names: Readonly<Record<SegmentCategory, string>>
  readonly words: {
    readonly skipped: (what: string, length: string) => string
    readonly muted: (what: string) => string
  }
}

/** Texts of what is passed over. */
export const segmentText: Localised<SegmentText> = {
  en: {
    names: {
      sponsor: 'Sponsors',
      selfpromo: 'Self-promotion',
      interaction: 'Requests to subscribe',
      intro: 'Intros and intermissions',
      outro: 'Endcards and credits',
      preview: 'Previews and recaps',
      music_offtopic: 'Parts without music',
      filler: 'Tangents and jokes',
    },
    words: { skipped: (what, length) => `Skipped: ${what} (${length})`, muted: (what) => `Muted: ${what}` },
  },
  de: {
    names: {
      sponsor: 'Werbung von Sponsoren',
      selfpromo: 'Eigenwerbung',
      interaction: 'Bitten um ein Abo',
      intro: 'Intros und Pausen',
      outro: 'Abspann',
      preview: 'Vorschau und Rückblick',
      music_offtopic: 'Stellen ohne Musik',
      filler: 'Abschweifungen und Witze',
    },
    words: { skipped: (what, length) => `Übersprungen: ${what} (${length})`, muted: (what) => `Stumm: ${what}` },
  },
  fr: {
    names: {
      sponsor: 'Sponsors',
      selfpromo: 'Autopromotion',
      interaction: 'Appels à s’abonner',
      intro: 'Intros et entractes',
      outro: 'Génériques de fin',
      preview: 'Aperçus et résumés',
      music_offtopic: 'Passages sans musique',
      filler: 'Digressions et blagues',
    },
    words: { skipped: (what, length) => `Sauté : ${what} (${length})`, muted: (what) => `Son coupé : ${what}` },
  },
  'es-ES': {
    names: {
      sponsor: 'Patrocinios',
      selfpromo: 'Autopromoción',
      interaction: 'Peticiones de suscribirse',
      intro: 'Intros e intermedios',
      outro: 'Créditos finales',
      preview: 'Avances y resúmenes',
      music_offtopic: 'Partes sin música',
      filler: 'Digresiones y bromas',
    },
    words: { skipped: (what, length) => `Saltado: ${what} (${length})`, muted: (what) => `Silenciado: ${what}` },
  },
  'pt-BR': {
    names: {
      sponsor: 'Patrocínios',
      selfpromo: 'Autopromoção',
      interaction: 'Pedidos de inscrição',
      intro: 'Introduções e intervalos',
      outro: 'Créditos finais',
      preview: 'Prévias e recapitulações',
      music_offtopic: 'Partes sem música',
      filler: 'Divagações e piadas',
    },
    words: { skipped: (what, length) => `Pulado: ${what} (${length})`, muted: (what) => `Silenciado: ${what}` },
  },
  ja: {
    names: {
      sponsor: 'スポンサー',
      selfpromo: '自己宣伝',
      interaction: 'チャンネル登録の呼びかけ',
      intro: 'イントロと幕間',
      outro: '終了画面とクレジット',
      preview: '予告とおさらい',
      music_offtopic: '音楽以外の部分',
      filler: '脱線と冗談',
    },
    words: {
      skipped: (what, length) => `スキップしました：${what}（${length}）`,
      muted: (what) => `ミュート：${what}`,
    },
  },
}
