import type { Labels } from './labels.ts'

const member = ['membre', 'Qui ; tout le monde si tu ne choisis personne'] as const

export const fr: Labels = {
  weather: [
    'météo',
    'Le temps qu’il fait dans une ville',
    { city: ['ville', 'Par exemple Paris, ou Portland, ME, US'] },
  ],
  translate: [
    'traduire',
    'Traduit un texte',
    {
      text: ['texte', 'Ce qu’il faut traduire'],
      to: ['vers', 'Dans quelle langue ; la tienne si tu ne choisis pas'],
      from: ['de', 'Sa langue ; devinée si tu ne choisis pas'],
    },
  ],
  translateMenu: ['Traduire', ''],
  verse: [
    'verset',
    'Lit la Bible, ou y cherche',
    {
      passage: ['passage', 'Par exemple Jean 3:16-18, ou des mots à chercher'],
      translation: ['traduction', 'Une dans ta langue si tu ne choisis pas'],
    },
  ],
  holidays: [
    'fériés',
    'Les prochains jours fériés d’un pays',
    {
      country: ['pays', 'Quel pays'],
      state: ['région', 'Une de ses régions'],
      year: ['année', 'Tous ceux d’une année au lieu des prochains'],
    },
  ],
  minecraft: [
    'minecraft',
    'Joueurs et serveurs de Minecraft',
    {
      player: ['joueur', 'Montre un joueur', { name: ['nom', 'Un nom, un UUID ou un gamertag précédé d’un point'] }],
      server: [
        'serveur',
        'Montre qui est sur un serveur',
        { address: ['adresse', 'Par exemple play.example.org'], edition: ['édition', 'Java si tu ne choisis pas'] },
      ],
    },
  ],
  roblox: [
    'roblox',
    'Utilisateurs, groupes et jeux de Roblox',
    {
      user: ['utilisateur', 'Montre un utilisateur', { name: ['nom', 'Son nom ou son numéro'] }],
      group: ['groupe', 'Montre un groupe', { id: ['numéro', 'Le nombre dans son adresse'] }],
      game: ['jeu', 'Montre un jeu', { id: ['numéro', 'Le nombre dans son adresse'] }],
    },
  ],
  act: [
    'agir',
    'Montre ce que tu fais',
    { action: ['action', 'Ce que tu fais'], member: ['membre', 'À qui, le cas échéant'] },
  ],
  hug: ['enlacer', 'Serre quelqu’un dans tes bras', { member }],
  pat: ['caresser', 'Caresse la tête de quelqu’un', { member }],
  kiss: ['embrasser', 'Embrasse quelqu’un', { member }],
  cuddle: ['câliner', 'Câline quelqu’un', { member }],
  slap: ['gifler', 'Gifle quelqu’un', { member }],
  poke: ['tapoter', 'Tapote quelqu’un du doigt', { member }],
  tickle: ['chatouiller', 'Chatouille quelqu’un', { member }],
  highfive: ['tope-là', 'Tape dans la main de quelqu’un', { member }],
  wave: ['saluer', 'Fait signe à quelqu’un', { member }],
}
