import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    playing: 'Now playing',
    paused: 'Paused',
    requestedBy: (member: string) => `Requested by ${member}`,
    library: 'Library',
    live: 'LIVE',
    next: 'Up next',
    waiting: (count: number) => `${count} in the queue`,
    privacyCode: 'Encryption code of this call',
    silenced: {
      serverMute: 'A moderator muted me. The music continues when I am unmuted.',
      suppressed: 'I cannot speak on this stage yet. The music continues when a moderator lets me speak.',
      mayNotSpeak:
        'I lack the Speak permission in this channel. The music continues when I have it, or in another channel.',
    },
    autoplay: {
      gaveUp: 'Autoplay ran out of similar tracks. Add one with /play to continue.',
      because: {
        similar: (name: string) => `Autoplay: like ${name}`,
        artist: (name: string) => `Autoplay: more by ${name}`,
        genre: (name: string) => `Autoplay: more ${name}`,
        history: (name: string) => `Autoplay: often played here after ${name}`,
        favourite: 'Autoplay: a listener’s favourite',
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
      paused: 'Pausiert',
      requestedBy: (member) => `Gewünscht von ${member}`,
      library: 'Bibliothek',
      live: 'LIVE',
      next: 'Als Nächstes',
      waiting: (count) => `${count} in der Warteschlange`,
      privacyCode: 'Verschlüsselungscode des Anrufs',
      silenced: {
        serverMute: 'Ein Moderator hat mich stummgeschaltet. Die Musik geht weiter, sobald das aufgehoben ist.',
        suppressed:
          'Ich darf auf dieser Bühne noch nicht sprechen. Die Musik geht weiter, sobald ein Moderator es erlaubt.',
        mayNotSpeak:
          'Mir fehlt in diesem Kanal das Recht „Sprechen“. Die Musik geht weiter, sobald ich es habe oder den Kanal wechsle.',
      },
      autoplay: {
        gaveUp: 'Autoplay findet keine ähnlichen Titel mehr. Mit /play geht es weiter.',
        because: {
          similar: (name) => `Autoplay: passt zu ${name}`,
          artist: (name) => `Autoplay: mehr von ${name}`,
          genre: (name) => `Autoplay: mehr ${name}`,
          history: (name) => `Autoplay: läuft hier oft nach ${name}`,
          favourite: 'Autoplay: ein Favorit von einem von euch',
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
        serverMute: 'Un modérateur m’a coupé le son. La musique reprendra quand il sera rétabli.',
        suppressed:
          'Je n’ai pas encore la parole sur cette scène. La musique reprendra quand un modérateur me la donnera.',
        mayNotSpeak:
          'Il me manque la permission « Parler » dans ce salon. La musique reprendra quand je l’aurai, ou dans un autre salon.',
      },
      autoplay: {
        gaveUp: 'La lecture automatique ne trouve plus de titres similaires. Ajoute-en un avec /play pour continuer.',
        because: {
          similar: (name) => `Lecture automatique : similaire à ${name}`,
          artist: (name) => `Lecture automatique : encore ${name}`,
          genre: (name) => `Lecture automatique : encore du ${name}`,
          history: (name) => `Lecture automatique : souvent écouté ici après ${name}`,
          favourite: 'Lecture automatique : un favori de l’un de vous',
          library: 'Lecture automatique : de la bibliothèque',
        },
      },
    },
  },
  'es-ES': {
    words: {
      playing: 'Ahora suena',
      paused: 'En pausa',
      requestedBy: (member) => `La pidió ${member}`,
      library: 'Biblioteca',
      live: 'EN DIRECTO',
      next: 'A continuación',
      waiting: (count) => `${count} en la cola`,
      privacyCode: 'Código de cifrado de esta llamada',
      silenced: {
        serverMute: 'Un moderador me ha silenciado. La música seguirá cuando me quite el silencio.',
        suppressed:
          'Todavía no puedo hablar en este escenario. La música seguirá cuando un moderador me dé la palabra.',
        mayNotSpeak: 'Me falta el permiso «Hablar» en este canal. La música seguirá cuando lo tenga, o en otro canal.',
      },
      autoplay: {
        gaveUp: 'La reproducción automática no encuentra más pistas parecidas. Añade una con /play para seguir.',
        because: {
          similar: (name) => `Reproducción automática: parecida a ${name}`,
          artist: (name) => `Reproducción automática: más de ${name}`,
          genre: (name) => `Reproducción automática: más ${name}`,
          history: (name) => `Reproducción automática: aquí suele sonar después de ${name}`,
          favourite: 'Reproducción automática: favorita de alguno de vosotros',
          library: 'Reproducción automática: de la biblioteca',
        },
      },
    },
  },
  'pt-BR': {
    words: {
      playing: 'Tocando agora',
      paused: 'Pausada',
      requestedBy: (member) => `Pedida por ${member}`,
      library: 'Biblioteca',
      live: 'AO VIVO',
      next: 'A seguir',
      waiting: (count) => `${count} na fila`,
      privacyCode: 'Código de criptografia desta chamada',
      silenced: {
        serverMute: 'Um moderador me silenciou. A música volta quando ele me reativar.',
        suppressed: 'Ainda não posso falar neste palco. A música volta quando um moderador me der a palavra.',
        mayNotSpeak: 'Não tenho a permissão “Falar” neste canal. A música volta quando eu a tiver, ou em outro canal.',
      },
      autoplay: {
        gaveUp: 'A reprodução automática não encontra mais faixas parecidas. Adicione uma com /play para continuar.',
        because: {
          similar: (name) => `Reprodução automática: parecida com ${name}`,
          artist: (name) => `Reprodução automática: mais de ${name}`,
          genre: (name) => `Reprodução automática: mais ${name}`,
          history: (name) => `Reprodução automática: costuma tocar aqui depois de ${name}`,
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
      waiting: (count) => `残り ${count} 曲`,
      privacyCode: 'この通話の暗号化コード',
      silenced: {
        serverMute: 'モデレーターにミュートされています。解除されると再生を再開します。',
        suppressed: 'このステージではまだ発言できません。モデレーターが許可すると再生を再開します。',
        mayNotSpeak:
          'このチャンネルで「発言」の権限がありません。権限が付くか、別のチャンネルに移ると再生を再開します。',
      },
      autoplay: {
        gaveUp: '似た曲が見つからず、自動再生が止まりました。/play で曲を追加すると再開します。',
        because: {
          similar: (name) => `自動再生：${name} に似た曲`,
          artist: (name) => `自動再生：${name} の曲`,
          genre: (name) => `自動再生：${name} の曲`,
          history: (name) => `自動再生：${name} の後によく流れる曲`,
          favourite: '自動再生：メンバーのお気に入り',
          library: '自動再生：ライブラリから',
        },
      },
    },
  },
}
