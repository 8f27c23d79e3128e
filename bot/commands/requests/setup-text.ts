import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'setup',
    'Set up a channel for music requests',
    {
      channel: ['channel', 'An existing channel; default: a new one'],
      off: ['off', 'Stop using the request channel'],
    },
  ] as const satisfies Label,
  words: {
    name: 'music-requests',
    topic: 'Press Add on the card to request music.',
    ready: (channel: string) => `${channel} is now the request channel. The card stays there.`,
    reads: 'Members can also type song names and links there. I delete these messages.',
    buttons:
      'Members press **Add** on the card. To let them type songs there, the bot’s owner enables “Message Content Intent” in Discord’s developer portal and restarts the bot.',
    cannotTidy: 'I cannot delete messages there. I need the permission Manage Messages.',
    over: (channel: string) => `${channel} is no longer the request channel. I did not delete it.`,
    none: 'There is no request channel. Create one with /setup.',
    mayNotMake:
      'I cannot create a channel. I need Manage Channels, View Channels, Send Messages and Embed Links. Or choose an existing channel: /setup channel.',
    notMade: 'Discord did not let me create a channel. Choose an existing one: /setup channel.',
    taken: (bot: string) => `${bot} already uses this channel. Choose another one.`,
  },
}

/** Texts of `/setup`. */
export const setupText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'einrichten',
      'Richtet einen Kanal für Musikwünsche ein',
      {
        channel: ['kanal', 'Ein vorhandener Kanal; sonst ein neuer'],
        off: ['aus', 'Beendet den Wunschkanal'],
      },
    ],
    words: {
      name: 'musikwünsche',
      topic: 'Drück auf der Karte auf „Hinzufügen“, um dir Musik zu wünschen.',
      ready: (channel) => `${channel} ist jetzt der Wunschkanal. Die Karte bleibt dort.`,
      reads: 'Mitglieder können dort auch Titel und Links schreiben. Ich lösche diese Nachrichten.',
      buttons:
        'Mitglieder drücken auf der Karte auf **Hinzufügen**. Damit sie dort auch schreiben können, schaltet der Besitzer des Bots im Entwicklerportal von Discord „Message Content Intent“ ein und startet ihn neu.',
      cannotTidy: 'Ich kann dort keine Nachrichten löschen. Mir fehlt „Nachrichten verwalten“.',
      over: (channel) => `${channel} ist kein Wunschkanal mehr. Den Kanal habe ich nicht gelöscht.`,
      none: 'Es gibt keinen Wunschkanal. Lege mit /einrichten einen an.',
      mayNotMake:
        'Ich kann keinen Kanal anlegen. Ich brauche „Kanäle verwalten“, „Kanäle ansehen“, „Nachrichten senden“ und „Links einbetten“. Oder wähle einen vorhandenen: /einrichten kanal.',
      notMade: 'Discord lässt mich keinen Kanal anlegen. Wähle einen vorhandenen: /einrichten kanal.',
      taken: (bot) => `${bot} nutzt diesen Kanal schon. Wähle einen anderen.`,
    },
  },
  fr: {
    label: [
      'configurer',
      'Configure un salon pour les demandes de musique',
      {
        channel: ['salon', 'Un salon existant ; sinon un nouveau'],
        off: ['arrêt', 'Désactive le salon de demandes'],
      },
    ],
    words: {
      name: 'demandes-musique',
      topic: 'Appuie sur « Ajouter » sur la carte pour demander de la musique.',
      ready: (channel) => `${channel} est maintenant le salon de demandes. La carte y reste.`,
      reads: 'Les membres peuvent aussi y écrire des titres et des liens. J’efface ces messages.',
      buttons:
        'Les membres appuient sur **Ajouter** sur la carte. Pour qu’ils puissent aussi y écrire des titres, le propriétaire du bot active « Message Content Intent » dans le portail développeur de Discord et redémarre le bot.',
      cannotTidy: 'Je ne peux pas y effacer de messages. Il me faut « Gérer les messages ».',
      over: (channel) => `${channel} n’est plus le salon de demandes. Je ne l’ai pas supprimé.`,
      none: 'Il n’y a pas de salon de demandes. Crée-en un avec /configurer.',
      mayNotMake:
        'Je ne peux pas créer de salon. Il me faut « Gérer les salons », « Voir les salons », « Envoyer des messages » et « Intégrer des liens ». Ou choisis un salon existant : /configurer salon.',
      notMade: 'Discord ne me laisse pas créer de salon. Choisis-en un qui existe : /configurer salon.',
      taken: (bot) => `${bot} utilise déjà ce salon. Choisis-en un autre.`,
    },
  },
  'es-ES': {
    label: [
      'configurar',
      'Configura un canal para pedir música',
      {
        channel: ['canal', 'Un canal existente; si no, uno nuevo'],
        off: ['quitar', 'Deja de usar el canal de peticiones'],
      },
    ],
    words: {
      name: 'peticiones-de-música',
      topic: 'Pulsa «Añadir» en la tarjeta para pedir música.',
      ready: (channel) => `${channel} es ahora el canal de peticiones. La tarjeta se queda ahí.`,
      reads: 'Los miembros también pueden escribir ahí títulos y enlaces. Borro esos mensajes.',
      buttons:
        'Los miembros pulsan **Añadir** en la tarjeta. Para que también puedan escribir ahí, el dueño del bot activa «Message Content Intent» en el portal de desarrolladores de Discord y lo reinicia.',
      cannotTidy: 'No puedo borrar mensajes ahí. Necesito «Gestionar mensajes».',
      over: (channel) => `${channel} ya no es el canal de peticiones. No lo he borrado.`,
      none: 'No hay canal de peticiones. Crea uno con /configurar.',
      mayNotMake:
        'No puedo crear un canal. Necesito «Gestionar canales», «Ver canales», «Enviar mensajes» e «Insertar enlaces». O elige uno que ya exista: /configurar canal.',
      notMade: 'Discord no me deja crear un canal. Elige uno que ya exista: /configurar canal.',
      taken: (bot) => `${bot} ya usa este canal. Elige otro.`,
    },
  },
  'pt-BR': {
    label: [
      'configurar',
      'Configura um canal para pedidos de música',
      {
        channel: ['canal', 'Um canal existente; senão, um novo'],
        off: ['desligar', 'Desativa o canal de pedidos'],
      },
    ],
    words: {
      name: 'pedidos-de-música',
      topic: 'Aperte “Adicionar” no cartão para pedir música.',
      ready: (channel) => `${channel} agora é o canal de pedidos. O cartão fica lá.`,
      reads: 'Os membros também podem escrever títulos e links lá. Eu apago essas mensagens.',
      buttons:
        'Os membros apertam **Adicionar** no cartão. Para que também possam escrever lá, o dono do bot ativa “Message Content Intent” no portal de desenvolvedores do Discord e reinicia o bot.',
      cannotTidy: 'Não consigo apagar mensagens lá. Preciso de “Gerenciar mensagens”.',
      over: (channel) => `${channel} não é mais o canal de pedidos. Eu não o apaguei.`,
      none: 'Não há canal de pedidos. Crie um com /configurar.',
      mayNotMake:
        'Não consigo criar um canal. Preciso de “Gerenciar canais”, “Ver canais”, “Enviar mensagens” e “Inserir links”. Ou escolha um que já existe: /configurar canal.',
      notMade: 'O Discord não me deixa criar um canal. Escolha um que já existe: /configurar canal.',
      taken: (bot) => `${bot} já usa este canal. Escolha outro.`,
    },
  },
  ja: {
    label: [
      'セットアップ',
      '曲のリクエスト用チャンネルを設定します',
      {
        channel: ['チャンネル', '既存のチャンネル。省略すると新規作成'],
        off: ['解除', 'リクエスト用チャンネルを解除します'],
      },
    ],
    words: {
      name: '曲リクエスト',
      topic: 'カードの「追加」を押して、曲をリクエストできます。',
      ready: (channel) => `${channel} をリクエスト用チャンネルに設定しました。カードはそこに表示されます。`,
      reads: '曲名やリンクを書き込んでもリクエストできます。書き込みは自動で削除します。',
      buttons:
        'カードの **追加** でリクエストできます。書き込みでもリクエストできるようにするには、ボットの所有者が Discord の開発者ポータルで「Message Content Intent」を有効にして再起動します。',
      cannotTidy: 'そこではメッセージを削除できません。「メッセージの管理」の権限が必要です。',
      over: (channel) => `${channel} はリクエスト用チャンネルではなくなりました。チャンネルは削除していません。`,
      none: 'リクエスト用チャンネルはありません。/セットアップ で作れます。',
      mayNotMake:
        'チャンネルを作れません。「チャンネルの管理」「チャンネルを見る」「メッセージを送信」「埋め込みリンク」の権限が必要です。または既存のチャンネルを選んでください：/セットアップ チャンネル',
      notMade: 'Discord でチャンネルを作れませんでした。既存のチャンネルを選んでください：/セットアップ チャンネル',
      taken: (bot) => `このチャンネルはすでに ${bot} が使っています。別のチャンネルを選んでください。`,
    },
  },
}
