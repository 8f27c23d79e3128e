import type { Labels } from './labels.ts'

const member = ['membro', 'Quem; todos se você não escolher'] as const

export const pt: Labels = {
  weather: ['clima', 'O tempo em uma cidade agora', { city: ['cidade', 'Por exemplo Paris, ou Portland, ME, US'] }],
  translate: [
    'traduzir',
    'Traduz um texto',
    {
      text: ['texto', 'O que traduzir'],
      to: ['para', 'Para qual idioma; o seu se você não escolher'],
      from: ['de', 'O idioma do texto; é descoberto se você não escolher'],
    },
  ],
  translateMenu: ['Traduzir', ''],
  verse: [
    'versículo',
    'Lê a Bíblia ou procura nela',
    {
      passage: ['passagem', 'Por exemplo João 3:16-18, ou palavras para procurar'],
      translation: ['tradução', 'Uma no seu idioma se você não escolher'],
    },
  ],
  holidays: [
    'feriados',
    'Os próximos feriados de um país',
    {
      country: ['país', 'Qual país'],
      state: ['região', 'Um estado ou uma região dele'],
      year: ['ano', 'Todos de um ano em vez dos próximos'],
    },
  ],
  minecraft: [
    'minecraft',
    'Jogadores e servidores de Minecraft',
    {
      player: [
        'jogador',
        'Mostra um jogador',
        { name: ['nome', 'Um nome, um UUID ou um gamertag com um ponto na frente'] },
      ],
      server: [
        'servidor',
        'Mostra quem está em um servidor',
        { address: ['endereço', 'Por exemplo play.example.org'], edition: ['edição', 'Java se você não escolher'] },
      ],
    },
  ],
  roblox: [
    'roblox',
    'Usuários, grupos e jogos do Roblox',
    {
      user: ['usuário', 'Mostra um usuário', { name: ['nome', 'O nome ou o número'] }],
      group: ['grupo', 'Mostra um grupo', { id: ['número', 'O número no endereço dele'] }],
      game: ['jogo', 'Mostra um jogo', { id: ['número', 'O número no endereço dele'] }],
    },
  ],
  act: [
    'agir',
    'Mostra o que você faz',
    { action: ['ação', 'O que você faz'], member: ['membro', 'Com quem, se for com alguém'] },
  ],
  hug: ['abraçar', 'Abraça alguém', { member }],
  pat: ['cafuné', 'Faz cafuné em alguém', { member: ['membro', 'Em quem; em todos se você não escolher'] }],
  kiss: ['beijar', 'Beija alguém', { member }],
  cuddle: ['aconchegar', 'Se aconchega em alguém', { member: ['membro', 'Em quem; em todos se você não escolher'] }],
  slap: ['tapa', 'Dá um tapa em alguém', { member: ['membro', 'Em quem; em todos se você não escolher'] }],
  poke: ['cutucar', 'Cutuca alguém', { member }],
  tickle: ['cócegas', 'Faz cócegas em alguém', { member: ['membro', 'Em quem; em todos se você não escolher'] }],
  highfive: ['tocaaqui', 'Bate na mão de alguém', { member: ['membro', 'De quem; de todos se você não escolher'] }],
  wave: ['acenar', 'Acena para alguém', { member: ['membro', 'Para quem; para todos se você não escolher'] }],
}
