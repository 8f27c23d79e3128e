import type { Localised, Widened } from '../i18n/languages.ts'
import { segmentText } from './segment-text.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'settings',
    'Settings of the bot in this server',
    {
      show: ['show', 'Show all settings'],
      dj: ['dj', 'Role that controls the player', { role: ['role', 'Default: server managers'] }],
      votes: ['votes', 'Share of listeners a vote needs', { percent: ['percent', '0: no votes'] }],
      stay: ['stay', 'Stay in the channel 24/7', { on: ['on', 'On or off'] }],
      volume: ['volume', 'Volume at the start', { percent: ['percent', 'Default: 100'] }],
      announce: [
        'announce',
        'Channel for the player card',
        { channel: ['channel', 'Default: where music is requested'] },
      ],
      language: ['language', 'Language of the card', { language: ['language', 'Default: the server’s language'] }],
      duplicates: ['duplicates', 'Allow duplicates in the queue', { on: ['on', 'On or off'] }],
      fair: ['fair', 'Members take turns in the queue', { on: ['on', 'On or off'] }],
      loudness: ['loudness', 'Play all tracks equally loud', { on: ['on', 'On or off'] }],
      limit: ['limit', 'Queued tracks per member', { tracks: ['tracks', 'Default: no limit'] }],
      screenshots: ['screenshots', 'Members can take screenshots of websites', { on: ['on', 'On or off'] }],
      sponsorblock: [
        'sponsorblock',
        'Skip parts of YouTube videos',
        {
          category: ['category', 'Which parts', { all: 'Everything', ...segmentText.en.names }],
          on: ['on', 'On or off'],
        },
      ],
      autoplay: ['autoplay', 'Play similar tracks when the queue ends', { on: ['on', 'On or off'] }],
      crossfade: ['crossfade', 'Overlap of two tracks', { seconds: ['seconds', '0 to 12; 0: off'] }],
      fade: ['fade', 'Fade on pause, skip, seek and stop', { milliseconds: ['milliseconds', '0: off'] }],
      reset: ['reset', 'Reset all settings'],
    },
  ] as const satisfies Label,
}

