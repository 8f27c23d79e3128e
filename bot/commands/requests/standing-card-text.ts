import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    idle: 'Nothing is playing',
    how: 'Join a voice channel and press **Add** to request music.',
    write: 'You can also type a song name or link here.',
    queue: 'Queue',
    empty: 'The queue is empty.',
    others: (count: number) => `… and ${count} more`,
    trouble: (channel: string) =>
      `I cannot show the card in ${channel}. I need View Channel, Send Messages and Embed Links there.`,
  },
}

/** Texts of the card that stands in a request channel. */
export const standingCardText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      idle: 'Es läuft nichts',
      how: 'Komm in einen Sprachkanal und drück auf **Hinzufügen**, um dir Musik zu wünschen.',
      write: 'Du kannst auch einen Titel oder Link hier schreiben.',
      queue: 'Warteschlange',
      empty: 'Die Warteschlange ist leer.',
      others: (count) => `… und ${count} weitere`,
      trouble: (channel) =>
        `Ich kann die Karte in ${channel} nicht zeigen. Ich brauche dort „Kanal ansehen“, „Nachrichten senden“ und „Links einbetten“.`,
    },
  },
  fr: {
    words: {
      idle: 'Aucune lecture en cours',
      how: 'Rejoins un salon vocal et appuie sur **Ajouter** pour demander de la musique.',
      write: 'Tu peux aussi écrire ici un titre ou un lien.',
      queue: 'File d’attente',
      empty: 'La file est vide.',
      others: (count) => `… et ${count} de plus`,
      trouble: (channel) =>
        `Je ne peux pas afficher la carte dans ${channel}. Il me faut « Voir le salon », « Envoyer des messages » et « Intégrer des liens ».`,
    },
  },
  'es-ES': {
    words: {
      idle: 'No suena nada',
      how: 'Entra en un canal de voz y pulsa **Añadir** para pedir música.',
      write: 'También puedes escribir aquí un título o un enlace.',
      queue: 'Cola',
      empty: 'La cola está vacía.',
      others: (count) => `… y ${count} más`,
      trouble: (channel) =>
        `No puedo mostrar la tarjeta en ${channel}. Necesito «Ver canal», «Enviar mensajes» e «Insertar enlaces».`,
    },
  },
  'pt-BR': {
    words: {
      idle: 'Nada está tocando',
      how: 'Entre em um canal de voz e aperte **Adicionar** para pedir música.',
      write: 'Você também pode escrever um título ou um link aqui.',
      queue: 'Fila',
      empty: 'A fila está vazia.',
      others: (count) => `… e mais ${count}`,
      trouble: (channel) =>
        `Não consigo mostrar o cartão em ${channel}. Preciso de “Ver canal”, “Enviar mensagens” e “Inserir links”.`,
    },
  },
  ja: {
    words: {
      idle: '何も再生していません',
      how: 'ボイスチャンネルに参加して **追加** を押すと、曲をリクエストできます。',
      write: 'ここに曲名やリンクを書き込んでもリクエストできます。',
      queue: 'キュー',
      empty: 'キューは空です。',
      others: (count) => `… ほか ${count} 曲`,
      trouble: (channel) =>
        `${channel} にカードを表示できません。「チャンネルを見る」「メッセージを送信」「埋め込みリンク」の権限が必要です。`,
    },
  },
}
