import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'setup',
    'Make or take a channel for music requests',
    {
      channel: ['channel', 'A channel that is there already; without it I make one'],
      off: ['off', 'Give the request channel up again'],
    },
  ] as const satisfies Label,
  words: {
    name: 'music-requests',
    topic: 'Ask for music here: press Add on the card.',
    ready: (channel: string) => `${channel} is the request channel now. The card stands there.`,
    reads: 'Titles and links that are written there are requests, too, and are tidied away.',
    buttons:
      'Members ask with **Add** on the card. Where the bot’s owner switches on “Message Content Intent” in Discord’s developer portal and the bot is restarted, what is written there is a request, too.',
    cannotTidy: 'I may not tidy up there: I need the permission Manage Messages.',
    over: (channel: string) => `${channel} is no request channel any more. The channel itself stays.`,
    none: 'There is no request channel. /setup makes one.',
    mayNotMake:
      'I may not make a channel: I need the permissions Manage Channels, View Channels, Send Messages and Embed Links. Or choose a channel that is there: /setup channel.',
    notMade: 'Discord did not let me make a channel. Choose one that is there: /setup channel.',
    taken: (bot: string) => `${bot} has this channel already. Choose another one.`,
  },
}

/** Texts of `/setup`. */
export const setupText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'einrichten',
      'Macht oder nimmt einen Kanal für Musikwünsche',
      {
        channel: ['kanal', 'Ein Kanal, den es schon gibt; ohne ihn lege ich einen an'],
        off: ['aus', 'Gibt den Wunschkanal wieder auf'],
      },
    ],
    words: {
      name: 'musikwünsche',
      topic: 'Wünsch dir hier Musik: Drück auf der Karte auf „Hinzufügen“.',
      ready: (channel) => `${channel} ist jetzt der Wunschkanal. Dort steht die Karte.`,
      reads: 'Auch Titel und Links, die dort geschrieben werden, sind Wünsche und werden weggeräumt.',
      buttons:
        'Mitglieder wünschen mit **Hinzufügen** auf der Karte. Schaltet der Besitzer des Bots im Entwicklerportal von Discord „Message Content Intent“ ein und startet den Bot neu, ist auch ein Wunsch, was dort geschrieben wird.',
      cannotTidy: 'Ich darf dort nicht aufräumen: Mir fehlt das Recht „Nachrichten verwalten“.',
      over: (channel) => `${channel} ist kein Wunschkanal mehr. Der Kanal selbst bleibt.`,
      none: 'Es gibt keinen Wunschkanal. /einrichten legt einen an.',
      mayNotMake:
        'Ich darf keinen Kanal anlegen: Dazu brauche ich „Kanäle verwalten“, „Kanäle ansehen“, „Nachrichten senden“ und „Links einbetten“. Oder wähle einen vorhandenen: /einrichten kanal.',
      notMade: 'Discord lässt mich keinen Kanal anlegen. Wähle einen vorhandenen: /einrichten kanal.',
      taken: (bot) => `${bot} hat diesen Kanal schon. Wähle einen anderen.`,
    },
  },
  fr: {
    label: [
      'configurer',
      'Crée ou prend un salon pour les demandes de musique',
      {
        channel: ['salon', 'Un salon existant ; sans cela j’en crée un'],
        off: ['arrêt', 'Abandonne le salon de demandes'],
      },
    ],
    words: {
      name: 'demandes-musique',
      topic: 'Demande de la musique ici : appuie sur « Ajouter » sur la carte.',
      ready: (channel) => `${channel} est maintenant le salon de demandes. La carte s’y trouve.`,
      reads: 'Les titres et les liens écrits là-bas sont aussi des demandes, et sont effacés ensuite.',
      buttons:
        'Les membres demandent avec **Ajouter** sur la carte. Si le propriétaire du bot active « Message Content Intent » dans le portail développeur de Discord et redémarre le bot, ce qui y est écrit devient aussi une demande.',
      cannotTidy: 'Je ne peux pas ranger là-bas : il me faut la permission « Gérer les messages ».',
      over: (channel) => `${channel} n’est plus le salon de demandes. Le salon lui-même reste.`,
      none: 'Il n’y a pas de salon de demandes. /configurer en crée un.',
      mayNotMake:
        'Je ne peux pas créer de salon : il me faut « Gérer les salons », « Voir les salons », « Envoyer des messages » et « Intégrer des liens ». Ou choisis un salon existant : /configurer salon.',
      notMade: 'Discord ne me laisse pas créer de salon. Choisis-en un qui existe : /configurer salon.',
      taken: (bot) => `${bot} a déjà ce salon. Choisis-en un autre.`,
    },
  },
  'es-ES': {
    label: [
      'configurar',
      'Crea o toma un canal para pedir música',
      {
        channel: ['canal', 'Un canal que ya existe; si no, creo uno'],
        off: ['quitar', 'Deja de usar el canal de peticiones'],
      },
    ],
    words: {
      name: 'peticiones-de-música',
      topic: 'Pide música aquí: pulsa «Añadir» en la tarjeta.',
      ready: (channel) => `${channel} es ahora el canal de peticiones. La tarjeta está ahí.`,
      reads: 'Los títulos y enlaces que se escriban ahí también son peticiones, y luego se borran.',
      buttons:
        'Los miembros piden con **Añadir** en la tarjeta. Si el dueño del bot activa «Message Content Intent» en el portal de desarrolladores de Discord y lo reinicia, lo que se escriba ahí también será una petición.',
      cannotTidy: 'No puedo ordenar ahí: necesito el permiso «Gestionar mensajes».',
      over: (channel) => `${channel} ya no es el canal de peticiones. El canal en sí se queda.`,
      none: 'No hay canal de peticiones. /configurar crea uno.',
      mayNotMake:
        'No puedo crear un canal: necesito «Gestionar canales», «Ver canales», «Enviar mensajes» e «Insertar enlaces». O elige uno que ya exista: /configurar canal.',
      notMade: 'Discord no me deja crear un canal. Elige uno que ya exista: /configurar canal.',
      taken: (bot) => `${bot} ya tiene este canal. Elige otro.`,
    },
  },
  'pt-BR': {
    label: [
      'configurar',
      'Cria ou assume um canal para pedidos de música',
      {
        channel: ['canal', 'Um canal que já existe; sem ele eu crio um'],
        off: ['desligar', 'Abandona o canal de pedidos'],
      },
    ],
    words: {
      name: 'pedidos-de-música',
      topic: 'Peça música aqui: aperte “Adicionar” no cartão.',
      ready: (channel) => `${channel} agora é o canal de pedidos. O cartão fica lá.`,
      reads: 'Títulos e links escritos lá também são pedidos, e depois são apagados.',
      buttons:
        'Os membros pedem com **Adicionar** no cartão. Se o dono do bot ativar “Message Content Intent” no portal de desenvolvedores do Discord e reiniciar o bot, o que for escrito lá também será um pedido.',
      cannotTidy: 'Não posso arrumar lá: preciso da permissão “Gerenciar mensagens”.',
      over: (channel) => `${channel} não é mais o canal de pedidos. O canal em si continua.`,
      none: 'Não há canal de pedidos. /configurar cria um.',
      mayNotMake:
        'Não posso criar um canal: preciso de “Gerenciar canais”, “Ver canais”, “Enviar mensagens” e “Inserir links”. Ou escolha um que já existe: /configurar canal.',
      notMade: 'O Discord não me deixa criar um canal. Escolha um que já existe: /configurar canal.',
      taken: (bot) => `${bot} já tem este canal. Escolha outro.`,
    },
  },
  ja: {
    label: [
      'セットアップ',
      '曲をリクエストするチャンネルを作るか、選びます',
      {
        channel: ['チャンネル', '既存のチャンネル。選ばなければ新しく作ります'],
        off: ['解除', 'リクエスト用チャンネルをやめます'],
      },
    ],
    words: {
      name: '曲リクエスト',
      topic: 'カードの「追加」を押して、曲をリクエストできます。',
      ready: (channel) => `${channel} がリクエスト用チャンネルになりました。カードはそこにあります。`,
      reads: 'そこに書かれた曲名やリンクもリクエストになり、あとで片付けられます。',
      buttons:
        'カードの **追加** でリクエストできます。ボットの所有者が Discord の開発者ポータルで「Message Content Intent」を有効にして再起動すると、書き込みもリクエストになります。',
      cannotTidy: 'そこを片付けられません。「メッセージの管理」の権限が必要です。',
      over: (channel) => `${channel} はリクエスト用チャンネルではなくなりました。チャンネル自体は残ります。`,
      none: 'リクエスト用チャンネルはありません。/セットアップ で作れます。',
      mayNotMake:
        'チャンネルを作れません。「チャンネルの管理」「チャンネルを見る」「メッセージを送信」「埋め込みリンク」の権限が必要です。または既存のチャンネルを選んでください：/セットアップ チャンネル',
      notMade: 'Discord でチャンネルを作れませんでした。既存のチャンネルを選んでください：/セットアップ チャンネル',
      taken: (bot) => `このチャンネルはすでに ${bot} が使っています。別のチャンネルを選んでください。`,
    },
  },
}
