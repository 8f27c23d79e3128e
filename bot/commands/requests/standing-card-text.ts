import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    idle: 'Nothing plays',
    how: 'Join a voice channel and press **Add** to ask for music.',
    write: 'You can also write a title or a link here.',
    queue: 'Queue',
    empty: 'Nothing waits.',
    others: (count: number) => `… and ${count} more`,
  },
}

/** Texts of the card that stands in a request channel. */
export const standingCardText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      idle: 'Es läuft nichts',
      how: 'Komm in einen Sprachkanal und drück auf **Hinzufügen**, um dir Musik zu wünschen.',
      write: 'Du kannst auch einfach einen Titel oder Link hier hineinschreiben.',
      queue: 'Warteschlange',
      empty: 'Nichts wartet.',
      others: (count) => `… und ${count} weitere`,
    },
  },
  fr: {
    words: {
      idle: 'Rien n’est en cours',
      how: 'Rejoins un salon vocal et appuie sur **Ajouter** pour demander de la musique.',
      write: 'Tu peux aussi écrire ici un titre ou un lien.',
      queue: 'File d’attente',
      empty: 'Rien n’attend.',
      others: (count) => `… et ${count} de plus`,
    },
  },
  'es-ES': {
    words: {
      idle: 'No suena nada',
      how: 'Entra en un canal de voz y pulsa **Añadir** para pedir música.',
      write: 'También puedes escribir aquí un título o un enlace.',
      queue: 'Cola',
      empty: 'No hay nada en espera.',
      others: (count) => `… y ${count} más`,
    },
  },
  'pt-BR': {
    words: {
      idle: 'Nada está tocando',
      how: 'Entre em um canal de voz e aperte **Adicionar** para pedir música.',
      write: 'Você também pode escrever um título ou um link aqui.',
      queue: 'Fila',
      empty: 'Nada na fila.',
      others: (count) => `… e mais ${count}`,
    },
  },
  ja: {
    words: {
      idle: '何も再生していません',
      how: 'ボイスチャンネルに参加して **追加** を押すと、曲をリクエストできます。',
      write: 'ここに曲名やリンクを書き込んでもリクエストできます。',
      queue: 'キュー',
      empty: '待機中の曲はありません。',
      others: (count) => `… ほか ${count} 曲`,
    },
  },
}
