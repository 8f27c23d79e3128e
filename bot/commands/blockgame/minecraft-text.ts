import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of `/minecraft`. */
export const minecraftText = inEachLanguage({
  label: [
    ['minecraft', 'minecraft', 'minecraft', 'minecraft', 'minecraft', 'minecraft'],
    [
      'Minecraft players and servers',
      'Minecraft-Spieler und -Server',
      'Joueurs et serveurs Minecraft',
      'Jugadores y servidores de Minecraft',
      'Jogadores e servidores de Minecraft',
      'Minecraft のプレイヤーとサーバー',
    ],
    {
      player: [
        ['player', 'spieler', 'joueur', 'jugador', 'jogador', 'プレイヤー'],
        [
          'Show a player',
          'Zeigt einen Spieler',
          'Montre un joueur',
          'Muestra un jugador',
          'Mostra um jogador',
          'プレイヤーを表示します',
        ],
        {
          name: [
            ['name', 'name', 'nom', 'nombre', 'nome', '名前'],
            [
              'Name, UUID, or gamertag with a leading dot',
              'Name, UUID oder Gamertag mit Punkt davor',
              'Nom, UUID ou gamertag précédé d’un point',
              'Nombre, UUID o gamertag con un punto delante',
              'Nome, UUID ou gamertag com um ponto na frente',
              '名前、UUID、または先頭に点を付けたゲーマータグ',
            ],
          ],
        },
      ],
      server: [
        ['server', 'server', 'serveur', 'servidor', 'servidor', 'サーバー'],
        [
          'Show a server and who plays on it',
          'Zeigt, wer auf einem Server ist',
          'Montre qui est sur un serveur',
          'Muestra quién está en un servidor',
          'Mostra quem está em um servidor',
          'サーバーに誰がいるか表示します',
        ],
        {
          address: [
            ['address', 'adresse', 'adresse', 'dirección', 'endereço', 'アドレス'],
            [
              'For example play.example.org',
              'Zum Beispiel play.example.org',
              'Par exemple play.example.org',
              'Por ejemplo play.example.org',
              'Por exemplo play.example.org',
              '例：play.example.org',
            ],
          ],
          edition: [
            ['edition', 'edition', 'édition', 'edición', 'edição', 'エディション'],
            ['Default: Java', 'Sonst: Java', 'Sinon : Java', 'Si no: Java', 'Senão: Java', '省略すると Java'],
          ],
        },
      ],
    },
  ],
  words: {
    classic: ['wide arms', 'breite Arme', 'bras larges', 'brazos anchos', 'braços largos', '太い腕'],
    slim: ['slim arms', 'schmale Arme', 'bras fins', 'brazos finos', 'braços finos', '細い腕'],
    skin: ['Skin', 'Skin', 'Skin', 'Skin', 'Skin', 'スキン'],
    cape: ['Cape', 'Umhang', 'Cape', 'Capa', 'Capa', 'マント'],
    picture: ['picture', 'Bild', 'image', 'imagen', 'imagem', '画像'],
    ownSkin: [
      '{picture}, {model}',
      '{picture}, {model}',
      '{picture}, {model}',
      '{picture}, {model}',
      '{picture}, {model}',
      '{picture}（{model}）',
    ],
    defaultSkin: [
      'default ({name})',
      'Standard ({name})',
      'par défaut ({name})',
      'predeterminada ({name})',
      'padrão ({name})',
      '標準（{name}）',
    ],
    noneStored: ['none public', 'keiner öffentlich', 'aucun public', 'ninguna pública', 'nenhuma pública', '公開なし'],
    noPlayer: [
      'There is no player called “{name}”.',
      'Es gibt keinen Spieler namens „{name}“.',
      'Il n’y a pas de joueur nommé « {name} ».',
      'No hay ningún jugador llamado «{name}».',
      'Não há nenhum jogador chamado “{name}”.',
      '「{name}」というプレイヤーはいません。',
    ],
    badPlayer: [
      'Enter a name, a UUID, or a gamertag with a leading dot.',
      'Gib einen Namen, eine UUID oder einen Gamertag mit einem Punkt davor an.',
      'Indique un nom, un UUID ou un gamertag précédé d’un point.',
      'Escribe un nombre, un UUID o un gamertag con un punto delante.',
      'Informe um nome, um UUID ou um gamertag com um ponto na frente.',
      '名前、UUID、または先頭に点を付けたゲーマータグを入力してください。',
    ],
    online: [
      'Online: {players}',
      'Online: {players}',
      'En ligne : {players}',
      'En línea: {players}',
      'Online: {players}',
      'オンライン：{players}',
    ],
    offline: [
      'The server is offline or unreachable.',
      'Der Server ist offline oder nicht erreichbar.',
      'Le serveur est hors ligne ou injoignable.',
      'El servidor está desconectado o no responde.',
      'O servidor está offline ou inacessível.',
      'サーバーがオフラインか、接続できません。',
    ],
    players: ['Players', 'Spieler', 'Joueurs', 'Jugadores', 'Jogadores', 'プレイヤー'],
    version: ['Version', 'Version', 'Version', 'Versión', 'Versão', 'バージョン'],
    latency: ['Latency', 'Latenz', 'Latence', 'Latencia', 'Latência', '応答時間'],
    whoPlays: ['Playing now', 'Spielen gerade', 'En jeu', 'Jugando ahora', 'Jogando agora', '参加中'],
    badAddress: [
      'No public server was found. Enter an address like play.example.org or play.example.org:25566.',
      'Kein öffentlicher Server gefunden. Gib eine Adresse wie play.example.org oder play.example.org:25566 ein.',
      'Aucun serveur public trouvé. Indique une adresse comme play.example.org ou play.example.org:25566.',
      'No se ha encontrado ningún servidor público. Escribe una dirección como play.example.org o play.example.org:25566.',
      'Nenhum servidor público encontrado. Informe um endereço como play.example.org ou play.example.org:25566.',
      '公開サーバーが見つかりません。play.example.org や play.example.org:25566 のように入力してください。',
    ],
  },
})