/** Labels of `/settings`. */
export const settingsLabels: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'einstellungen',
      'Einstellungen des Bots auf diesem Server',
      {
        show: ['zeigen', 'Zeigt alle Einstellungen'],
        dj: ['dj', 'Rolle, die den Player steuert', { role: ['rolle', 'Sonst: wer den Server verwaltet'] }],
        votes: ['stimmen', 'Nötiger Anteil bei Abstimmungen', { percent: ['prozent', '0: keine Abstimmung'] }],
        stay: ['bleiben', 'Bleibt rund um die Uhr im Kanal', { on: ['an', 'An oder aus'] }],
        volume: ['lautstärke', 'Lautstärke am Anfang', { percent: ['prozent', 'Standard: 100'] }],
        announce: ['karte', 'Kanal für die Player-Karte', { channel: ['kanal', 'Sonst: wo Musik gewünscht wird'] }],
        language: ['sprache', 'Sprache der Karte', { language: ['sprache', 'Sonst: Sprache des Servers'] }],
        duplicates: ['doppelte', 'Doppelte in der Warteschlange erlauben', { on: ['an', 'An oder aus'] }],
        fair: ['fair', 'Mitglieder wechseln sich in der Warteschlange ab', { on: ['an', 'An oder aus'] }],
        loudness: ['lautheit', 'Alle Titel gleich laut spielen', { on: ['an', 'An oder aus'] }],
        limit: ['grenze', 'Wartende Titel je Mitglied', { tracks: ['titel', 'Sonst: unbegrenzt'] }],
        screenshots: [
          'bildschirmfotos',
          'Mitglieder dürfen Screenshots von Websites machen',
          { on: ['an', 'An oder aus'] },
        ],
        sponsorblock: [
          'sponsorblock',
          'Teile von YouTube-Videos überspringen',
          {
            category: ['kategorie', 'Welche Teile', { all: 'Alles', ...segmentText.de.names }],
            on: ['an', 'An oder aus'],
          },
        ],
        autoplay: [
          'autoplay',
          'Ähnliche Titel spielen, wenn die Warteschlange leer ist',
          { on: ['an', 'An oder aus'] },
        ],
        crossfade: ['überblenden', 'Überlappung zweier Titel', { seconds: ['sekunden', '0: aus'] }],
        fade: ['blende', 'Blende bei Pause, Sprung und Stopp', { milliseconds: ['millisekunden', '0: aus'] }],
        reset: ['zurücksetzen', 'Setzt alle Einstellungen zurück'],
      },
    ],
  },
  fr: {
    label: [
      'réglages',
      'Réglages du bot sur ce serveur',
      {
        show: ['afficher', 'Montre tous les réglages'],
        dj: ['dj', 'Rôle qui contrôle le lecteur', { role: ['rôle', 'Sinon : qui gère le serveur'] }],
        votes: ['votes', 'Part d’auditeurs nécessaire pour un vote', { percent: ['pourcentage', '0 : sans vote'] }],
        stay: ['rester', 'Reste 24 h/24 dans le salon', { on: ['actif', 'Oui ou non'] }],
        volume: ['volume', 'Le volume de départ', { percent: ['pourcentage', '100 par défaut'] }],
        announce: [
          'carte',
          'Salon de la carte du lecteur',
          { channel: ['salon', 'Sinon : là où la musique est demandée'] },
        ],
        language: ['langue', 'Langue de la carte', { language: ['langue', 'Sinon : celle du serveur'] }],
        duplicates: ['doublons', 'Autoriser les doublons dans la file', { on: ['actif', 'Oui ou non'] }],
        fair: ['équité', 'Les membres passent à tour de rôle', { on: ['actif', 'Oui ou non'] }],
        loudness: ['sonie', 'Même volume pour tous les titres', { on: ['actif', 'Oui ou non'] }],
        limit: ['limite', 'Titres en attente par membre', { tracks: ['titres', 'Sinon : sans limite'] }],
        screenshots: ['captures', 'Les membres peuvent capturer des sites', { on: ['actif', 'Oui ou non'] }],
        sponsorblock: [
          'sponsorblock',
          'Sauter des parties des vidéos YouTube',
          {
            category: ['catégorie', 'Quelles parties', { all: 'Tout', ...segmentText.fr.names }],
            on: ['actif', 'Oui ou non'],
          },
        ],
        autoplay: ['auto', 'Lire des titres similaires quand la file est vide', { on: ['actif', 'Oui ou non'] }],
        crossfade: ['fondu', 'Durée du fondu enchaîné', { seconds: ['secondes', '0 : aucun'] }],
        fade: ['fondu-court', 'Fondu à la pause et à l’arrêt', { milliseconds: ['millisecondes', '0 : aucun'] }],
        reset: ['réinitialiser', 'Réinitialise tous les réglages'],
      },
    ],
  },
  'es-ES': {
    label: [
      'ajustes',
      'Ajustes del bot en este servidor',
      {
        show: ['mostrar', 'Muestra todos los ajustes'],
        dj: ['dj', 'Rol que controla el reproductor', { role: ['rol', 'Si no: quien gestiona el servidor'] }],
        votes: ['votos', 'Parte de los oyentes que hace falta', { percent: ['porcentaje', '0: sin votación'] }],
        stay: ['quedarse', 'Se queda en el canal las 24 horas', { on: ['activo', 'Sí o no'] }],
        volume: ['volumen', 'El volumen inicial', { percent: ['porcentaje', '100 por defecto'] }],
        announce: [
          'tarjeta',
          'Canal de la tarjeta del reproductor',
          { channel: ['canal', 'Si no: donde se pide la música'] },
        ],
        language: ['idioma', 'Idioma de la tarjeta', { language: ['idioma', 'Si no: el del servidor'] }],
        duplicates: ['repetidas', 'Permitir pistas repetidas en la cola', { on: ['activo', 'Sí o no'] }],
        fair: ['justa', 'Los miembros se turnan en la cola', { on: ['activo', 'Sí o no'] }],
        loudness: ['sonoridad', 'Mismo volumen para todas las pistas', { on: ['activo', 'Sí o no'] }],
        limit: ['límite', 'Pistas en cola por miembro', { tracks: ['pistas', 'Si no: sin límite'] }],
        screenshots: ['capturas', 'Los miembros pueden capturar sitios web', { on: ['activo', 'Sí o no'] }],
        sponsorblock: [
          'sponsorblock',
          'Saltar partes de los vídeos de YouTube',
          {
            category: ['categoría', 'Qué partes', { all: 'Todo', ...segmentText['es-ES'].names }],
            on: ['activo', 'Sí o no'],
          },
        ],
        autoplay: ['auto', 'Poner pistas parecidas cuando se acaba la cola', { on: ['activo', 'Sí o no'] }],
        crossfade: ['fundido', 'Solapamiento de dos pistas', { seconds: ['segundos', 'De 0 a 12; 0: desactivado'] }],
        fade: ['fundido-corto', 'Fundido al pausar o parar', { milliseconds: ['milisegundos', '0: desactivado'] }],
        reset: ['restablecer', 'Restablece todos los ajustes'],
      },
    ],
  },
  'pt-BR': {
    label: [
      'configurações',
      'Configurações do bot neste servidor',
      {
        show: ['mostrar', 'Mostra todas as configurações'],
        dj: ['dj', 'Cargo que controla o player', { role: ['cargo', 'Senão: quem gerencia o servidor'] }],
        votes: ['votos', 'Parte dos ouvintes que um voto exige', { percent: ['porcentagem', '0: sem votação'] }],
        stay: ['ficar', 'Fica no canal 24 horas', { on: ['ativo', 'Sim ou não'] }],
        volume: ['volume', 'O volume inicial', { percent: ['porcentagem', 'Padrão: 100'] }],
        announce: ['cartão', 'Canal do cartão do player', { channel: ['canal', 'Senão: onde a música é pedida'] }],
        language: ['idioma', 'Idioma do cartão', { language: ['idioma', 'Senão: o do servidor'] }],
        duplicates: ['repetidas', 'Permitir faixas repetidas na fila', { on: ['ativo', 'Sim ou não'] }],
        fair: ['justa', 'Os membros se revezam na fila', { on: ['ativo', 'Sim ou não'] }],
        loudness: ['sonoridade', 'Mesmo volume para todas as faixas', { on: ['ativo', 'Sim ou não'] }],
        limit: ['limite', 'Faixas na fila por membro', { tracks: ['faixas', 'Senão: sem limite'] }],
        screenshots: ['capturas', 'Os membros podem capturar sites', { on: ['ativo', 'Sim ou não'] }],
        sponsorblock: [
          'sponsorblock',
          'Pular partes dos vídeos do YouTube',
          {
            category: ['categoria', 'Quais partes', { all: 'Tudo', ...segmentText['pt-BR'].names }],
            on: ['ativo', 'Sim ou não'],
          },
        ],
        autoplay: ['auto', 'Tocar faixas parecidas quando a fila acaba', { on: ['ativo', 'Sim ou não'] }],
        crossfade: ['crossfade', 'Sobreposição de duas faixas', { seconds: ['segundos', '0: desactivado'] }],
        fade: [
          'fade',
          'Duração do fade ao pausar, pular ou parar',
          { milliseconds: ['milissegundos', '0: desligado'] },
        ],
        reset: ['redefinir', 'Redefine todas as configurações'],
      },
    ],
  },
  ja: {
    label: [
      '設定',
      'このサーバーでのボットの動作',
      {
        show: ['表示', 'すべての設定を表示します'],
        dj: ['dj', 'プレーヤーを操作できるロール', { role: ['ロール', '省略するとサーバー管理者'] }],
        votes: ['投票', '投票の成立に必要な割合', { percent: ['パーセント', '0 なら投票なし'] }],
        stay: ['常駐', '24 時間チャンネルに留まります', { on: ['オン', 'オンまたはオフ'] }],
        volume: ['音量', '最初の音量', { percent: ['パーセント', '標準は 100'] }],
        announce: [
          'カード',
          'プレーヤーのカードを出すチャンネル',
          { channel: ['チャンネル', '省略するとリクエストされた場所'] },
        ],
        language: ['言語', 'カードの言語', { language: ['言語', '省略するとサーバーの言語'] }],
        duplicates: ['重複', 'キューの重複を許可します', { on: ['オン', 'オンまたはオフ'] }],
        fair: ['公平', 'メンバーの曲を順番に流します', { on: ['オン', 'オンまたはオフ'] }],
        loudness: ['音量均一', 'すべての曲を同じ音量で流します', { on: ['オン', 'オンまたはオフ'] }],
        limit: ['上限', 'メンバーごとにキューへ入れられる曲数', { tracks: ['曲数', '省略すると無制限'] }],
        screenshots: ['画面表示', 'メンバーにサイトの画面撮影を許可します', { on: ['オン', 'オンまたはオフ'] }],
        sponsorblock: [
          'スポンサーブロック',
          'YouTube 動画の一部を飛ばします',
          {
            category: ['種類', '飛ばす部分', { all: 'すべて', ...segmentText.ja.names }],
            on: ['オン', 'オンまたはオフ'],
          },
        ],
        autoplay: ['自動再生', 'キューが終わったら似た曲を流します', { on: ['オン', 'オンまたはオフ'] }],
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
