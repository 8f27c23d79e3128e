import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    act: [
      'act',
      'Show what you are doing',
      { action: ['action', 'What you do'], member: ['member', 'To whom, if to anybody'] },
    ],
    hug: ['hug', 'Hug a member', { member: ['member', 'Whom; everyone unless you choose'] }],
    pat: ['pat', 'Pat a member’s head', { member: ['member', 'Whom; everyone unless you choose'] }],
    kiss: ['kiss', 'Kiss a member', { member: ['member', 'Whom; everyone unless you choose'] }],
    cuddle: ['cuddle', 'Cuddle a member', { member: ['member', 'Whom; everyone unless you choose'] }],
    slap: ['slap', 'Slap a member', { member: ['member', 'Whom; everyone unless you choose'] }],
    poke: ['poke', 'Poke a member', { member: ['member', 'Whom; everyone unless you choose'] }],
    tickle: ['tickle', 'Tickle a member', { member: ['member', 'Whom; everyone unless you choose'] }],
    highfive: ['highfive', 'Give a member a high five', { member: ['member', 'Whom; everyone unless you choose'] }],
    wave: ['wave', 'Wave at a member', { member: ['member', 'Whom; everyone unless you choose'] }],
  } as const satisfies Labels,
  words: {
    everyone: 'everyone',
    unknown: 'I do not know this action. Choose one of those that are offered while you type.',
    noPicture: 'There is no picture for this right now. Try again in a moment.',
  },
}

