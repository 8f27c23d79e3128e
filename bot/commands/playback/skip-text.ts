import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    skip: ['skip', 'Skip the current track, with a vote if others are listening'],
    previous: ['previous', 'Go back to the previous track'],
  } as const satisfies Labels,
  words: {
    skipped: (next: string) => `Skipped. Now playing ${next}`,
    skippedLast: 'Skipped. The queue is empty.',
    back: (track: string) => `Back to ${track}`,
  },
}

/** Texts of `/skip` and `/previous`. */
export const skipText: Localised<Widened<typeof en>> = {
  en,
  de: {
    labels: {
      skip: ['überspringen', 'Überspringt den Titel, per Abstimmung, wenn andere mithören'],
      previous: ['zurück', 'Geht zum vorigen Titel zurück'],
    },
    words: {
      skipped: (next) => `Übersprungen. Jetzt läuft ${next}`,
      skippedLast: 'Übersprungen. Die Warteschlange ist leer.',
      back: (track) => `Zurück zu ${track}`,
    },
  },
  fr: {
    labels: {
      skip: ['passer', 'Passe le titre en cours, par vote si d’autres écoutent'],
      previous: ['précédent', 'Revient au titre précédent'],
    },
    words: {
      skipped: (next) => `Titre passé. En cours : ${next}`,
      skippedLast: 'Titre passé. La file est vide.',
      back: (track) => `Retour à ${track}`,
    },
  },
  'es-ES': {
    labels: {
      skip: ['saltar', 'Salta la pista, por votación si hay más gente escuchando'],
      previous: ['anterior', 'Vuelve a la pista anterior'],
    },
    words: {
      skipped: (next) => `Saltada. Ahora suena ${next}`,
      skippedLast: 'Saltada. La cola está vacía.',
      back: (track) => `De vuelta a ${track}`,
    },
  },
  'pt-BR': {
    labels: {
      skip: ['pular', 'Pula a faixa, por votação se houver mais gente ouvindo'],
      previous: ['anterior', 'Volta para a faixa anterior'],
    },
    words: {
      skipped: (next) => `Pulada. Tocando agora: ${next}`,
      skippedLast: 'Pulada. A fila está vazia.',
      back: (track) => `De volta a ${track}`,
    },
  },
  ja: {
    labels: {
      skip: ['スキップ', '今の曲をスキップします（他に聞いている人がいれば投票）'],
      previous: ['前の曲', '前の曲に戻ります'],
    },
    words: {
      skipped: (next) => `スキップしました。再生中：${next}`,
      skippedLast: 'スキップしました。キューは空です。',
      back: (track) => `${track} に戻りました`,
    },
  },
}
