import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    autoplay: ['autoplay', 'Play similar tracks when the queue ends', { on: ['on', 'On or off'] }],
  } as const satisfies Labels,
  words: {
    on: 'Autoplay is on: similar tracks follow when the queue ends.',
    off: 'Autoplay is off.',
  },
}

type AutoplayText = Widened<typeof en>

const de: AutoplayText = {
  labels: {
    autoplay: ['autoplay', 'Spielt ähnliche Titel, wenn die Warteschlange leer ist', { on: ['an', 'An oder aus'] }],
  },
  words: {
    on: 'Autoplay ist an: Ähnliche Titel folgen, wenn die Warteschlange leer ist.',
    off: 'Autoplay ist aus.',
  },
}

const fr: AutoplayText = {
  labels: {
    autoplay: ['auto', 'Lit des titres similaires quand la file est vide', { on: ['actif', 'Oui ou non'] }],
  },
  words: {
    on: 'Lecture automatique activée : des titres similaires suivent quand la file est vide.',
    off: 'Lecture automatique désactivée.',
  },
}

const es: AutoplayText = {
  labels: {
    autoplay: ['auto', 'Pone pistas parecidas cuando se acaba la cola', { on: ['activo', 'Sí o no'] }],
  },
  words: {
    on: 'Reproducción automática activada: sonarán pistas parecidas cuando se acabe la cola.',
    off: 'Reproducción automática desactivada.',
  },
}

const pt: AutoplayText = {
  labels: {
    autoplay: ['auto', 'Toca faixas parecidas quando a fila acaba', { on: ['ativo', 'Sim ou não'] }],
  },
  words: {
    on: 'Reprodução automática ligada: faixas parecidas tocam quando a fila acaba.',
    off: 'Reprodução automática desligada.',
  },
}

const ja: AutoplayText = {
  labels: {
    autoplay: ['自動再生', 'キューが終わったら似た曲を流します', { on: ['オン', 'オンまたはオフ'] }],
  },
  words: {
    on: '自動再生：オン。キューが終わると似た曲が続きます。',
    off: '自動再生：オフ',
  },
}

/** Texts of `/autoplay`. */
export const autoplayText: Localised<AutoplayText> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }
