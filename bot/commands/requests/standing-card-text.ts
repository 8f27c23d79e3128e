import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    idle: 'Nothing plays',
    how: 'Join a voice channel and press **Add** to ask for music.',
    write: 'You can also write a title or a link here.',
    queue: 'Queue',
    empty: 'Nothing waits.',
    others: (count: number) => `… and ${count} more`,
    trouble: (channel: string) =>
      `I cannot show the card in ${channel}: I need View Channel, Send Messages and Embed Links there.`,
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
      trouble: (channel) =>
        `Ich kann die Karte in ${channel} nicht zeigen: Mir fehlt dort „Kanal ansehen“, „Nachrichten senden“ oder „Links einbetten“.`,
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
      trouble: (channel) =>
        `Je ne peux pas afficher la carte dans ${channel} : il me faut « Voir le salon », « Envoyer des messages » et « Intégrer des liens ».`,
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
      trouble: (channel) =>
        `No puedo mostrar la tarjeta en ${channel}: necesito «Ver canal», «Enviar mensajes» e «Insertar enlaces».`,
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
      trouble: (channel) =>
        `Não consigo mostrar o cartão em ${channel}: preciso de “Ver canal”, “Enviar mensagens” e “Inserir links”.`,
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
      trouble: (channel) =>
        `${channel} にカードを表示できません。「チャンネルを見る」「メッセージを送信」「埋め込みリンク」の権限が必要です。`,
    },
  },
}
