import type { Labels } from './labels.ts'

export const de: Labels = {
  play: [
    'spielen',
    'Spielt einen Titel, eine Playlist oder einen Radiosender',
    { query: ['suche', 'Ein Titel, eine Band oder ein Link'] },
  ],
  radio: ['radio', 'Spielt ein Internetradio', { station: ['sender', 'Sein Name; deine Favoriten kommen zuerst'] }],
  skip: ['überspringen', 'Überspringt den Titel, mit Abstimmung, wenn andere mithören'],
  previous: ['zurück', 'Geht zum vorigen Titel zurück'],
  pause: ['pause', 'Hält die Musik an'],
  resume: ['weiter', 'Lässt die Musik weiterlaufen'],
  stop: ['stopp', 'Beendet die Musik und verlässt den Kanal'],
  queue: ['warteschlange', 'Zeigt, was als Nächstes läuft', { page: ['seite', 'Welche Seite'] }],
  nowplaying: ['läuft', 'Zeigt die Karte mit dem, was gerade läuft'],
  lyrics: [
    'songtext',
    'Zeigt den Text zum laufenden Titel',
    { follow: ['mitlaufen', 'Lässt ihn mit der Musik mitlaufen'] },
  ],
  volume: ['lautstärke', 'Stellt die Lautstärke ein', { percent: ['prozent', '100 ist unverändert'] }],
  loop: [
    'wiederholen',
    'Wiederholt den Titel oder die Warteschlange',
    {
      mode: [
        'was',
        'Was wiederholt wird',
        { off: ['Nichts', ''], track: ['Diesen Titel', ''], queue: ['Die Warteschlange', ''] },
      ],
    },
  ],
  filter: [
    'klang',
    'Ändert, wie die Musik klingt',
    {
      preset: [
        'art',
        'Wie',
        {
          off: ['Aus', ''],
          bassboost: ['Mehr Bass', ''],
          nightcore: ['Nightcore', ''],
          vaporwave: ['Vaporwave', ''],
          '8d': ['8D', ''],
          soft: ['Weich', ''],
        },
      ],
    },
  ],
  mute: ['stumm', 'Spielt lautlos weiter'],
  unmute: ['laut', 'Macht die Musik wieder hörbar'],
  seek: ['springen', 'Springt im Titel', { time: ['zeit', 'Etwa 1:23'] }],
  shuffle: ['mischen', 'Mischt die Warteschlange'],
  remove: ['entfernen', 'Entfernt einen Titel aus der Warteschlange', { position: ['stelle', '1 kommt als Nächstes'] }],
  move: [
    'verschieben',
    'Verschiebt einen Titel in der Warteschlange',
    { from: ['von', 'Wo er ist; 1 kommt als Nächstes'], to: ['nach', 'Wo er hin soll'] },
  ],
  clear: ['leeren', 'Leert die Warteschlange'],
  favourites: [
    'favoriten',
    'Deine Lieblingstitel',
    {
      add: ['behalten', 'Behält, was gerade läuft'],
      list: ['zeigen', 'Zeigt deine Favoriten', { page: ['seite', 'Welche Seite'] }],
      play: ['spielen', 'Spielt einen deiner Favoriten oder alle', { track: ['titel', 'Alle, wenn du keinen wählst'] }],
      remove: ['entfernen', 'Entfernt einen Favoriten', { track: ['titel', 'Welchen'] }],
    },
  ],
  playlist: [
    'playlist',
    'Deine gespeicherten Playlists',
    {
      save: ['speichern', 'Speichert, was läuft und wartet', { name: ['name', 'Wie sie heißen soll'] }],
      load: ['laden', 'Stellt eine deiner Playlists in die Warteschlange', { name: ['name', 'Welche'] }],
      list: ['zeigen', 'Zeigt deine Playlists'],
      delete: ['löschen', 'Löscht eine deiner Playlists', { name: ['name', 'Welche'] }],
    },
  ],
  settings: [
    'einstellungen',
    'Wie sich der Bot auf diesem Server verhält',
    {
      show: ['zeigen', 'Zeigt alle Einstellungen'],
      dj: ['dj', 'Wer den Player steuern darf', { role: ['rolle', 'Alle, die zuhören, wenn du keine wählst'] }],
      votes: [
        'stimmen',
        'Wie viele Zuhörende dem Überspringen zustimmen müssen',
        { percent: ['prozent', '0: Niemand wird gefragt'] },
      ],
      stay: ['bleiben', 'Bleibt rund um die Uhr im Kanal', { on: ['an', 'Ob er bleibt'] }],
      volume: ['lautstärke', 'Die Lautstärke, mit der Musik beginnt', { percent: ['prozent', '100 ist unverändert'] }],
      announce: [
        'karte',
        'Wohin die Karte mit dem laufenden Titel kommt',
        { channel: ['kanal', 'Wo Musik gewünscht wird, wenn du keinen wählst'] },
      ],
      language: [
        'sprache',
        'Die Sprache der Karte',
        { language: ['sprache', 'Wie im Server eingestellt, wenn du keine wählst'] },
      ],
      duplicates: ['doppelte', 'Ob ein Titel doppelt warten darf', { on: ['an', 'Ob er darf'] }],
      fair: ['fair', 'Ob sich Mitglieder in der Warteschlange abwechseln', { on: ['an', 'Ob sie es tun'] }],
      loudness: ['lautheit', 'Ob alle Titel gleich laut klingen', { on: ['an', 'Ob sie es tun'] }],
      limit: [
        'grenze',
        'Wie viele Titel eines Mitglieds warten dürfen',
        { tracks: ['titel', 'Beliebig viele, wenn du nichts wählst'] },
      ],
      screenshots: [
        'bildschirmfotos',
        'Ob Mitglieder sich Websites zeigen lassen können',
        { on: ['an', 'Ob sie es können'] },
      ],
      reset: ['zurücksetzen', 'Setzt alles zurück'],
    },
  ],
  image: [
    'bild',
    'Verändert ein Bild',
    {
      filter: [
        'filter',
        'Legt einen Filter auf ein Bild',
        {
          effect: ['effekt', 'Welcher'],
          member: ['mitglied', 'Wessen Avatar; deiner, wenn du niemanden wählst'],
          picture: ['datei', 'Ein Bild statt eines Avatars'],
          settings: ['werte', 'Etwa radius=10; colour=58f'],
        },
      ],
      overlay: [
        'auflage',
        'Zeichnet etwas über ein Bild',
        {
          effect: ['effekt', 'Welcher'],
          member: ['mitglied', 'Wessen Avatar; deiner, wenn du niemanden wählst'],
          picture: ['datei', 'Ein Bild statt eines Avatars'],
          settings: ['werte', 'Etwa radius=10; colour=58f'],
          with: ['mit', 'Wessen Avatar das zweite Bild ist'],
        },
      ],
    },
  ],
}