/** Texts of `/act`, `/hug` and the like. */
export const actText: Localised<Widened<typeof en>> = {
  en,
  de: {
    labels: {
      act: [
        'tun',
        'Zeigt, was du gerade tust',
        { action: ['was', 'Was du tust'], member: ['mitglied', 'Mit wem, falls mit jemandem'] },
      ],
      hug: ['umarmen', 'Umarmt jemanden', { member: ['mitglied', 'Wen; alle, wenn du niemanden wählst'] }],
      pat: [
        'streicheln',
        'Streichelt jemandem über den Kopf',
        { member: ['mitglied', 'Wen; alle, wenn du niemanden wählst'] },
      ],
      kiss: ['küssen', 'Küsst jemanden', { member: ['mitglied', 'Wen; alle, wenn du niemanden wählst'] }],
      cuddle: [
        'kuscheln',
        'Kuschelt mit jemandem',
        { member: ['mitglied', 'Mit wem; mit allen, wenn du niemanden wählst'] },
      ],
      slap: ['ohrfeigen', 'Ohrfeigt jemanden', { member: ['mitglied', 'Wen; alle, wenn du niemanden wählst'] }],
      poke: ['anstupsen', 'Stupst jemanden an', { member: ['mitglied', 'Wen; alle, wenn du niemanden wählst'] }],
      tickle: ['kitzeln', 'Kitzelt jemanden', { member: ['mitglied', 'Wen; alle, wenn du niemanden wählst'] }],
      highfive: [
        'abklatschen',
        'Klatscht jemanden ab',
        { member: ['mitglied', 'Wen; alle, wenn du niemanden wählst'] },
      ],
      wave: ['winken', 'Winkt jemandem zu', { member: ['mitglied', 'Wem; allen, wenn du niemanden wählst'] }],
    },
    words: {
      everyone: 'alle',
      unknown: 'Das kenne ich nicht. Wähle etwas von dem, was beim Tippen angeboten wird.',
      noPicture: 'Dafür gibt es gerade kein Bild. Versuch es gleich noch einmal.',
    },
  },
  fr: {
    labels: {
      act: [
        'agir',
        'Montre ce que tu fais',
        { action: ['action', 'Ce que tu fais'], member: ['membre', 'À qui, le cas échéant'] },
      ],
      hug: [
        'enlacer',
        'Serre quelqu’un dans tes bras',
        { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] },
      ],
      pat: [
        'caresser',
        'Caresse la tête de quelqu’un',
        { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] },
      ],
      kiss: [
        'embrasser',
        'Embrasse quelqu’un',
        { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] },
      ],
      cuddle: ['câliner', 'Câline quelqu’un', { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] }],
      slap: ['gifler', 'Gifle quelqu’un', { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] }],
      poke: [
        'tapoter',
        'Tapote quelqu’un du doigt',
        { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] },
      ],
      tickle: [
        'chatouiller',
        'Chatouille quelqu’un',
        { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] },
      ],
      highfive: [
        'tope-là',
        'Tape dans la main de quelqu’un',
        { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] },
      ],
      wave: [
        'saluer',
        'Fait signe à quelqu’un',
        { member: ['membre', 'Qui ; tout le monde si tu ne choisis personne'] },
      ],
    },
    words: {
      everyone: 'tout le monde',
      unknown: 'Je ne connais pas cette action. Choisis-en une parmi celles qui sont proposées.',
      noPicture: 'Il n’y a pas d’image pour cela en ce moment. Réessaie dans un instant.',
    },
  },
  'es-ES': {
    labels: {
      act: [
        'hacer',
        'Muestra lo que haces',
        { action: ['acción', 'Lo que haces'], member: ['miembro', 'A quién, si es a alguien'] },
      ],
      hug: ['abrazar', 'Abraza a alguien', { member: ['miembro', 'A quién; a todos si no eliges'] }],
      pat: ['acariciar', 'Acaricia la cabeza a alguien', { member: ['miembro', 'A quién; a todos si no eliges'] }],
      kiss: ['besar', 'Besa a alguien', { member: ['miembro', 'A quién; a todos si no eliges'] }],
      cuddle: ['acurrucar', 'Se acurruca con alguien', { member: ['miembro', 'Con quién; con todos si no eliges'] }],
      slap: ['abofetear', 'Abofetea a alguien', { member: ['miembro', 'A quién; a todos si no eliges'] }],
      poke: ['picar', 'Da un toque a alguien con el dedo', { member: ['miembro', 'A quién; a todos si no eliges'] }],
      tickle: ['cosquillas', 'Hace cosquillas a alguien', { member: ['miembro', 'A quién; a todos si no eliges'] }],
      highfive: [
        'chocala',
        'Choca los cinco con alguien',
        { member: ['miembro', 'Con quién; con todos si no eliges'] },
      ],
      wave: ['saludar', 'Saluda a alguien con la mano', { member: ['miembro', 'A quién; a todos si no eliges'] }],
    },
    words: {
      everyone: 'todos',
      unknown: 'No conozco esa acción. Elige una de las que se ofrecen mientras escribes.',
      noPicture: 'Ahora mismo no hay ninguna imagen para esto. Inténtalo dentro de un momento.',
    },
  },
  'pt-BR': {
    labels: {
      act: [
        'agir',
        'Mostra o que você faz',
        { action: ['ação', 'O que você faz'], member: ['membro', 'Com quem, se for com alguém'] },
      ],
      hug: ['abraçar', 'Abraça alguém', { member: ['membro', 'Quem; todos se você não escolher'] }],
      pat: ['cafuné', 'Faz cafuné em alguém', { member: ['membro', 'Em quem; em todos se você não escolher'] }],
      kiss: ['beijar', 'Beija alguém', { member: ['membro', 'Quem; todos se você não escolher'] }],
      cuddle: [
        'aconchegar',
        'Se aconchega em alguém',
        { member: ['membro', 'Em quem; em todos se você não escolher'] },
      ],
      slap: ['tapa', 'Dá um tapa em alguém', { member: ['membro', 'Em quem; em todos se você não escolher'] }],
      poke: ['cutucar', 'Cutuca alguém', { member: ['membro', 'Quem; todos se você não escolher'] }],
      tickle: ['cócegas', 'Faz cócegas em alguém', { member: ['membro', 'Em quem; em todos se você não escolher'] }],
      highfive: ['tocaaqui', 'Bate na mão de alguém', { member: ['membro', 'De quem; de todos se você não escolher'] }],
      wave: ['acenar', 'Acena para alguém', { member: ['membro', 'Para quem; para todos se você não escolher'] }],
    },
    words: {
      everyone: 'todos',
      unknown: 'Não conheço essa ação. Escolha uma das que aparecem enquanto você escreve.',
      noPicture: 'Não há nenhuma imagem para isso agora. Tente de novo em instantes.',
    },
  },
  ja: {
    labels: {
      act: ['行動', 'していることを見せます', { action: ['行動', '何をするか'], member: ['メンバー', '相手がいれば'] }],
      hug: ['ハグ', '誰かをハグします', { member: ['メンバー', '相手。選ばなければ全員'] }],
      pat: ['なでる', '誰かの頭をなでます', { member: ['メンバー', '相手。選ばなければ全員'] }],
      kiss: ['キス', '誰かにキスします', { member: ['メンバー', '相手。選ばなければ全員'] }],
      cuddle: ['寄り添う', '誰かに寄り添います', { member: ['メンバー', '相手。選ばなければ全員'] }],
      slap: ['平手打ち', '誰かを平手打ちします', { member: ['メンバー', '相手。選ばなければ全員'] }],
      poke: ['つつく', '誰かをつつきます', { member: ['メンバー', '相手。選ばなければ全員'] }],
      tickle: ['くすぐる', '誰かをくすぐります', { member: ['メンバー', '相手。選ばなければ全員'] }],
      highfive: ['ハイタッチ', '誰かとハイタッチします', { member: ['メンバー', '相手。選ばなければ全員'] }],
      wave: ['手を振る', '誰かに手を振ります', { member: ['メンバー', '相手。選ばなければ全員'] }],
    },
    words: {
      everyone: 'みんな',
      unknown: 'この行動はわかりません。入力中に表示される候補から選んでください。',
      noPicture: '今はこの画像がありません。少し待ってからもう一度お試しください。',
    },
  },
}
