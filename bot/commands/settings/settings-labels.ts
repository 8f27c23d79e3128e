import type { Localised, Widened } from '../i18n/languages.ts'
import { segmentText } from './segment-text.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'settings',
    'How the bot behaves in this server',
    {
      show: ['show', 'Show all settings'],
      dj: ['dj', 'Who is in charge of the player', { role: ['role', 'Managers of the server unless you choose one'] }],
      votes: ['votes', 'How many listeners have to agree in a vote', { percent: ['percent', '0: no vote'] }],
      stay: ['stay', 'Stay in the channel around the clock', { on: ['on', 'Whether to stay'] }],
      volume: ['volume', 'The volume that music begins with', { percent: ['percent', '100 is unchanged'] }],
      announce: [
        'announce',
        'Where the now-playing card goes',
        { channel: ['channel', 'Where music is asked for unless you choose one'] },
      ],
      language: [
        'language',
        'The language of the card',
        { language: ['language', 'As set in the server unless you choose'] },
      ],
      duplicates: ['duplicates', 'Whether a track may be queued twice', { on: ['on', 'Whether it may'] }],
      fair: ['fair', 'Whether members take turns in the queue', { on: ['on', 'Whether they do'] }],
      loudness: ['loudness', 'Whether all tracks play equally loud', { on: ['on', 'Whether they do'] }],
      limit: ['limit', 'How many tracks of a member may wait', { tracks: ['tracks', 'Any number unless you choose'] }],
      screenshots: ['screenshots', 'Whether members may have websites shown', { on: ['on', 'Whether they may'] }],
      sponsorblock: [
        'sponsorblock',
        'Which parts of YouTube videos to skip',
        {
          category: ['category', 'Which parts', { all: 'Everything', ...segmentText.en.names }],
          on: ['on', 'Whether they are'],
        },
      ],
      autoplay: [
        'autoplay',
        'Whether similar tracks follow when the queue runs out',
        { on: ['on', 'Whether they do'] },
      ],
      crossfade: ['crossfade', 'How long two tracks overlap', { seconds: ['seconds', '0 to 12; 0: not at all'] }],
      fade: ['fade', 'How long pause, skip, seek and stop fade', { milliseconds: ['milliseconds', '0: not at all'] }],
      reset: ['reset', 'Set everything back'],
    },
  ] as const satisfies Label,
}

