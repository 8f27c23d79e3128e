import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    autoplay: ['autoplay', 'Play similar tracks when the queue runs out', { on: ['on', 'Whether to'] }],
  } as const satisfies Labels,
  words: {
    on: 'Autoplay is on: similar tracks follow when the queue runs out.',
    off: 'Autoplay is off.',
  },
}

type AutoplayText = Widened<typeof en>

const de: AutoplayText = {
  labels: {
    autoplay: ['autoplay', 'Spielt Ähnliches, wenn die Warteschlange leer ist', { on: ['an', 'Ob es das tun soll'] }],
  },
  words: {
    on: 'Autoplay ist an: Ähnliches folgt, wenn die Warteschlange leer ist.',
    off: 'Autoplay ist aus.',
  },
}

const fr: AutoplayText = {
  labels: {
    autoplay: ['auto', 'Joue des titres proches quand la file est vide', { on: ['actif', 'S’il faut le faire'] }],
  },
  words: {
    on: 'Lecture automatique activée : des titres proches suivent quand la file est vide.',
    off: 'Lecture automatique désactivée.',
  },
}

const es: AutoplayText = {
  labels: {
    autoplay: ['auto', 'Pone pistas parecidas cuando la cola se acaba', { on: ['activo', 'Si debe hacerlo'] }],
  },
  words: {
    on: 'Reproducción automática activada: siguen pistas parecidas cuando la cola se acaba.',
    off: 'Reproducción automática desactivada.',
  },
}

const pt: AutoplayText = {
  labels: {
    autoplay: ['auto', 'Toca faixas parecidas quando a fila acaba', { on: ['ativo', 'Se deve fazer isso'] }],
  },
  words: {
    on: 'Reprodução automática ligada: faixas parecidas seguem quando a fila acaba.',
    off: 'Reprodução automática desligada.',
  },
}

const ja: AutoplayText = {
  labels: {
    autoplay: ['自動再生', 'キューが終わったら似た曲を流します', { on: ['オン', '流すかどうか'] }],
  },
  words: {
    on: '自動再生：オン。キューが終わると似た曲が続きます。',
    off: '自動再生：オフ',
  },
}

/** Texts of `/autoplay`. */
export const autoplayText: Localised<AutoplayText> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }
