import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'holidays',
    'Show the next public holidays of a country',
    {
      country: ['country', 'Which country'],
      state: ['state', 'State or region'],
      year: ['year', 'All holidays of a year'],
    },
  ] as const satisfies Label,
  words: {
    next: (place: string) => `Next holidays: ${place}`,
    ofYear: (place: string, year: string) => `Holidays ${year}: ${place}`,
    today: 'today',
    onlyIn: (states: string) => `only in ${states}`,
    none: 'No holidays found.',
    unknownCountry: 'No holidays are known for this country. Choose one from the list while you type.',
    unknownState: 'Unknown region. Choose one from the list while you type.',
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
        state: ['gebiet', 'Bundesland oder Region'],
        year: ['jahr', 'Alle Feiertage eines Jahres'],
      },
    ],
    words: {
      next: (place) => `Nächste Feiertage: ${place}`,
      ofYear: (place, year) => `Feiertage ${year}: ${place}`,
      today: 'heute',
      onlyIn: (states) => `nur in ${states}`,
      none: 'Keine Feiertage gefunden.',
      unknownCountry: 'Zu diesem Land sind keine Feiertage bekannt. Wähle beim Tippen eines aus der Liste.',
      unknownState: 'Unbekanntes Gebiet. Wähle beim Tippen eines aus der Liste.',
    },
  },
  fr: {
    label: [
      'fériés',
      'Les prochains jours fériés d’un pays',
      {
        country: ['pays', 'Quel pays'],
        state: ['région', 'État ou région'],
        year: ['année', 'Tous les jours fériés d’une année'],
      },
    ],
    words: {
      next: (place) => `Prochains jours fériés : ${place}`,
      ofYear: (place, year) => `Jours fériés ${year} : ${place}`,
      today: 'aujourd’hui',
      onlyIn: (states) => `seulement : ${states}`,
      none: 'Aucun jour férié trouvé.',
      unknownCountry: 'Aucun jour férié connu pour ce pays. Choisis-en un dans la liste.',
      unknownState: 'Région inconnue. Choisis-en une dans la liste.',
    },
  },
  'es-ES': {
    label: [
      'festivos',
      'Los próximos festivos de un país',
      {
        country: ['país', 'Qué país'],
        state: ['región', 'Estado o región'],
        year: ['año', 'Todos los festivos de un año'],
      },
    ],
    words: {
      next: (place) => `Próximos festivos: ${place}`,
      ofYear: (place, year) => `Festivos de ${year}: ${place}`,
      today: 'hoy',
      onlyIn: (states) => `solo en ${states}`,
      none: 'No se han encontrado festivos.',
      unknownCountry: 'No se conocen festivos de ese país. Elige uno de la lista mientras escribes.',
      unknownState: 'Región desconocida. Elige una de la lista mientras escribes.',
    },
  },
  'pt-BR': {
    label: [
      'feriados',
      'Os próximos feriados de um país',
      {
        country: ['país', 'Qual país'],
        state: ['região', 'Estado ou região'],
        year: ['ano', 'Todos os feriados de um ano'],
      },
    ],
    words: {
      next: (place) => `Próximos feriados: ${place}`,
      ofYear: (place, year) => `Feriados de ${year}: ${place}`,
      today: 'hoje',
      onlyIn: (states) => `só em ${states}`,
      none: 'Nenhum feriado encontrado.',
      unknownCountry: 'Nenhum feriado conhecido para esse país. Escolha um da lista enquanto escreve.',
      unknownState: 'Região desconhecida. Escolha uma da lista enquanto escreve.',
    },
  },
  ja: {
    label: [
      '祝日',
      '国の次の祝日を表示します',
      { country: ['国', 'どの国'], state: ['地域', '州や地域'], year: ['年', 'その年のすべての祝日'] },
    ],
    words: {
      next: (place) => `次の祝日：${place}`,
      ofYear: (place, year) => `${year}年の祝日：${place}`,
      today: '今日',
      onlyIn: (states) => `${states}のみ`,
      none: '祝日はありません。',
      unknownCountry: 'この国の祝日は登録されていません。入力中に表示される候補から選んでください。',
      unknownState: '不明な地域です。入力中に表示される候補から選んでください。',
    },
  },
}
