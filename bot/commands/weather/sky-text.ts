import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of the sky in `/weather`. */
export const skyText = inEachLanguage({
  words: {
    thunderstorm: ['Thunderstorm', 'Gewitter', 'Orage', 'Tormenta', 'Trovoada', '雷雨'],
    thunderstormWithRain: [
      'Thunderstorm with rain',
      'Gewitter mit Regen',
      'Orage avec pluie',
      'Tormenta con lluvia',
      'Trovoada com chuva',
      '雨を伴う雷',
    ],
    drizzle: ['Drizzle', 'Nieselregen', 'Bruine', 'Llovizna', 'Garoa', '霧雨'],
    lightRain: ['Light rain', 'Leichter Regen', 'Pluie faible', 'Lluvia débil', 'Chuva fraca', '小雨'],
    rain: ['Rain', 'Regen', 'Pluie', 'Lluvia', 'Chuva', '雨'],
    heavyRain: ['Heavy rain', 'Starker Regen', 'Forte pluie', 'Lluvia fuerte', 'Chuva forte', '大雨'],
    freezingRain: [
      'Freezing rain',
      'Gefrierender Regen',
      'Pluie verglaçante',
      'Lluvia helada',
      'Chuva congelante',
      '着氷性の雨',
    ],
    showers: ['Showers', 'Schauer', 'Averses', 'Chubascos', 'Pancadas de chuva', 'にわか雨'],
    lightSnow: ['Light snow', 'Leichter Schneefall', 'Neige faible', 'Nieve débil', 'Neve fraca', '小雪'],
    snow: ['Snow', 'Schneefall', 'Neige', 'Nieve', 'Neve', '雪'],
    heavySnow: ['Heavy snow', 'Starker Schneefall', 'Fortes chutes de neige', 'Nevada fuerte', 'Neve forte', '大雪'],
    sleet: ['Sleet', 'Schneeregen', 'Neige fondue', 'Aguanieve', 'Chuva com neve', 'みぞれ'],
    snowShowers: [
      'Snow showers',
      'Schneeschauer',
      'Averses de neige',
      'Chubascos de nieve',
      'Pancadas de neve',
      'にわか雪',
    ],
    mist: ['Mist', 'Nebel', 'Brume', 'Niebla', 'Neblina', '霧'],
    smoke: ['Smoke', 'Rauch', 'Fumée', 'Humo', 'Fumaça', '煙霧'],
    dust: ['Dust', 'Staub', 'Poussière', 'Polvo', 'Poeira', '砂ぼこり'],
    squalls: ['Squalls', 'Sturmböen', 'Rafales', 'Rachas fuertes', 'Rajadas', 'スコール'],
    tornado: ['Tornado', 'Tornado', 'Tornade', 'Tornado', 'Tornado', '竜巻'],
    clear: ['Clear sky', 'Klarer Himmel', 'Ciel dégagé', 'Cielo despejado', 'Céu limpo', '快晴'],
    fewClouds: ['Mostly clear', 'Meist klar', 'Plutôt dégagé', 'Mayormente despejado', 'Poucas nuvens', '晴れ'],
    scatteredClouds: [
      'Partly cloudy',
      'Teils bewölkt',
      'Partiellement nuageux',
      'Parcialmente nublado',
      'Parcialmente nublado',
      '晴れ時々曇り',
    ],
    brokenClouds: [
      'Mostly cloudy',
      'Meist bewölkt',
      'Plutôt nuageux',
      'Mayormente nublado',
      'Bastante nublado',
      'おおむね曇り',
    ],
    overcast: ['Overcast', 'Bedeckt', 'Couvert', 'Cubierto', 'Encoberto', '曇り'],
  },
})

export type Sky = keyof (typeof skyText)['en']['words']
