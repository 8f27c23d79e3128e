import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'minecraft',
    'Players and servers of Minecraft',
    {
      player: ['player', 'Show a player', { name: ['name', 'A name, a UUID, or a gamertag with a dot before it'] }],
      server: [
        'server',
        'Show who is on a server',
        { address: ['address', 'Like play.example.org'], edition: ['edition', 'Java unless you choose'] },
      ],
    },
  ] as const satisfies Label,
  words: {
    classic: 'wide arms',
    slim: 'slim arms',
    skin: 'Skin',
    cape: 'Cape',
    picture: 'picture',
    ownSkin: (picture: string, model: string) => `${picture}, ${model}`,
    defaultSkin: (name: string) => `the default one (${name})`,
    noneStored: 'none that is public',
    noPlayer: (name: string) => `There is no player called “${name}”.`,
    badPlayer: 'Give a name, a UUID, or a gamertag with a dot before it.',
    online: (players: string) => `Online: ${players}`,
    offline: 'No answer: the server is offline, or not reachable from here.',
    players: 'Players',
    version: 'Version',
    latency: 'Answers in',
    whoPlays: 'On it now',
    badAddress: 'There is no public server at this address. Write it like play.example.org, or play.example.org:25566.',
  },
}

/** Texts of `/minecraft`. */
export const minecraftText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
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
    words: {
      classic: 'breite Arme',
      slim: 'schmale Arme',
      skin: 'Skin',
      cape: 'Umhang',
      picture: 'Bild',
      ownSkin: (picture, model) => `${picture}, ${model}`,
      defaultSkin: (name) => `der übliche (${name})`,
      noneStored: 'keiner, der öffentlich ist',
      noPlayer: (name) => `Es gibt keinen Spieler namens „${name}“.`,
      badPlayer: 'Gib einen Namen, eine UUID oder einen Gamertag mit einem Punkt davor an.',
      online: (players) => `Online: ${players}`,
      offline: 'Dort antwortet niemand: Der Server ist aus oder von hier nicht zu erreichen.',
      players: 'Spieler',
      version: 'Version',
      latency: 'Antwortet in',
      whoPlays: 'Gerade darauf',
      badAddress:
        'Unter dieser Adresse gibt es keinen öffentlichen Server. Schreib sie wie play.example.org oder play.example.org:25566.',
    },
  },
  fr: {
    label: [
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
    words: {
      classic: 'bras larges',
      slim: 'bras fins',
      skin: 'Skin',
      cape: 'Cape',
      picture: 'image',
      ownSkin: (picture, model) => `${picture}, ${model}`,
      defaultSkin: (name) => `celui par défaut (${name})`,
      noneStored: 'aucun qui soit public',
      noPlayer: (name) => `Il n’y a pas de joueur nommé « ${name} ».`,
      badPlayer: 'Donne un nom, un UUID ou un gamertag précédé d’un point.',
      online: (players) => `En ligne : ${players}`,
      offline: 'Personne ne répond : le serveur est arrêté, ou injoignable d’ici.',
      players: 'Joueurs',
      version: 'Version',
      latency: 'Répond en',
      whoPlays: 'Connectés',
      badAddress:
        'Il n’y a pas de serveur public à cette adresse. Écris-la comme play.example.org, ou play.example.org:25566.',
    },
  },
  'es-ES': {
    label: [
      'minecraft',
      'Jugadores y servidores de Minecraft',
      {
        player: [
          'jugador',
          'Muestra un jugador',
          { name: ['nombre', 'Un nombre, un UUID o un gamertag con un punto delante'] },
        ],
        server: [
          'servidor',
          'Muestra quién está en un servidor',
          { address: ['dirección', 'Por ejemplo play.example.org'], edition: ['edición', 'Java si no eliges'] },
        ],
      },
    ],
    words: {
      classic: 'brazos anchos',
      slim: 'brazos finos',
      skin: 'Aspecto',
      cape: 'Capa',
      picture: 'imagen',
      ownSkin: (picture, model) => `${picture}, ${model}`,
      defaultSkin: (name) => `el predeterminado (${name})`,
      noneStored: 'ninguno público',
      noPlayer: (name) => `No hay ningún jugador llamado «${name}».`,
      badPlayer: 'Da un nombre, un UUID o un gamertag con un punto delante.',
      online: (players) => `En línea: ${players}`,
      offline: 'Allí no contesta nadie: el servidor está apagado, o no se llega a él desde aquí.',
      players: 'Jugadores',
      version: 'Versión',
      latency: 'Responde en',
      whoPlays: 'Jugando ahora',
      badAddress:
        'En esa dirección no hay ningún servidor público. Escríbela como play.example.org, o play.example.org:25566.',
    },
  },
  'pt-BR': {
    label: [
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
    words: {
      classic: 'braços largos',
      slim: 'braços finos',
      skin: 'Skin',
      cape: 'Capa',
      picture: 'imagem',
      ownSkin: (picture, model) => `${picture}, ${model}`,
      defaultSkin: (name) => `a padrão (${name})`,
      noneStored: 'nenhuma pública',
      noPlayer: (name) => `Não há nenhum jogador chamado “${name}”.`,
      badPlayer: 'Dê um nome, um UUID ou um gamertag com um ponto na frente.',
      online: (players) => `Online: ${players}`,
      offline: 'Ninguém responde lá: o servidor está desligado, ou não dá para chegar a ele daqui.',
      players: 'Jogadores',
      version: 'Versão',
      latency: 'Responde em',
      whoPlays: 'Jogando agora',
      badAddress:
        'Não há nenhum servidor público nesse endereço. Escreva como play.example.org, ou play.example.org:25566.',
    },
  },
  ja: {
    label: [
      'minecraft',
      'Minecraft のプレイヤーとサーバー',
      {
        player: [
          'プレイヤー',
          'プレイヤーを表示します',
          { name: ['名前', '名前、UUID、または先頭に点を付けたゲーマータグ'] },
        ],
        server: [
          'サーバー',
          'サーバーに誰がいるか表示します',
          { address: ['アドレス', '例：play.example.org'], edition: ['エディション', '選ばなければ Java'] },
        ],
      },
    ],
    words: {
      classic: '太い腕',
      slim: '細い腕',
      skin: 'スキン',
      cape: 'マント',
      picture: '画像',
      ownSkin: (picture, model) => `${picture}（${model}）`,
      defaultSkin: (name) => `標準（${name}）`,
      noneStored: '公開されているものはありません',
      noPlayer: (name) => `「${name}」というプレイヤーはいません。`,
      badPlayer: '名前、UUID、または先頭に点を付けたゲーマータグを入力してください。',
      online: (players) => `オンライン：${players}`,
      offline: '応答がありません。サーバーが停止しているか、ここからは接続できません。',
      players: 'プレイヤー',
      version: 'バージョン',
      latency: '応答時間',
      whoPlays: '参加中',
      badAddress:
        'このアドレスに公開サーバーはありません。play.example.org や play.example.org:25566 のように書いてください。',
    },
  },
}
