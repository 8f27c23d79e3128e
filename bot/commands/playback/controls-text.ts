import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    pause: ['pause', 'Pause the music'],
    resume: ['resume', 'Resume the music'],
    volume: ['volume', 'Set the volume', { percent: ['percent', 'Default: 100'] }],
    mute: ['mute', 'Mute the music'],
    unmute: ['unmute', 'Unmute the music'],
    seek: ['seek', 'Jump to a position in the track', { time: ['time', 'For example 1:23'] }],
    stop: ['stop', 'Stop the music and leave the channel'],
  } as const satisfies Labels,
  words: {
    paused: 'Paused.',
    resumed: 'Resumed.',
    stopped: 'Stopped. See you next time!',
    muted: 'Muted. The music continues silently.',
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
      pause: ['pause', 'Pausiert die Musik'],
      resume: ['weiter', 'Setzt die Musik fort'],
      volume: ['lautstärke', 'Stellt die Lautstärke ein', { percent: ['prozent', 'Standard: 100'] }],
      mute: ['stumm', 'Schaltet die Musik stumm'],
      unmute: ['laut', 'Schaltet den Ton wieder ein'],
      seek: ['springen', 'Springt an eine Stelle im Titel', { time: ['zeit', 'Zum Beispiel 1:23'] }],
      stop: ['stopp', 'Beendet die Musik und verlässt den Kanal'],
    },
    words: {
      paused: 'Pausiert.',
      resumed: 'Weiter geht’s.',
      stopped: 'Beendet. Bis zum nächsten Mal!',
      muted: 'Stumm. Die Musik läuft lautlos weiter.',
      unmuted: 'Ton ist wieder an.',
      volume: (percent) => `Lautstärke: ${percent} %`,
      seeked: (position) => `Springe zu ${position}.`,
    },
  },
  fr: {
    labels: {
      pause: ['pause', 'Met la musique en pause'],
      resume: ['reprendre', 'Reprend la musique'],
      volume: ['volume', 'Règle le volume', { percent: ['pourcentage', '100 par défaut'] }],
      mute: ['muet', 'Coupe le son'],
      unmute: ['son', 'Rétablit le son'],
      seek: ['aller', 'Va à un moment du titre', { time: ['temps', 'Par exemple 1:23'] }],
      stop: ['arrêter', 'Arrête la musique et quitte le salon'],
    },
    words: {
      paused: 'En pause.',
      resumed: 'La lecture reprend.',
      stopped: 'Arrêté. À la prochaine !',
      muted: 'Son coupé. La musique continue en silence.',
      unmuted: 'Son rétabli.',
      volume: (percent) => `Volume : ${percent} %`,
      seeked: (position) => `Position : ${position}.`,
    },
  },
  'es-ES': {
    labels: {
      pause: ['pausa', 'Pone la música en pausa'],
      resume: ['seguir', 'Reanuda la música'],
      volume: ['volumen', 'Ajusta el volumen', { percent: ['porcentaje', '100 por defecto'] }],
      mute: ['silenciar', 'Silencia la música'],
      unmute: ['oír', 'Vuelve a activar el sonido'],
      seek: ['ir', 'Salta a un punto de la pista', { time: ['tiempo', 'Por ejemplo 1:23'] }],
      stop: ['parar', 'Para la música y sale del canal'],
    },
    words: {
      paused: 'En pausa.',
      resumed: 'Reanudado.',
      stopped: 'Detenido. ¡Hasta la próxima!',
      muted: 'Silenciado. La música sigue sin sonido.',
      unmuted: 'Sonido activado.',
      volume: (percent) => `Volumen: ${percent} %`,
      seeked: (position) => `Posición: ${position}.`,
    },
  },
  'pt-BR': {
    labels: {
      pause: ['pausar', 'Pausa a música'],
      resume: ['continuar', 'Continua a música'],
      volume: ['volume', 'Ajusta o volume', { percent: ['porcentagem', 'Padrão: 100'] }],
      mute: ['silenciar', 'Silencia a música'],
      unmute: ['ouvir', 'Reativa o som'],
      seek: ['ir', 'Pula para um ponto da faixa', { time: ['tempo', 'Por exemplo 1:23'] }],
      stop: ['parar', 'Para a música e sai do canal'],
    },
    words: {
      paused: 'Pausado.',
      resumed: 'Retomado.',
      stopped: 'Parado. Até a próxima!',
      muted: 'Silenciado. A música continua sem som.',
      unmuted: 'Som reativado.',
      volume: (percent) => `Volume: ${percent} %`,
      seeked: (position) => `Posição: ${position}.`,
    },
  },
  ja: {
    labels: {
      pause: ['一時停止', '音楽を一時停止します'],
      resume: ['再開', '音楽を再開します'],
      volume: ['音量', '音量を変えます', { percent: ['パーセント', '標準は 100'] }],
      mute: ['ミュート', '音をミュートします'],
      unmute: ['ミュート解除', 'ミュートを解除します'],
      seek: ['移動', '曲の再生位置を変えます', { time: ['時間', '例：1:23'] }],
      stop: ['停止', '音楽を止めてチャンネルから退出します'],
    },
    words: {
      paused: '一時停止しました。',
      resumed: '再開しました。',
      stopped: '停止しました。またどうぞ！',
      muted: 'ミュートしました。再生は無音で続きます。',
      unmuted: 'ミュートを解除しました。',
      volume: (percent) => `音量：${percent} %`,
      seeked: (position) => `${position} に移動しました。`,
    },
  },
}
