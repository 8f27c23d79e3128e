import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    act: ['act', 'Show an action', { action: ['action', 'What you do'], member: ['member', 'Another member, if any'] }],
    hug: ['hug', 'Hug a member', { member: ['member', 'Default: everyone'] }],
    pat: ['pat', 'Pat a member’s head', { member: ['member', 'Default: everyone'] }],
    kiss: ['kiss', 'Kiss a member', { member: ['member', 'Default: everyone'] }],
    cuddle: ['cuddle', 'Cuddle a member', { member: ['member', 'Default: everyone'] }],
    slap: ['slap', 'Slap a member', { member: ['member', 'Default: everyone'] }],
    poke: ['poke', 'Poke a member', { member: ['member', 'Default: everyone'] }],
    tickle: ['tickle', 'Tickle a member', { member: ['member', 'Default: everyone'] }],
    highfive: ['highfive', 'Give a member a high five', { member: ['member', 'Default: everyone'] }],
    wave: ['wave', 'Wave at a member', { member: ['member', 'Default: everyone'] }],
  } as const satisfies Labels,
  words: {
    everyone: 'everyone',
    unknown: 'Unknown action. Choose one from the list while you type.',
    noPicture: 'No picture is available right now. Try again in a moment.',
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
      hug: ['umarmen', 'Umarmt jemanden', { member: ['mitglied', 'Sonst: alle'] }],
      pat: ['streicheln', 'Streichelt jemandem über den Kopf', { member: ['mitglied', 'Sonst: alle'] }],
      kiss: ['küssen', 'Küsst jemanden', { member: ['mitglied', 'Sonst: alle'] }],
      cuddle: ['kuscheln', 'Kuschelt mit jemandem', { member: ['mitglied', 'Sonst: mit allen'] }],
      slap: ['ohrfeigen', 'Ohrfeigt jemanden', { member: ['mitglied', 'Sonst: alle'] }],
      poke: ['anstupsen', 'Stupst jemanden an', { member: ['mitglied', 'Sonst: alle'] }],
      tickle: ['kitzeln', 'Kitzelt jemanden', { member: ['mitglied', 'Sonst: alle'] }],
      highfive: ['abklatschen', 'Klatscht jemanden ab', { member: ['mitglied', 'Sonst: alle'] }],
      wave: ['winken', 'Winkt jemandem zu', { member: ['mitglied', 'Sonst: allen'] }],
    },
    words: {
      everyone: 'alle',
      unknown: 'Unbekannte Aktion. Wähle beim Tippen eine aus der Liste.',
      noPicture: 'Gerade ist kein Bild verfügbar. Versuch es gleich noch einmal.',
    },
  },
  fr: {
    labels: {
      act: [
        'agir',
        'Montre ce que tu fais',
        { action: ['action', 'Ce que tu fais'], member: ['membre', 'À qui, le cas échéant'] },
      ],
      hug: ['enlacer', 'Serre quelqu’un dans tes bras', { member: ['membre', 'Sinon : tout le monde'] }],
      pat: ['caresser', 'Caresse la tête de quelqu’un', { member: ['membre', 'Sinon : tout le monde'] }],
      kiss: ['embrasser', 'Embrasse quelqu’un', { member: ['membre', 'Sinon : tout le monde'] }],
      cuddle: ['câliner', 'Câline quelqu’un', { member: ['membre', 'Sinon : tout le monde'] }],
      slap: ['gifler', 'Gifle quelqu’un', { member: ['membre', 'Sinon : tout le monde'] }],
      poke: ['tapoter', 'Tapote quelqu’un du doigt', { member: ['membre', 'Sinon : tout le monde'] }],
      tickle: ['chatouiller', 'Chatouille quelqu’un', { member: ['membre', 'Sinon : tout le monde'] }],
      highfive: ['tope-là', 'Tape dans la main de quelqu’un', { member: ['membre', 'Sinon : tout le monde'] }],
      wave: ['saluer', 'Fait signe à quelqu’un', { member: ['membre', 'Sinon : tout le monde'] }],
    },
    words: {
      everyone: 'tout le monde',
      unknown: 'Action inconnue. Choisis-en une dans la liste.',
      noPicture: 'Aucune image disponible. Réessaie dans un instant.',
    },
  },
  'es-ES': {
    labels: {
      act: [
        'hacer',
        'Muestra lo que haces',
        { action: ['acción', 'Lo que haces'], member: ['miembro', 'A quién, si es a alguien'] },
      ],
      hug: ['abrazar', 'Abraza a alguien', { member: ['miembro', 'Si no: a todos'] }],
      pat: ['acariciar', 'Acaricia la cabeza a alguien', { member: ['miembro', 'Si no: a todos'] }],
      kiss: ['besar', 'Besa a alguien', { member: ['miembro', 'Si no: a todos'] }],
      cuddle: ['acurrucar', 'Se acurruca con alguien', { member: ['miembro', 'Si no: con todos'] }],
      slap: ['abofetear', 'Abofetea a alguien', { member: ['miembro', 'Si no: a todos'] }],
      poke: ['picar', 'Da un toque a alguien con el dedo', { member: ['miembro', 'Si no: a todos'] }],
      tickle: ['cosquillas', 'Hace cosquillas a alguien', { member: ['miembro', 'Si no: a todos'] }],
      highfive: ['chocala', 'Choca los cinco con alguien', { member: ['miembro', 'Si no: con todos'] }],
      wave: ['saludar', 'Saluda a alguien con la mano', { member: ['miembro', 'Si no: a todos'] }],
    },
    words: {
      everyone: 'todos',
      unknown: 'Acción desconocida. Elige una de la lista mientras escribes.',
      noPicture: 'Ahora no hay ninguna imagen disponible. Inténtalo dentro de un momento.',
    },
  },
  'pt-BR': {
    labels: {
      act: [
        'agir',
        'Mostra o que você faz',
        { action: ['ação', 'O que você faz'], member: ['membro', 'Com quem, se for com alguém'] },
      ],
      hug: ['abraçar', 'Abraça alguém', { member: ['membro', 'Senão: todos'] }],
      pat: ['cafuné', 'Faz cafuné em alguém', { member: ['membro', 'Senão: em todos'] }],
      kiss: ['beijar', 'Beija alguém', { member: ['membro', 'Senão: todos'] }],
      cuddle: ['aconchegar', 'Se aconchega em alguém', { member: ['membro', 'Senão: em todos'] }],
      slap: ['tapa', 'Dá um tapa em alguém', { member: ['membro', 'Senão: em todos'] }],
      poke: ['cutucar', 'Cutuca alguém', { member: ['membro', 'Senão: todos'] }],
      tickle: ['cócegas', 'Faz cócegas em alguém', { member: ['membro', 'Senão: em todos'] }],
      highfive: ['tocaaqui', 'Bate na mão de alguém', { member: ['membro', 'Senão: de todos'] }],
      wave: ['acenar', 'Acena para alguém', { member: ['membro', 'Senão: para todos'] }],
    },
    words: {
      everyone: 'todos',
      unknown: 'Ação desconhecida. Escolha uma da lista enquanto escreve.',
      noPicture: 'Nenhuma imagem disponível agora. Tente de novo em instantes.',
    },
  },
  ja: {
    labels: {
      act: ['行動', 'アクションを表示します', { action: ['行動', '何をするか'], member: ['メンバー', '相手がいれば'] }],
      hug: ['ハグ', '誰かをハグします', { member: ['メンバー', '省略すると全員'] }],
      pat: ['なでる', '誰かの頭をなでます', { member: ['メンバー', '省略すると全員'] }],
      kiss: ['キス', '誰かにキスします', { member: ['メンバー', '省略すると全員'] }],
      cuddle: ['寄り添う', '誰かに寄り添います', { member: ['メンバー', '省略すると全員'] }],
      slap: ['平手打ち', '誰かを平手打ちします', { member: ['メンバー', '省略すると全員'] }],
      poke: ['つつく', '誰かをつつきます', { member: ['メンバー', '省略すると全員'] }],
      tickle: ['くすぐる', '誰かをくすぐります', { member: ['メンバー', '省略すると全員'] }],
      highfive: ['ハイタッチ', '誰かとハイタッチします', { member: ['メンバー', '省略すると全員'] }],
      wave: ['手を振る', '誰かに手を振ります', { member: ['メンバー', '省略すると全員'] }],
    },
    words: {
      everyone: 'みんな',
      unknown: '不明なアクションです。入力中に表示される候補から選んでください。',
      noPicture: '今は画像がありません。少し待ってからもう一度お試しください。',
    },
  },
}
