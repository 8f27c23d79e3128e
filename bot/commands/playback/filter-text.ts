import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'filter',
    'Change how the music sounds',
    {
      preset: [
        'preset',
        'How',
        {
          off: 'Off',
          bassboost: 'Bass boost',
          nightcore: 'Nightcore',
          vaporwave: 'Vaporwave',
          '8d': '8D',
          soft: 'Soft',
        },
      ],
    },
  ] as const satisfies Label,
  words: {
    set: (name: string) => `Filter: ${name}`,
    off: 'Filter: off',
  },
}

/** Texts of `/filter`. */
export const filterText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'klang',
      'Ändert, wie die Musik klingt',
      {
        preset: [
          'art',
          'Wie',
          {
            off: 'Aus',
            bassboost: 'Mehr Bass',
            nightcore: 'Nightcore',
            vaporwave: 'Vaporwave',
            '8d': '8D',
            soft: 'Weich',
          },
        ],
      },
    ],
    words: {
      set: (name) => `Klang: ${name}`,
      off: 'Klang: unverändert',
    },
  },
  fr: {
    label: [
      'filtre',
      'Change le son de la musique',
      {
        preset: [
          'effet',
          'Comment',
          {
            off: 'Aucun',
            bassboost: 'Plus de basses',
            nightcore: 'Nightcore',
            vaporwave: 'Vaporwave',
            '8d': '8D',
            soft: 'Doux',
          },
        ],
      },
    ],
    words: {
      set: (name) => `Filtre : ${name}`,
      off: 'Filtre : aucun',
    },
  },
  'es-ES': {
    label: [
      'filtro',
      'Cambia cómo suena la música',
      {
        preset: [
          'efecto',
          'Cómo',
          {
            off: 'Ninguno',
            bassboost: 'Más graves',
            nightcore: 'Nightcore',
            vaporwave: 'Vaporwave',
            '8d': '8D',
            soft: 'Suave',
          },
        ],
      },
    ],
    words: {
      set: (name) => `Filtro: ${name}`,
      off: 'Filtro: ninguno',
    },
  },
  'pt-BR': {
    label: [
      'filtro',
      'Muda o som da música',
      {
        preset: [
          'efeito',
          'Como',
          {
            off: 'Nenhum',
            bassboost: 'Mais graves',
            nightcore: 'Nightcore',
            vaporwave: 'Vaporwave',
            '8d': '8D',
            soft: 'Suave',
          },
        ],
      },
    ],
    words: {
      set: (name) => `Filtro: ${name}`,
      off: 'Filtro: nenhum',
    },
  },
  ja: {
    label: [
      '音質',
      '音楽の響きを変えます',
      {
        preset: [
          '種類',
          'どの響きか',
          {
            off: 'なし',
            bassboost: '低音強調',
            nightcore: 'ナイトコア',
            vaporwave: 'ヴェイパーウェイヴ',
            '8d': '8D',
            soft: 'ソフト',
          },
        ],
      },
    ],
    words: {
      set: (name) => `音質：${name}`,
      off: '音質：変更なし',
    },
  },
}
