import type { Labels } from './labels.ts'

export const fr: Labels = {
  play: [
    'jouer',
    'Joue un titre, une playlist ou une radio',
    { query: ['recherche', 'Un titre, un artiste ou un lien'] },
  ],
  radio: ['radio', 'Joue une radio en ligne', { station: ['station', 'Son nom ; tes favoris d’abord'] }],
  skip: ['passer', 'Passe le titre en cours, par vote si d’autres écoutent'],
  previous: ['précédent', 'Revient au titre précédent'],
  pause: ['pause', 'Met la musique en pause'],
  resume: ['reprendre', 'Reprend la musique'],
  stop: ['arrêter', 'Arrête la musique et quitte le salon'],
  queue: ['file', 'Montre ce qui passe ensuite', { page: ['page', 'Quelle page'] }],
  nowplaying: ['en-cours', 'Montre la carte du titre en cours'],
  lyrics: ['paroles', 'Montre les paroles du titre en cours', { follow: ['suivre', 'Les fait suivre la musique'] }],
  volume: ['volume', 'Règle le volume', { percent: ['pourcentage', '100 ne change rien'] }],
  loop: [
    'répéter',
    'Répète le titre ou la file',
    { mode: ['mode', 'Ce qui est répété', { off: ['Rien', ''], track: ['Ce titre', ''], queue: ['La file', ''] }] },
  ],
  filter: [
    'filtre',
    'Change le son de la musique',
    {
      preset: [
        'effet',
        'Comment',
        {
          off: ['Aucun', ''],
          bassboost: ['Plus de basses', ''],
          nightcore: ['Nightcore', ''],
          vaporwave: ['Vaporwave', ''],
          '8d': ['8D', ''],
          soft: ['Doux', ''],
        },
      ],
    },
  ],
  mute: ['muet', 'Continue en silence'],
  unmute: ['son', 'Rétablit le son'],
  seek: ['aller', 'Se déplace dans le titre', { time: ['temps', 'Par exemple 1:23'] }],
  shuffle: ['mélanger', 'Mélange la file'],
  remove: ['retirer', 'Retire un titre de la file', { position: ['position', '1 est le prochain'] }],
  move: [
    'déplacer',
    'Déplace un titre dans la file',
    { from: ['de', 'Où il est ; 1 est le prochain'], to: ['vers', 'Où il doit être'] },
  ],
  clear: ['vider', 'Vide la file'],
  favourites: [
    'favoris',
    'Tes titres favoris',
    {
      add: ['ajouter', 'Garde le titre en cours'],
      list: ['liste', 'Montre tes favoris', { page: ['page', 'Quelle page'] }],
      play: ['jouer', 'Joue un de tes favoris, ou tous', { track: ['titre', 'Tous si tu n’en choisis pas'] }],
      remove: ['retirer', 'Retire un favori', { track: ['titre', 'Lequel'] }],
    },
  ],
  playlist: [
    'playlist',
    'Tes playlists enregistrées',
    {
      save: ['enregistrer', 'Enregistre ce qui passe et attend', { name: ['nom', 'Comment l’appeler'] }],
      load: ['charger', 'Met une de tes playlists dans la file', { name: ['nom', 'Laquelle'] }],
      list: ['liste', 'Montre tes playlists'],
      delete: ['supprimer', 'Supprime une de tes playlists', { name: ['nom', 'Laquelle'] }],
    },
  ],
  settings: [
    'réglages',
    'Comment le bot se comporte sur ce serveur',
    {
      show: ['afficher', 'Montre tous les réglages'],
      dj: ['dj', 'Qui peut contrôler la musique', { role: ['rôle', 'Tous ceux qui écoutent sans choix de ta part'] }],
      votes: ['votes', 'Combien d’auditeurs doivent accepter', { percent: ['pourcentage', '0 : sans vote'] }],
      stay: ['rester', 'Reste en permanence dans le salon', { on: ['actif', 'S’il reste'] }],
      volume: ['volume', 'Le volume de départ', { percent: ['pourcentage', '100 ne change rien'] }],
      announce: [
        'carte',
        'Où va la carte du titre en cours',
        { channel: ['salon', 'Là où la musique est demandée sans choix de ta part'] },
      ],
      language: ['langue', 'La langue de la carte', { language: ['langue', 'Celle du serveur sans choix de ta part'] }],
      duplicates: ['doublons', 'Si un titre peut attendre deux fois', { on: ['actif', 'S’il le peut'] }],
      fair: ['équité', 'Si les membres passent à tour de rôle', { on: ['actif', 'S’ils le font'] }],
      loudness: ['sonie', 'Si tous les titres sont aussi forts', { on: ['actif', 'S’ils le sont'] }],
      limit: ['limite', 'Combien de titres d’un membre peuvent attendre', { tracks: ['titres', 'Sans limite sinon'] }],
      screenshots: [
        'captures',
        'Si les membres peuvent faire montrer des sites',
        { on: ['actif', 'S’ils le peuvent'] },
      ],
      reset: ['réinitialiser', 'Remet tout comme au début'],
    },
  ],
  image: [
    'image',
    'Transformer une image',
    {
      filter: [
        'filtre',
        'Passer une image dans un filtre',
        {
          effect: ['effet', 'Lequel'],
          member: ['membre', 'L’avatar de qui ; le vôtre par défaut'],
          picture: ['fichier', 'Une image à la place d’un avatar'],
          settings: ['valeurs', 'Par exemple radius=10; colour=58f'],
        },
      ],
      overlay: [
        'calque',
        'Dessiner quelque chose sur une image',
        {
          effect: ['effet', 'Lequel'],
          member: ['membre', 'L’avatar de qui ; le vôtre par défaut'],
          picture: ['fichier', 'Une image à la place d’un avatar'],
          settings: ['valeurs', 'Par exemple radius=10; colour=58f'],
          with: ['avec', 'L’avatar de qui est la deuxième image'],
        },
      ],
    },
  ],
}
