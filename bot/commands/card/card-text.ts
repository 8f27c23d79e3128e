import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    playing: 'Now playing',
    paused: 'Paused',
    requestedBy: (member: string) => `Requested by ${member}`,
    library: 'Library',
    live: 'LIVE',
    next: 'Up next',
    waiting: (count: number) => `${count} waiting`,
    privacyCode: 'Encryption code of this call',
    silenced: {
      serverMute: 'A moderator has muted me. The music waits until I am unmuted.',
      suppressed: 'I may not speak here yet. The music waits until a moderator lets me.',
    },
    autoplay: {
      gaveUp:
        'Autoplay found nothing more that it has not just played. Ask for something with /play, and it goes on from there.',
      because: {
        similar: (name: string) => `Autoplay: goes with ${name}`,
        artist: (name: string) => `Autoplay: more by ${name}`,
        genre: (name: string) => `Autoplay: more ${name}`,
        history: (name: string) => `Autoplay: often heard here after ${name}`,
        favourite: 'Autoplay: a favourite of one of you',
        library: 'Autoplay: from the library',
      },
    },
  },
}

/** Texts of the now-playing card. */
export const cardText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      playing: 'Jetzt läuft',
      paused: 'Angehalten',
      requestedBy: (member) => `Gewünscht von ${member}`,
      library: 'Bibliothek',
      live: 'LIVE',
      next: 'Als Nächstes',
      waiting: (count) => `${count} warten`,
      privacyCode: 'Verschlüsselungscode dieses Anrufs',
      silenced: {
        serverMute: 'Ich bin serverweit stummgeschaltet. Die Musik wartet, bis das aufgehoben wird.',
        suppressed: 'Ich darf hier noch nicht sprechen. Die Musik wartet, bis mich jemand sprechen lässt.',
      },
      autoplay: {
        gaveUp:
          'Autoplay findet nichts mehr, das nicht eben erst lief. Wünsch dir etwas mit /play, dann geht es von dort aus weiter.',
        because: {
          similar: (name) => `Autoplay: passt zu ${name}`,
          artist: (name) => `Autoplay: mehr von ${name}`,
          genre: (name) => `Autoplay: mehr ${name}`,
          history: (name) => `Autoplay: wird hier oft nach ${name} gehört`,
          favourite: 'Autoplay: ein Favorit unter euch',
          library: 'Autoplay: aus der Bibliothek',
        },
      },
    },
  },
  fr: {
    words: {
      playing: 'En cours',
      paused: 'En pause',
      requestedBy: (member) => `Demandé par ${member}`,
      library: 'Bibliothèque',
      live: 'EN DIRECT',
      next: 'Ensuite',
      waiting: (count) => `${count} en attente`,
      privacyCode: 'Code de chiffrement de cet appel',
      silenced: {
        serverMute: 'La modération m’a rendu muet. La musique attend que le son me soit rendu.',
        suppressed: 'Je n’ai pas encore la parole ici. La musique attend que quelqu’un me la donne.',
      },
      autoplay: {
        gaveUp:
          'La lecture automatique ne trouve plus rien qui ne vienne d’être joué. Demande un titre avec /play et elle reprendra à partir de là.',
        because: {
          similar: (name) => `Lecture automatique : va bien avec ${name}`,
          artist: (name) => `Lecture automatique : encore ${name}`,
          genre: (name) => `Lecture automatique : encore du ${name}`,
          history: (name) => `Lecture automatique : souvent écouté ici après ${name}`,
          favourite: 'Lecture automatique : un favori parmi vous',
          library: 'Lecture automatique : de la bibliothèque',
        },
      },
    },
  },
  'es-ES': {
    words: {
      playing: 'Ahora suena',
      paused: 'En pausa',
      requestedBy: (member) => `Pedida por ${member}`,
      library: 'Biblioteca',
      live: 'EN DIRECTO',
      next: 'A continuación',
      waiting: (count) => `${count} en espera`,
      privacyCode: 'Código de cifrado de esta llamada',
      silenced: {
        serverMute: 'La moderación me ha silenciado. La música espera hasta que vuelva a tener voz.',
        suppressed: 'Todavía no puedo hablar aquí. La música espera hasta que alguien me dé la palabra.',
      },
      autoplay: {
        gaveUp:
          'La reproducción automática no encuentra nada que no haya sonado hace poco. Pide algo con /play y seguirá a partir de ahí.',
        because: {
          similar: (name) => `Reproducción automática: va bien con ${name}`,
          artist: (name) => `Reproducción automática: más de ${name}`,
          genre: (name) => `Reproducción automática: más ${name}`,
          history: (name) => `Reproducción automática: aquí se suele oír después de ${name}`,
          favourite: 'Reproducción automática: favorita de alguno de vosotros',
          library: 'Reproducción automática: de la biblioteca',
        },
      },
    },
  },
  'pt-BR': {
    words: {
      playing: 'Tocando agora',
      paused: 'Pausado',
      requestedBy: (member) => `Pedido por ${member}`,
      library: 'Biblioteca',
      live: 'AO VIVO',
      next: 'A seguir',
      waiting: (count) => `${count} na fila`,
      privacyCode: 'Código de criptografia desta chamada',
      silenced: {
        serverMute: 'A moderação me silenciou. A música espera até que me devolvam a voz.',
        suppressed: 'Ainda não posso falar aqui. A música espera até que alguém me dê a palavra.',
      },
      autoplay: {
        gaveUp:
          'A reprodução automática não encontra mais nada que não tenha tocado há pouco. Peça algo com /play e ela continua a partir daí.',
        because: {
          similar: (name) => `Reprodução automática: combina com ${name}`,
          artist: (name) => `Reprodução automática: mais de ${name}`,
          genre: (name) => `Reprodução automática: mais ${name}`,
          history: (name) => `Reprodução automática: costuma ser ouvida aqui depois de ${name}`,
          favourite: 'Reprodução automática: favorita de um de vocês',
          library: 'Reprodução automática: da biblioteca',
        },
      },
    },
  },
  ja: {
    words: {
      playing: '再生中',
      paused: '一時停止中',
      requestedBy: (member) => `リクエスト：${member}`,
      library: 'ライブラリ',
      live: 'ライブ',
      next: '次の曲',
      waiting: (count) => `${count} 曲待機中`,
      privacyCode: 'この通話の暗号化コード',
      silenced: {
        serverMute: 'モデレーターにミュートされています。解除されるまで音楽は止まって待ちます。',
        suppressed: 'まだここで発言できません。発言を許可されるまで音楽は止まって待ちます。',
      },
      autoplay: {
        gaveUp: '自動再生：最近流していない曲がもう見つかりません。/play で何かリクエストすると、そこから続きます。',
        because: {
          similar: (name) => `自動再生：${name} に合う曲`,
          artist: (name) => `自動再生：${name} の曲`,
          genre: (name) => `自動再生：${name} の曲をもっと`,
          history: (name) => `自動再生：ここでは ${name} のあとによく聞かれます`,
          favourite: '自動再生：メンバーのお気に入り',
          library: '自動再生：ライブラリから',
        },
      },
    },
  },
}
