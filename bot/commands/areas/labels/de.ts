import type { Labels } from './labels.ts'

const member = ['mitglied', 'Wen; alle, wenn du niemanden wählst'] as const

export const de: Labels = {
  weather: ['wetter', 'Das Wetter in einer Stadt', { city: ['stadt', 'Etwa Paris oder Portland, ME, US'] }],
  translate: [
    'übersetzen',
    'Übersetzt einen Text',
    {
      text: ['text', 'Was übersetzt werden soll'],
      to: ['nach', 'In welche Sprache; deine, wenn du keine wählst'],
      from: ['von', 'Aus welcher Sprache; wird sonst erkannt'],
    },
  ],
  translateMenu: ['Übersetzen', ''],
  verse: [
    'vers',
    'Liest die Bibel oder sucht darin',
    {
      passage: ['stelle', 'Etwa Johannes 3:16-18, oder Wörter, nach denen gesucht wird'],
      translation: ['übersetzung', 'Eine in deiner Sprache, wenn du keine wählst'],
    },
  ],
  holidays: [
    'feiertage',
    'Die nächsten Feiertage eines Landes',
    {
      country: ['land', 'Welches Land'],
      state: ['gebiet', 'Ein Bundesland oder eine Region darin'],
      year: ['jahr', 'Alle eines Jahres statt der nächsten'],
    },
  ],
  minecraft: [
    'minecraft',
    'Spieler und Server von Minecraft',
    {
      player: [
        'spieler',
        'Zeigt einen Spieler',
        { name: ['name', 'Ein Name, eine UUID oder ein Gamertag mit Punkt davor'] },
      ],
      server: [
        'server',
        'Zeigt, wer auf einem Server ist',
        { address: ['adresse', 'Etwa play.example.org'], edition: ['edition', 'Java, wenn du nichts wählst'] },
      ],
    },
  ],
  roblox: [
    'roblox',
    'Nutzer, Gruppen und Spiele von Roblox',
    {
      user: ['nutzer', 'Zeigt einen Nutzer', { name: ['name', 'Name oder Nummer'] }],
      group: ['gruppe', 'Zeigt eine Gruppe', { id: ['nummer', 'Die Zahl in ihrer Adresse'] }],
      game: ['spiel', 'Zeigt ein Spiel', { id: ['nummer', 'Die Zahl in seiner Adresse'] }],
    },
  ],
  act: [
    'tun',
    'Zeigt, was du gerade tust',
    { action: ['was', 'Was du tust'], member: ['mitglied', 'Mit wem, falls mit jemandem'] },
  ],
  hug: ['umarmen', 'Umarmt jemanden', { member }],
  pat: ['streicheln', 'Streichelt jemandem über den Kopf', { member }],
  kiss: ['küssen', 'Küsst jemanden', { member }],
  cuddle: [
    'kuscheln',
    'Kuschelt mit jemandem',
    { member: ['mitglied', 'Mit wem; mit allen, wenn du niemanden wählst'] },
  ],
  slap: ['ohrfeigen', 'Ohrfeigt jemanden', { member }],
  poke: ['anstupsen', 'Stupst jemanden an', { member }],
  tickle: ['kitzeln', 'Kitzelt jemanden', { member }],
  highfive: ['abklatschen', 'Klatscht jemanden ab', { member }],
  wave: ['winken', 'Winkt jemandem zu', { member: ['mitglied', 'Wem; allen, wenn du niemanden wählst'] }],
}
