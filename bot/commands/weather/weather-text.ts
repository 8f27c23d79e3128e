import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'weather',
    'Show the current weather in a city',
    { city: ['city', 'For example Paris, or Portland, ME, US'] },
  ] as const satisfies Label,
  words: {
    feelsLike: (temperature: string) => `Feels like ${temperature}`,
    humidity: 'Humidity',
    wind: 'Wind',
    gusts: (speed: string) => `gusts ${speed}`,
    clouds: 'Clouds',
    pressure: 'Pressure',
    visibility: 'Visibility',
    sun: 'Sun',
    rain: 'Rain in the last hour',
    snow: 'Snow in the last hour',
    localTime: (time: string) => `${time} local time`,
    compass: 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW',
    unknownCity: (city: string) =>
      `No city called “${city}” was found. Check the spelling or add the country: Paris, FR.`,
    badCity: 'Enter a city like “Paris”, “Paris, FR” or “Portland, ME, US”.',
  },
}

/** Texts of `/weather`. */
export const weatherText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'wetter',
      'Zeigt das aktuelle Wetter in einer Stadt',
      { city: ['stadt', 'Zum Beispiel Paris oder Portland, ME, US'] },
    ],
    words: {
      feelsLike: (temperature) => `Gefühlt ${temperature}`,
      humidity: 'Luftfeuchte',
      wind: 'Wind',
      gusts: (speed) => `Böen ${speed}`,
      clouds: 'Wolken',
      pressure: 'Luftdruck',
      visibility: 'Sicht',
      sun: 'Sonne',
      rain: 'Regen in der letzten Stunde',
      snow: 'Schnee in der letzten Stunde',
      localTime: (time) => `${time} Ortszeit`,
      compass: 'N NNO NO ONO O OSO SO SSO S SSW SW WSW W WNW NW NNW',
      unknownCity: (city) =>
        `Keine Stadt namens „${city}“ gefunden. Prüfe die Schreibweise oder ergänze das Land: Paris, FR.`,
      badCity: 'Gib eine Stadt wie „Paris“, „Paris, FR“ oder „Portland, ME, US“ ein.',
    },
  },
  fr: {
    label: [
      'météo',
      'Affiche la météo actuelle d’une ville',
      { city: ['ville', 'Par exemple Paris, ou Portland, ME, US'] },
    ],
    words: {
      feelsLike: (temperature) => `Ressenti ${temperature}`,
      humidity: 'Humidité',
      wind: 'Vent',
      gusts: (speed) => `rafales ${speed}`,
      clouds: 'Nuages',
      pressure: 'Pression',
      visibility: 'Visibilité',
      sun: 'Soleil',
      rain: 'Pluie de la dernière heure',
      snow: 'Neige de la dernière heure',
      localTime: (time) => `${time} heure locale`,
      compass: 'N NNE NE ENE E ESE SE SSE S SSO SO OSO O ONO NO NNO',
      unknownCity: (city) => `Aucune ville nommée « ${city} ». Vérifie l’orthographe ou ajoute le pays : Paris, FR.`,
      badCity: 'Indique une ville comme « Paris », « Paris, FR » ou « Portland, ME, US ».',
    },
  },
  'es-ES': {
    label: [
      'tiempo',
      'Muestra el tiempo actual en una ciudad',
      { city: ['ciudad', 'Por ejemplo París, o Portland, ME, US'] },
    ],
    words: {
      feelsLike: (temperature) => `Sensación de ${temperature}`,
      humidity: 'Humedad',
      wind: 'Viento',
      gusts: (speed) => `rachas de ${speed}`,
      clouds: 'Nubes',
      pressure: 'Presión',
      visibility: 'Visibilidad',
      sun: 'Sol',
      rain: 'Lluvia en la última hora',
      snow: 'Nieve en la última hora',
      localTime: (time) => `${time} hora local`,
      compass: 'N NNE NE ENE E ESE SE SSE S SSO SO OSO O ONO NO NNO',
      unknownCity: (city) =>
        `No se encontró ninguna ciudad llamada «${city}». Revisa la ortografía o añade el país: París, FR.`,
      badCity: 'Escribe una ciudad como «París», «París, FR» o «Portland, ME, US».',
    },
  },
  'pt-BR': {
    label: [
      'clima',
      'Mostra o tempo atual em uma cidade',
      { city: ['cidade', 'Por exemplo Paris, ou Portland, ME, US'] },
    ],
    words: {
      feelsLike: (temperature) => `Sensação de ${temperature}`,
      humidity: 'Umidade',
      wind: 'Vento',
      gusts: (speed) => `rajadas de ${speed}`,
      clouds: 'Nuvens',
      pressure: 'Pressão',
      visibility: 'Visibilidade',
      sun: 'Sol',
      rain: 'Chuva na última hora',
      snow: 'Neve na última hora',
      localTime: (time) => `${time} hora local`,
      compass: 'N NNE NE ENE E ESE SE SSE S SSO SO OSO O ONO NO NNO',
      unknownCity: (city) =>
        `Nenhuma cidade chamada “${city}” foi encontrada. Confira a grafia ou adicione o país: Paris, FR.`,
      badCity: 'Informe uma cidade como “Paris”, “Paris, FR” ou “Portland, ME, US”.',
    },
  },
  ja: {
    label: ['天気', '都市の現在の天気を表示します', { city: ['都市', '例：Tokyo、Portland, ME, US'] }],
    words: {
      feelsLike: (temperature) => `体感 ${temperature}`,
      humidity: '湿度',
      wind: '風',
      gusts: (speed) => `突風 ${speed}`,
      clouds: '雲量',
      pressure: '気圧',
      visibility: '視程',
      sun: '日の出・日の入り',
      rain: '直近1時間の雨',
      snow: '直近1時間の雪',
      localTime: (time) => `現地時刻 ${time}`,
      compass: '北 北北東 北東 東北東 東 東南東 南東 南南東 南 南南西 南西 西南西 西 西北西 北西 北北西',
      unknownCity: (city) =>
        `「${city}」という都市は見つかりません。入力内容を確認するか、Paris, FR のように国を付けてください。`,
      badCity: '都市は「Paris」「Paris, FR」「Portland, ME, US」のように入力してください。',
    },
  },
}