/** Labels of `/settings`. */
export const settingsLabels: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'einstellungen',
      'Wie sich der Bot auf diesem Server verhält',
      {
        show: ['zeigen', 'Zeigt alle Einstellungen'],
        dj: [
          'dj',
          'Wer über den Player bestimmt',
          { role: ['rolle', 'Wer den Server verwaltet, wenn du keine wählst'] },
        ],
        votes: [
          'stimmen',
          'Wie viele Zuhörende bei einer Abstimmung zustimmen müssen',
          { percent: ['prozent', '0: Niemand wird gefragt'] },
        ],
        stay: ['bleiben', 'Bleibt rund um die Uhr im Kanal', { on: ['an', 'Ob er bleibt'] }],
        volume: [
          'lautstärke',
          'Die Lautstärke, mit der Musik beginnt',
          { percent: ['prozent', '100 ist unverändert'] },
        ],
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
        sponsorblock: [
          'sponsorblock',
          'Welche Teile von YouTube-Videos übersprungen werden',
          {
            category: ['kategorie', 'Welche Teile', { all: 'Alles', ...segmentText.de.names }],
            on: ['an', 'Ob sie es werden'],
          },
        ],
        autoplay: ['autoplay', 'Ob Ähnliches folgt, wenn die Warteschlange leer ist', { on: ['an', 'Ob es das tut'] }],
        crossfade: ['überblenden', 'Wie lange sich Titel überlappen', { seconds: ['sekunden', '0: gar nicht'] }],
        fade: ['blende', 'Wie lange Pause und Stopp blenden', { milliseconds: ['millisekunden', '0: gar nicht'] }],
        reset: ['zurücksetzen', 'Setzt alles zurück'],
      },
    ],
  },
  fr: {
    label: [
      'réglages',
      'Comment le bot se comporte sur ce serveur',
      {
        show: ['afficher', 'Montre tous les réglages'],
        dj: ['dj', 'Qui décide de la musique', { role: ['rôle', 'Qui gère le serveur sans choix de ta part'] }],
        votes: [
          'votes',
          'Combien d’auditeurs doivent accepter lors d’un vote',
          { percent: ['pourcentage', '0 : sans vote'] },
        ],
        stay: ['rester', 'Reste en permanence dans le salon', { on: ['actif', 'S’il reste'] }],
        volume: ['volume', 'Le volume de départ', { percent: ['pourcentage', '100 ne change rien'] }],
        announce: [
          'carte',
          'Où va la carte du titre en cours',
          { channel: ['salon', 'Là où la musique est demandée sans choix de ta part'] },
        ],
        language: [
          'langue',
          'La langue de la carte',
          { language: ['langue', 'Celle du serveur sans choix de ta part'] },
        ],
        duplicates: ['doublons', 'Si un titre peut attendre deux fois', { on: ['actif', 'S’il le peut'] }],
        fair: ['équité', 'Si les membres passent à tour de rôle', { on: ['actif', 'S’ils le font'] }],
        loudness: ['sonie', 'Si tous les titres sont aussi forts', { on: ['actif', 'S’ils le sont'] }],
        limit: [
          'limite',
          'Combien de titres d’un membre peuvent attendre',
          { tracks: ['titres', 'Sans limite sinon'] },
        ],
        screenshots: [
          'captures',
          'Si les membres peuvent faire montrer des sites',
          { on: ['actif', 'S’ils le peuvent'] },
        ],
        sponsorblock: [
          'sponsorblock',
          'Quelles parties des vidéos YouTube sont sautées',
          {
            category: ['catégorie', 'Quelles parties', { all: 'Tout', ...segmentText.fr.names }],
            on: ['actif', 'Si elles le sont'],
          },
        ],
        autoplay: ['auto', 'Si des titres proches suivent quand la file est vide', { on: ['actif', 'S’ils suivent'] }],
        crossfade: ['fondu', 'Durée du fondu enchaîné', { seconds: ['secondes', '0 : aucun'] }],
        fade: ['fondu-court', 'Fondu à la pause et à l’arrêt', { milliseconds: ['millisecondes', '0 : aucun'] }],
        reset: ['réinitialiser', 'Remet tout comme au début'],
      },
    ],
  },
  'es-ES': {
    label: [
      'ajustes',
      'Cómo se comporta el bot en este servidor',
      {
        show: ['mostrar', 'Muestra todos los ajustes'],
        dj: ['dj', 'Quién decide sobre la música', { role: ['rol', 'Quien gestiona el servidor si no eliges'] }],
        votes: ['votos', 'Cuántos oyentes deben votar a favor', { percent: ['porcentaje', '0: sin votación'] }],
        stay: ['quedarse', 'Se queda siempre en el canal', { on: ['activo', 'Si se queda'] }],
        volume: ['volumen', 'El volumen inicial', { percent: ['porcentaje', '100 lo deja igual'] }],
        announce: [
          'tarjeta',
          'Dónde va la tarjeta de lo que suena',
          { channel: ['canal', 'Donde se pide música si no eliges'] },
        ],
        language: ['idioma', 'El idioma de la tarjeta', { language: ['idioma', 'El del servidor si no eliges'] }],
        duplicates: ['repetidas', 'Si una pista puede esperar dos veces', { on: ['activo', 'Si puede'] }],
        fair: ['justa', 'Si los miembros se turnan en la cola', { on: ['activo', 'Si lo hacen'] }],
        loudness: ['sonoridad', 'Si todas las pistas suenan igual de fuerte', { on: ['activo', 'Si es así'] }],
        limit: [
          'límite',
          'Cuántas pistas de un miembro pueden esperar',
          { tracks: ['pistas', 'Sin límite si no eliges'] },
        ],
        screenshots: ['capturas', 'Si los miembros pueden pedir capturas de sitios', { on: ['activo', 'Si pueden'] }],
        sponsorblock: [
          'sponsorblock',
          'Qué partes de los vídeos de YouTube se saltan',
          {
            category: ['categoría', 'Qué partes', { all: 'Todo', ...segmentText['es-ES'].names }],
            on: ['activo', 'Si se saltan'],
          },
        ],
        autoplay: ['auto', 'Si siguen pistas parecidas cuando la cola se acaba', { on: ['activo', 'Si siguen'] }],
        crossfade: ['fundido', 'Cuánto se solapan dos pistas', { seconds: ['segundos', 'De 0 a 12; 0: nada'] }],
        fade: ['fundido-corto', 'Fundido al pausar o parar', { milliseconds: ['milisegundos', '0: nada'] }],
        reset: ['restablecer', 'Deja todo como al principio'],
      },
    ],
  },
  'pt-BR': {
    label: [
      'configurações',
      'Como o bot se comporta neste servidor',
      {
        show: ['mostrar', 'Mostra todas as configurações'],
        dj: ['dj', 'Quem decide sobre a música', { role: ['cargo', 'Quem gerencia o servidor se você não escolher'] }],
        votes: ['votos', 'Quantos ouvintes precisam votar a favor', { percent: ['porcentagem', '0: sem votação'] }],
        stay: ['ficar', 'Fica no canal o tempo todo', { on: ['ativo', 'Se fica'] }],
        volume: ['volume', 'O volume inicial', { percent: ['porcentagem', '100 não muda nada'] }],
        announce: [
          'cartão',
          'Onde vai o cartão do que está tocando',
          { channel: ['canal', 'Onde a música é pedida se você não escolher'] },
        ],
        language: ['idioma', 'O idioma do cartão', { language: ['idioma', 'O do servidor se você não escolher'] }],
        duplicates: ['repetidas', 'Se uma faixa pode esperar duas vezes', { on: ['ativo', 'Se pode'] }],
        fair: ['justa', 'Se os membros se revezam na fila', { on: ['ativo', 'Se fazem isso'] }],
        loudness: ['sonoridade', 'Se todas as faixas tocam com a mesma altura', { on: ['ativo', 'Se tocam'] }],
        limit: [
          'limite',
          'Quantas faixas de um membro podem esperar',
          { tracks: ['faixas', 'Sem limite se não escolher'] },
        ],
        screenshots: ['capturas', 'Se os membros podem pedir capturas de sites', { on: ['ativo', 'Se podem'] }],
        sponsorblock: [
          'sponsorblock',
          'Quais partes dos vídeos do YouTube são puladas',
          {
            category: ['categoria', 'Quais partes', { all: 'Tudo', ...segmentText['pt-BR'].names }],
            on: ['ativo', 'Se são puladas'],
          },
        ],
        autoplay: ['auto', 'Se faixas parecidas seguem quando a fila acaba', { on: ['ativo', 'Se seguem'] }],
        crossfade: ['crossfade', 'Quanto duas faixas se sobrepõem', { seconds: ['segundos', '0: nada'] }],
        fade: ['fade', 'Duração do fade ao pausar, pular ou parar', { milliseconds: ['milissegundos', '0: nenhum'] }],
        reset: ['redefinir', 'Deixa tudo como no começo'],
      },
    ],
  },
  ja: {
    label: [
      '設定',
      'このサーバーでのボットの動作',
      {
        show: ['表示', 'すべての設定を表示します'],
        dj: ['dj', '誰がプレーヤーを管理するか', { role: ['ロール', '選ばなければサーバー管理者'] }],
        votes: ['投票', '投票に必要な賛成の割合', { percent: ['パーセント', '0 なら投票なし'] }],
        stay: ['常駐', '常にチャンネルに留まります', { on: ['オン', '留まるかどうか'] }],
        volume: ['音量', '最初の音量', { percent: ['パーセント', '100 が元の音量です'] }],
        announce: [
          'カード',
          '再生中カードを出す場所',
          { channel: ['チャンネル', '選ばなければ音楽がリクエストされた場所'] },
        ],
        language: ['言語', 'カードの言語', { language: ['言語', '選ばなければサーバーの言語'] }],
        duplicates: ['重複', '同じ曲を二度待機させられるか', { on: ['オン', '許可するかどうか'] }],
        fair: ['公平', 'メンバーが順番に曲を流すか', { on: ['オン', '順番にするかどうか'] }],
        loudness: ['音量均一', 'すべての曲を同じ大きさで流すか', { on: ['オン', 'そろえるかどうか'] }],
        limit: ['上限', 'メンバーごとに待機できる曲数', { tracks: ['曲数', '選ばなければ無制限'] }],
        screenshots: ['画面表示', 'メンバーがサイトを表示できるか', { on: ['オン', '表示できるかどうか'] }],
        sponsorblock: [
          'スポンサーブロック',
          'YouTube 動画のどの部分を飛ばすか',
          {
            category: ['種類', 'どの部分か', { all: 'すべて', ...segmentText.ja.names }],
            on: ['オン', '飛ばすかどうか'],
          },
        ],
        autoplay: ['自動再生', 'キューが終わったら似た曲を流すか', { on: ['オン', '流すかどうか'] }],
        crossfade: ['クロスフェード', '曲と曲を重ねる長さ', { seconds: ['秒', '0～12。0 なら重ねません'] }],
        fade: [
          'フェード',
          '一時停止やスキップなどのフェードの長さ',
          { milliseconds: ['ミリ秒', '0 ならフェードなし'] },
        ],
        reset: ['リセット', 'すべてを初期設定に戻します'],
      },
    ],
  },
}
