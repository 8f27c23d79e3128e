import type { Localised, Widened } from '../i18n/languages.ts'
import { presetText } from '../../player/audio-settings/preset-text.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'filter',
    'Apply an audio filter',
    {
      preset: [
        'preset',
        'A preset',
        {
          off: 'Off',
          ...presetText.en,
        },
      ],
      pitch: ['pitch', 'Semitones up or down; the speed stays'],
      speed: ['speed', 'Percent; default: 100; the pitch stays'],
    },
  ] as const satisfies Label,
  words: {
    set: (parts: string) => `Filter: ${parts}`,
    off: 'Filter: off',
    semitones: (signed: string) => `${signed} semitones`,
    speed: (percent: number) => `${percent} % speed`,
    nothingChosen: 'Choose a preset, a pitch or a speed.',
  },
}

/** Texts of `/filter`. */
export const filterText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'klang',
      'Wendet einen Filter auf die Musik an',
      {
        preset: [
          'art',
          'Eine Voreinstellung',
          {
            off: 'Aus',
            ...presetText.de,
          },
        ],
        pitch: ['tonhöhe', 'Halbtöne höher oder tiefer; das Tempo bleibt'],
        speed: ['tempo', 'Prozent; Standard: 100; die Tonhöhe bleibt'],
      },
    ],
    words: {
      set: (parts) => `Filter: ${parts}`,
      off: 'Filter: aus',
      semitones: (signed) => `${signed} Halbtöne`,
      speed: (percent) => `Tempo ${percent} %`,
      nothingChosen: 'Wähle eine Voreinstellung, eine Tonhöhe oder ein Tempo.',
    },
  },
  fr: {
    label: [
      'filtre',
      'Applique un filtre audio',
      {
        preset: [
          'effet',
          'Un préréglage',
          {
            off: 'Aucun',
            ...presetText.fr,
          },
        ],
        pitch: ['hauteur', 'Demi-tons en plus ou en moins ; la vitesse ne change pas'],
        speed: ['vitesse', 'Pourcentage ; 100 par défaut ; la hauteur ne change pas'],
      },
    ],
    words: {
      set: (parts) => `Filtre : ${parts}`,
      off: 'Filtre : aucun',
      semitones: (signed) => `${signed} demi-tons`,
      speed: (percent) => `vitesse ${percent} %`,
      nothingChosen: 'Choisis un effet, une hauteur ou une vitesse.',
    },
  },
  'es-ES': {
    label: [
      'filtro',
      'Aplica un filtro de audio',
      {
        preset: [
          'efecto',
          'Un ajuste predefinido',
          {
            off: 'Ninguno',
            ...presetText['es-ES'],
          },
        ],
        pitch: ['tono', 'Semitonos arriba o abajo; la velocidad no cambia'],
        speed: ['velocidad', 'Porcentaje; 100 por defecto; el tono no cambia'],
      },
    ],
    words: {
      set: (parts) => `Filtro: ${parts}`,
      off: 'Filtro: ninguno',
      semitones: (signed) => `${signed} semitonos`,
      speed: (percent) => `velocidad ${percent} %`,
      nothingChosen: 'Elige un efecto, un tono o una velocidad.',
    },
  },
  'pt-BR': {
    label: [
      'filtro',
      'Aplica um filtro de áudio',
      {
        preset: [
          'efeito',
          'Uma predefinição',
          {
            off: 'Nenhum',
            ...presetText['pt-BR'],
          },
        ],
        pitch: ['tom', 'Semitons acima ou abaixo; a velocidade não muda'],
        speed: ['velocidade', 'Porcentagem; padrão: 100; o tom não muda'],
      },
    ],
    words: {
      set: (parts) => `Filtro: ${parts}`,
      off: 'Filtro: nenhum',
      semitones: (signed) => `${signed} semitons`,
      speed: (percent) => `velocidade ${percent}%`,
      nothingChosen: 'Escolha um efeito, um tom ou uma velocidade.',
    },
  },
  ja: {
    label: [
      '音質',
      '音声フィルターをかけます',
      {
        preset: [
          '種類',
          'プリセット',
          {
            off: 'なし',
            ...presetText.ja,
          },
        ],
        pitch: ['音程', '半音単位。速度は変わりません'],
        speed: ['速度', 'パーセント。標準は 100。音程は変わりません'],
      },
    ],
    words: {
      set: (parts) => `フィルター：${parts}`,
      off: 'フィルター：オフ',
      semitones: (signed) => `${signed} 半音`,
      speed: (percent) => `速度 ${percent}%`,
      nothingChosen: 'プリセット、音程、速度のどれかを選んでください。',
    },
  },
}
