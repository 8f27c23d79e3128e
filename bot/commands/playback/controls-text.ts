import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    pause: ['pause', 'Pause the music'],
    resume: ['resume', 'Resume the music'],
    volume: ['volume', 'Set the volume', { percent: ['percent', '100 is unchanged'] }],
    mute: ['mute', 'Play on silently'],
    unmute: ['unmute', 'Make the music heard again'],
    seek: ['seek', 'Jump within the track', { time: ['time', 'Like 1:23'] }],
    stop: ['stop', 'Stop the music and leave the channel'],
  } as const satisfies Labels,
  words: {
    paused: 'Paused.',
    resumed: 'Resumed.',
    stopped: 'Stopped. See you next time!',
    muted: 'Muted. The music plays on silently.',
    unmuted: 'Unmuted.',
    volume: (percent: number) => `Volume: ${percent} %`,
    seeked: (position: string) => `Jumped to ${position}.`,
  },
}

/** Texts of the commands that control the player. */
export const controlText: Localised<Widened<typeof en>> = {
  en,
  de: {
    labels: {
      pause: ['pause', 'Hält die Musik an'],
      resume: ['weiter', 'Lässt die Musik weiterlaufen'],
      volume: ['lautstärke', 'Stellt die Lautstärke ein', { percent: ['prozent', '100 ist unverändert'] }],
      mute: ['stumm', 'Spielt lautlos weiter'],
      unmute: ['laut', 'Macht die Musik wieder hörbar'],
      seek: ['springen', 'Springt im Titel', { time: ['zeit', 'Etwa 1:23'] }],
      stop: ['stopp', 'Beendet die Musik und verlässt den Kanal'],
    },
    words: {
      paused: 'Angehalten.',
      resumed: 'Weiter geht’s.',
      stopped: 'Beendet. Bis zum nächsten Mal!',
      muted: 'Stumm. Die Musik läuft lautlos weiter.',
      unmuted: 'Wieder zu hören.',
      volume: (percent) => `Lautstärke: ${percent} %`,
      seeked: (position) => `Zu ${position} gesprungen.`,
    },
  },
  fr: {
    labels: {
      pause: ['pause', 'Met la musique en pause'],
      resume: ['reprendre', 'Reprend la musique'],
      volume: ['volume', 'Règle le volume', { percent: ['pourcentage', '100 ne change rien'] }],
      mute: ['muet', 'Continue en silence'],
      unmute: ['son', 'Rétablit le son'],
      seek: ['aller', 'Se déplace dans le titre', { time: ['temps', 'Par exemple 1:23'] }],
      stop: ['arrêter', 'Arrête la musique et quitte le salon'],
    },
    words: {
      paused: 'En pause.',
      resumed: 'La lecture reprend.',
      stopped: 'Arrêté. À la prochaine !',
      muted: 'Son coupé. La musique continue en silence.',
      unmuted: 'Son rétabli.',
      volume: (percent) => `Volume : ${percent} %`,
      seeked: (position) => `Avancé à ${position}.`,
    },
  },
  'es-ES': {
    labels: {
      pause: ['pausa', 'Pone la música en pausa'],
      resume: ['seguir', 'Sigue con la música'],
      volume: ['volumen', 'Ajusta el volumen', { percent: ['porcentaje', '100 lo deja igual'] }],
      mute: ['silenciar', 'Sigue sonando en silencio'],
      unmute: ['oír', 'Hace que se oiga de nuevo'],
      seek: ['ir', 'Salta dentro de la pista', { time: ['tiempo', 'Por ejemplo 1:23'] }],
      stop: ['parar', 'Para la música y sale del canal'],
    },
    words: {
      paused: 'En pausa.',
      resumed: 'Sigue sonando.',
      stopped: 'Detenido. ¡Hasta la próxima!',
      muted: 'Silenciado. La música sigue sin oírse.',
      unmuted: 'Se oye de nuevo.',
      volume: (percent) => `Volumen: ${percent} %`,
      seeked: (position) => `Saltado a ${position}.`,
    },
  },
  'pt-BR': {
    labels: {
      pause: ['pausar', 'Pausa a música'],
      resume: ['continuar', 'Continua a música'],
      volume: ['volume', 'Ajusta o volume', { percent: ['porcentagem', '100 não muda nada'] }],
      mute: ['silenciar', 'Continua em silêncio'],
      unmute: ['ouvir', 'Faz a música ser ouvida de novo'],
      seek: ['ir', 'Pula dentro da faixa', { time: ['tempo', 'Por exemplo 1:23'] }],
      stop: ['parar', 'Para a música e sai do canal'],
    },
    words: {
      paused: 'Pausado.',
      resumed: 'Tocando de novo.',
      stopped: 'Parado. Até a próxima!',
      muted: 'Sem som. A música continua em silêncio.',
      unmuted: 'Com som de novo.',
      volume: (percent) => `Volume: ${percent} %`,
      seeked: (position) => `Pulou para ${position}.`,
    },
  },
  ja: {
    labels: {
      pause: ['一時停止', '音楽を一時停止します'],
      resume: ['再開', '音楽を再開します'],
      volume: ['音量', '音量を変えます', { percent: ['パーセント', '100 が元の音量です'] }],
      mute: ['ミュート', '無音のまま再生を続けます'],
      unmute: ['ミュート解除', '音が聞こえるようにします'],
      seek: ['移動', '曲の中で位置を移動します', { time: ['時間', '例：1:23'] }],
      stop: ['停止', '音楽を止めてチャンネルから退出します'],
    },
    words: {
      paused: '一時停止しました。',
      resumed: '再開しました。',
      stopped: '停止しました。またどうぞ！',
      muted: 'ミュートしました。音楽は無音のまま進みます。',
      unmuted: 'ミュートを解除しました。',
      volume: (percent) => `音量：${percent} %`,
      seeked: (position) => `${position} に移動しました。`,
    },
  },
}
