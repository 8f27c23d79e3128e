import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'minecraft',
    'Minecraft players and servers',
    {
      player: ['player', 'Show a player', { name: ['name', 'Name, UUID, or gamertag with a leading dot'] }],
      server: [
        'server',
        'Show a server and who plays on it',
        { address: ['address', 'For example play.example.org'], edition: ['edition', 'Default: Java'] },
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
    defaultSkin: (name: string) => `default (${name})`,
    noneStored: 'none public',
    noPlayer: (name: string) => `There is no player called “${name}”.`,
    badPlayer: 'Enter a name, a UUID, or a gamertag with a leading dot.',
    online: (players: string) => `Online: ${players}`,
    offline: 'The server is offline or unreachable.',
    players: 'Players',
    version: 'Version',
    latency: 'Latency',
    whoPlays: 'Playing now',
    badAddress: 'No public server was found. Enter an address like play.example.org or play.example.org:25566.',
  },
}

/** Texts of `/minecraft`. */
export const minecraftText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'minecraft',
      'Minecraft-Spieler und -Server',
      {
        player: ['spieler', 'Zeigt einen Spieler', { name: ['name', 'Name, UUID oder Gamertag mit Punkt davor'] }],
        server: [
          'server',
          'Zeigt, wer auf einem Server ist',
          { address: ['adresse', 'Zum Beispiel play.example.org'], edition: ['edition', 'Sonst: Java'] },
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
      defaultSkin: (name) => `Standard (${name})`,
      noneStored: 'keiner öffentlich',
      noPlayer: (name) => `Es gibt keinen Spieler namens „${name}“.`,
      badPlayer: 'Gib einen Namen, eine UUID oder einen Gamertag mit einem Punkt davor an.',
      online: (players) => `Online: ${players}`,
      offline: 'Der Server ist offline oder nicht erreichbar.',
      players: 'Spieler',
      version: 'Version',
      latency: 'Latenz',
      whoPlays: 'Spielen gerade',
      badAddress:
        'Kein öffentlicher Server gefunden. Gib eine Adresse wie play.example.org oder play.example.org:25566 ein.',
    },
  },
  fr: {
    label: [
      'minecraft',
      'Joueurs et serveurs Minecraft',
      {
        player: ['joueur', 'Montre un joueur', { name: ['nom', 'Nom, UUID ou gamertag précédé d’un point'] }],
        server: [
          'serveur',
          'Montre qui est sur un serveur',
          { address: ['adresse', 'Par exemple play.example.org'], edition: ['édition', 'Sinon : Java'] },
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
      defaultSkin: (name) => `par défaut (${name})`,
      noneStored: 'aucun public',
      noPlayer: (name) => `Il n’y a pas de joueur nommé « ${name} ».`,
      badPlayer: 'Indique un nom, un UUID ou un gamertag précédé d’un point.',
      online: (players) => `En ligne : ${players}`,
      offline: 'Le serveur est hors ligne ou injoignable.',
      players: 'Joueurs',
      version: 'Version',
      latency: 'Latence',
      whoPlays: 'En jeu',
      badAddress: 'Aucun serveur public trouvé. Indique une adresse comme play.example.org ou play.example.org:25566.',
    },
  },
  'es-ES': {
    label: [
      'minecraft',
      'Jugadores y servidores de Minecraft',
      {
        player: ['jugador', 'Muestra un jugador', { name: ['nombre', 'Nombre, UUID o gamertag con un punto delante'] }],
        server: [
          'servidor',
          'Muestra quién está en un servidor',
          { address: ['dirección', 'Por ejemplo play.example.org'], edition: ['edición', 'Si no: Java'] },
        ],
      },
    ],
    words: {
      classic: 'brazos anchos',
      slim: 'brazos finos',
      skin: 'Skin',
      cape: 'Capa',
      picture: 'imagen',
      ownSkin: (picture, model) => `${picture}, ${model}`,
      defaultSkin: (name) => `predeterminada (${name})`,
      noneStored: 'ninguna pública',
      noPlayer: (name) => `No hay ningún jugador llamado «${name}».`,
      badPlayer: 'Escribe un nombre, un UUID o un gamertag con un punto delante.',
      online: (players) => `En línea: ${players}`,
      offline: 'El servidor está desconectado o no responde.',
      players: 'Jugadores',
      version: 'Versión',
      latency: 'Latencia',
      whoPlays: 'Jugando ahora',
      badAddress:
        'No se ha encontrado ningún servidor público. Escribe una dirección como play.example.org o play.example.org:25566.',
    },
  },
  'pt-BR': {
    label: [
      'minecraft',
      'Jogadores e servidores de Minecraft',
      {
        player: ['jogador', 'Mostra um jogador', { name: ['nome', 'Nome, UUID ou gamertag com um ponto na frente'] }],
        server: [
          'servidor',
          'Mostra quem está em um servidor',
          { address: ['endereço', 'Por exemplo play.example.org'], edition: ['edição', 'Senão: Java'] },
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
      defaultSkin: (name) => `padrão (${name})`,
      noneStored: 'nenhuma pública',
      noPlayer: (name) => `Não há nenhum jogador chamado “${name}”.`,
      badPlayer: 'Informe um nome, um UUID ou um gamertag com um ponto na frente.',
      online: (players) => `Online: ${players}`,
      offline: 'O servidor está offline ou inacessível.',
      players: 'Jogadores',
      version: 'Versão',
      latency: 'Latência',
      whoPlays: 'Jogando agora',
      badAddress:
        'Nenhum servidor público encontrado. Informe um endereço como play.example.org ou play.example.org:25566.',
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
          { address: ['アドレス', '例：play.example.org'], edition: ['エディション', '省略すると Java'] },
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
      noneStored: '公開なし',
      noPlayer: (name) => `「${name}」というプレイヤーはいません。`,
      badPlayer: '名前、UUID、または先頭に点を付けたゲーマータグを入力してください。',
      online: (players) => `オンライン：${players}`,
      offline: 'サーバーがオフラインか、接続できません。',
      players: 'プレイヤー',
      version: 'バージョン',
      latency: '応答時間',
      whoPlays: '参加中',
      badAddress: '公開サーバーが見つかりません。play.example.org や play.example.org:25566 のように入力してください。',
    },
  },
}
