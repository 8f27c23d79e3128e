import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'holidays',
    'The next holidays of a country',
    {
      country: ['country', 'Which country'],
      state: ['state', 'A state or region of it'],
      year: ['year', 'All holidays of a year instead of the next ones'],
    },
  ] as const satisfies Label,
  words: {
    next: (place: string) => `Next holidays: ${place}`,
    ofYear: (place: string, year: string) => `Holidays ${year}: ${place}`,
    today: 'today',
    onlyIn: (states: string) => `only in ${states}`,
    none: 'There are none.',
    unknownCountry: 'I know no holidays of this country. Choose one of those that are offered while you type.',
    unknownState: 'This country has no such state. Choose one of those that are offered while you type.',
  },
}

/** Texts of `/holidays`. */
export const holidaysText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'feiertage',
      'Die nächsten Feiertage eines Landes',
      {
        country: ['land', 'Welches Land'],
        state: ['gebiet', 'Ein Bundesland oder eine Region darin'],
        year: ['jahr', 'Alle eines Jahres statt der nächsten'],
      },
    ],
    words: {
      next: (place) => `Nächste Feiertage: ${place}`,
      ofYear: (place, year) => `Feiertage ${year}: ${place}`,
      today: 'heute',
      onlyIn: (states) => `nur in ${states}`,
      none: 'Es gibt keine.',
      unknownCountry:
        'Von diesem Land kenne ich keine Feiertage. Wähle eines von denen, die beim Tippen angeboten werden.',
      unknownState: 'Dieses Gebiet hat das Land nicht. Wähle eines von denen, die beim Tippen angeboten werden.',
    },
  },
  fr: {
    label: [
      'fériés',
      'Les prochains jours fériés d’un pays',
      {
        country: ['pays', 'Quel pays'],
        state: ['région', 'Une de ses régions'],
        year: ['année', 'Tous ceux d’une année au lieu des prochains'],
      },
    ],
    words: {
      next: (place) => `Prochains jours fériés : ${place}`,
      ofYear: (place, year) => `Jours fériés ${year} : ${place}`,
      today: 'aujourd’hui',
      onlyIn: (states) => `seulement : ${states}`,
      none: 'Il n’y en a pas.',
      unknownCountry: 'Je ne connais pas les jours fériés de ce pays. Choisis-en un parmi ceux qui sont proposés.',
      unknownState: 'Ce pays n’a pas cette région. Choisis-en une parmi celles qui sont proposées.',
    },
  },
  'es-ES': {
    label: [
      'festivos',
      'Los próximos festivos de un país',
      {
        country: ['país', 'Qué país'],
        state: ['región', 'Una de sus regiones'],
        year: ['año', 'Todos los de un año en lugar de los próximos'],
      },
    ],
    words: {
      next: (place) => `Próximos festivos: ${place}`,
      ofYear: (place, year) => `Festivos de ${year}: ${place}`,
      today: 'hoy',
      onlyIn: (states) => `solo en ${states}`,
      none: 'No hay ninguno.',
      unknownCountry: 'No conozco los festivos de ese país. Elige uno de los que se ofrecen mientras escribes.',
      unknownState: 'Ese país no tiene esa región. Elige una de las que se ofrecen mientras escribes.',
    },
  },
  'pt-BR': {
    label: [
      'feriados',
      'Os próximos feriados de um país',
      {
        country: ['país', 'Qual país'],
        state: ['região', 'Um estado ou uma região dele'],
        year: ['ano', 'Todos de um ano em vez dos próximos'],
      },
    ],
    words: {
      next: (place) => `Próximos feriados: ${place}`,
      ofYear: (place, year) => `Feriados de ${year}: ${place}`,
      today: 'hoje',
      onlyIn: (states) => `só em ${states}`,
      none: 'Não há nenhum.',
      unknownCountry: 'Não conheço os feriados desse país. Escolha um dos que aparecem enquanto você escreve.',
      unknownState: 'Esse país não tem essa região. Escolha uma das que aparecem enquanto você escreve.',
    },
  },
  ja: {
    label: [
      '祝日',
      '国の次の祝日を表示します',
      { country: ['国', 'どの国'], state: ['地域', '州や地域'], year: ['年', '次の祝日の代わりに、その年のすべて'] },
    ],
    words: {
      next: (place) => `次の祝日：${place}`,
      ofYear: (place, year) => `${year}年の祝日：${place}`,
      today: '今日',
      onlyIn: (states) => `${states}のみ`,
      none: 'ありません。',
      unknownCountry: 'この国の祝日はわかりません。入力中に表示される候補から選んでください。',
      unknownState: 'この国にその地域はありません。入力中に表示される候補から選んでください。',
    },
  },
}
