import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of `/holidays`. */
export const holidaysText = inEachLanguage({
  label: [
    ['holidays', 'feiertage', 'fériés', 'festivos', 'feriados', '祝日'],
    [
      'Show the next public holidays of a country',
      'Die nächsten Feiertage eines Landes',
      'Les prochains jours fériés d’un pays',
      'Los próximos festivos de un país',
      'Os próximos feriados de um país',
      '国の次の祝日を表示します',
    ],
    {
      country: [
        ['country', 'land', 'pays', 'país', 'país', '国'],
        ['Which country', 'Welches Land', 'Quel pays', 'Qué país', 'Qual país', 'どの国'],
      ],
      state: [
        ['state', 'gebiet', 'région', 'región', 'região', '地域'],
        [
          'State or region',
          'Bundesland oder Region',
          'État ou région',
          'Estado o región',
          'Estado ou região',
          '州や地域',
        ],
      ],
      year: [
        ['year', 'jahr', 'année', 'año', 'ano', '年'],
        [
          'All holidays of a year',
          'Alle Feiertage eines Jahres',
          'Tous les jours fériés d’une année',
          'Todos los festivos de un año',
          'Todos os feriados de um ano',
          'その年のすべての祝日',
        ],
      ],
    },
  ],
  words: {
    next: [
      'Next holidays: {place}',
      'Nächste Feiertage: {place}',
      'Prochains jours fériés : {place}',
      'Próximos festivos: {place}',
      'Próximos feriados: {place}',
      '次の祝日：{place}',
    ],
    ofYear: [
      'Holidays {year}: {place}',
      'Feiertage {year}: {place}',
      'Jours fériés {year} : {place}',
      'Festivos de {year}: {place}',
      'Feriados de {year}: {place}',
      '{year}年の祝日：{place}',
    ],
    today: ['today', 'heute', 'aujourd’hui', 'hoy', 'hoje', '今日'],
    onlyIn: [
      'only in {states}',
      'nur in {states}',
      'seulement : {states}',
      'solo en {states}',
      'só em {states}',
      '{states}のみ',
    ],
    none: [
      'No holidays found.',
      'Keine Feiertage gefunden.',
      'Aucun jour férié trouvé.',
      'No se han encontrado festivos.',
      'Nenhum feriado encontrado.',
      '祝日はありません。',
    ],
    unknownCountry: [
      'No holidays are known for this country. Choose one from the list while you type.',
      'Zu diesem Land sind keine Feiertage bekannt. Wähle beim Tippen eines aus der Liste.',
      'Aucun jour férié connu pour ce pays. Choisis-en un dans la liste.',
      'No se conocen festivos de ese país. Elige uno de la lista mientras escribes.',
      'Nenhum feriado conhecido para esse país. Escolha um da lista enquanto escreve.',
      'この国の祝日は登録されていません。入力中に表示される候補から選んでください。',
    ],
    unknownState: [
      'Unknown region. Choose one from the list while you type.',
      'Unbekanntes Gebiet. Wähle beim Tippen eines aus der Liste.',
      'Région inconnue. Choisis-en une dans la liste.',
      'Región desconocida. Elige una de la lista mientras escribes.',
      'Região desconhecida. Escolha uma da lista enquanto escreve.',
      '不明な地域です。入力中に表示される候補から選んでください。',
    ],
  },
})
