import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of `/roblox`. */
export const robloxText = inEachLanguage({
  label: [
    ['roblox', 'roblox', 'roblox', 'roblox', 'roblox', 'roblox'],
    [
      'Roblox users, communities and games',
      'Roblox-Nutzer, -Gruppen und -Spiele',
      'Utilisateurs, groupes et jeux Roblox',
      'Usuarios, grupos y juegos de Roblox',
      'Usuários, grupos e jogos do Roblox',
      'Roblox のユーザー、グループ、ゲーム',
    ],
    {
      user: [
        ['user', 'nutzer', 'utilisateur', 'usuario', 'usuário', 'ユーザー'],
        [
          'Show a user',
          'Zeigt einen Nutzer',
          'Montre un utilisateur',
          'Muestra un usuario',
          'Mostra um usuário',
          'ユーザーを表示します',
        ],
        {
          name: [
            ['name', 'name', 'nom', 'nombre', 'nome', '名前'],
            [
              'Name or ID',
              'Name oder Nummer',
              'Son nom ou son numéro',
              'Su nombre o su número',
              'O nome ou o número',
              '名前または番号',
            ],
          ],
        },
      ],
      group: [
        ['group', 'gruppe', 'groupe', 'grupo', 'grupo', 'グループ'],
        [
          'Show a community',
          'Zeigt eine Gruppe',
          'Montre un groupe',
          'Muestra un grupo',
          'Mostra um grupo',
          'グループを表示します',
        ],
        {
          id: [
            ['id', 'nummer', 'numéro', 'número', 'número', '番号'],
            ['ID or URL', 'ID oder URL', 'ID ou URL', 'ID o URL', 'ID ou URL', 'ID または URL'],
          ],
        },
      ],
      game: [
        ['game', 'spiel', 'jeu', 'juego', 'jogo', 'ゲーム'],
        ['Show a game', 'Zeigt ein Spiel', 'Montre un jeu', 'Muestra un juego', 'Mostra um jogo', 'ゲームを表示します'],
        {
          id: [
            ['id', 'nummer', 'numéro', 'número', 'número', '番号'],
            ['ID or URL', 'ID oder URL', 'ID ou URL', 'ID o URL', 'ID ou URL', 'ID または URL'],
          ],
        },
      ],
    },
  ],
  words: {
    friends: ['Friends', 'Freunde', 'Amis', 'Amigos', 'Amigos', '友達'],
    followers: ['Followers', 'Follower', 'Abonnés', 'Seguidores', 'Seguidores', 'フォロワー'],
    followings: ['Follows', 'Folgt', 'Abonnements', 'Sigue a', 'Segue', 'フォロー中'],
    joined: ['Joined', 'Dabei seit', 'Inscription', 'Desde', 'Desde', '登録日'],
    banned: [
      'This account is banned.',
      'Dieses Konto ist gesperrt.',
      'Ce compte est banni.',
      'Esta cuenta está bloqueada.',
      'Esta conta está banida.',
      'このアカウントは停止されています。',
    ],
    members: ['Members', 'Mitglieder', 'Membres', 'Miembros', 'Membros', 'メンバー'],
    owner: ['Owner', 'Besitzer', 'Propriétaire', 'Propietario', 'Dono', 'オーナー'],
    noOwner: ['none', 'keiner', 'aucun', 'ninguno', 'nenhum', 'なし'],
    entry: ['Joining', 'Beitritt', 'Adhésion', 'Entrada', 'Entrada', '参加'],
    open: ['open to everyone', 'offen für alle', 'ouverte à tous', 'abierta a todos', 'aberta a todos', '誰でも可'],
    byRequest: ['on request', 'auf Anfrage', 'sur demande', 'con solicitud', 'por pedido', '申請制'],
    playing: ['Playing now', 'Spielen gerade', 'En jeu', 'Jugando ahora', 'Jogando agora', 'プレイ中'],
    visits: ['Visits', 'Besuche', 'Visites', 'Visitas', 'Visitas', '訪問数'],
    favourites: ['Favourites', 'Favoriten', 'Favoris', 'Favoritos', 'Favoritos', 'お気に入り'],
    liked: ['Liked by', 'Likes', 'Aimé par', 'Le gusta a', 'Aprovação', '高評価'],
    server: [
      'Players per server',
      'Spieler je Server',
      'Joueurs par serveur',
      'Jugadores por servidor',
      'Jogadores por servidor',
      'サーバーの定員',
    ],
    updated: ['Last update', 'Zuletzt geändert', 'Mise à jour', 'Actualizado', 'Atualizado', '最終更新'],
    by: ['by {creator}', 'von {creator}', 'par {creator}', 'de {creator}', 'de {creator}', '作成：{creator}'],
    noUser: [
      'There is no user called “{name}”.',
      'Es gibt keinen Nutzer namens „{name}“.',
      'Il n’y a pas d’utilisateur nommé « {name} ».',
      'No hay ningún usuario llamado «{name}».',
      'Não há nenhum usuário chamado “{name}”.',
      '「{name}」というユーザーはいません。',
    ],
    noGroup: [
      'There is no community with the ID {id}.',
      'Es gibt keine Gruppe mit der ID {id}.',
      'Il n’y a pas de groupe avec l’ID {id}.',
      'No hay ningún grupo con el ID {id}.',
      'Não há nenhum grupo com o ID {id}.',
      'ID {id} のグループはありません。',
    ],
    noGame: [
      'There is no game with the ID {id}.',
      'Es gibt kein Spiel mit der ID {id}.',
      'Il n’y a pas de jeu avec l’ID {id}.',
      'No hay ningún juego con el ID {id}.',
      'Não há nenhum jogo com o ID {id}.',
      'ID {id} のゲームはありません。',
    ],
    badName: [
      'A name has 3 to 20 letters, digits or underscores.',
      'Ein Name hat 3 bis 20 Buchstaben, Ziffern oder Unterstriche.',
      'Un nom a de 3 à 20 lettres, chiffres ou tirets bas.',
      'Un nombre tiene de 3 a 20 letras, cifras o guiones bajos.',
      'Um nome tem de 3 a 20 letras, números ou sublinhados.',
      '名前は英数字とアンダースコアで 3 〜 20 文字です。',
    ],
    badId: [
      'Enter the ID or the URL.',
      'Gib die ID oder die URL ein.',
      'Indique l’ID ou l’URL.',
      'Escribe el ID o la URL.',
      'Informe o ID ou a URL.',
      'ID または URL を入力してください。',
    ],
  },
})
