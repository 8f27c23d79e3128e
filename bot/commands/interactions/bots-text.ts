import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    playsIn: (bot: string, channel: string) => `${bot} plays in ${channel}.`,
    allBusy: (bots: string) => `All bots are busy: ${bots}. Join one of these channels, or wait until a bot is free.`,
    severalPlay: (bots: string) => `Several bots play here: ${bots}. Join the channel of the one you mean.`,
    otherService: (bot: string) => `${bot} plays in your channel. Only its own commands reach it.`,
  },
}

/** Texts for servers with several bots. Bots and channels are mentions. */
export const botsText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      playsIn: (bot, channel) => `${bot} spielt in ${channel}.`,
      allBusy: (bots) =>
        `Alle Bots spielen schon: ${bots}. Komm in einen dieser Kanäle, oder warte, bis ein Bot frei ist.`,
      severalPlay: (bots) => `Hier spielen mehrere Bots: ${bots}. Komm in den Kanal von dem, den du meinst.`,
      otherService: (bot) => `In deinem Kanal spielt ${bot}. Nur seine eigenen Befehle erreichen ihn.`,
    },
  },
  fr: {
    words: {
      playsIn: (bot, channel) => `${bot} joue dans ${channel}.`,
      allBusy: (bots) =>
        `Tous les bots sont occupés : ${bots}. Rejoins l’un de ces salons, ou attends qu’un bot se libère.`,
      severalPlay: (bots) => `Plusieurs bots jouent ici : ${bots}. Rejoins le salon de celui que tu veux.`,
      otherService: (bot) => `${bot} joue dans ton salon. Seules ses propres commandes l’atteignent.`,
    },
  },
  'es-ES': {
    words: {
      playsIn: (bot, channel) => `${bot} suena en ${channel}.`,
      allBusy: (bots) =>
        `Todos los bots están ocupados: ${bots}. Entra en uno de esos canales o espera a que un bot quede libre.`,
      severalPlay: (bots) => `Aquí suenan varios bots: ${bots}. Entra en el canal del que quieres controlar.`,
      otherService: (bot) => `${bot} suena en tu canal. Solo le llegan sus propios comandos.`,
    },
  },
  'pt-BR': {
    words: {
      playsIn: (bot, channel) => `${bot} está tocando em ${channel}.`,
      allBusy: (bots) =>
        `Todos os bots estão ocupados: ${bots}. Entre em um desses canais ou espere um bot ficar livre.`,
      severalPlay: (bots) => `Vários bots estão tocando aqui: ${bots}. Entre no canal daquele que você quer.`,
      otherService: (bot) => `${bot} está tocando no seu canal. Só os comandos dele chegam até ele.`,
    },
  },
  ja: {
    words: {
      playsIn: (bot, channel) => `${bot} が ${channel} で再生します。`,
      allBusy: (bots) =>
        `すべてのボットが再生中です：${bots}。いずれかのチャンネルに参加するか、ボットが空くまでお待ちください。`,
      severalPlay: (bots) => `複数のボットが再生中です：${bots}。操作したいボットのチャンネルに参加してください。`,
      otherService: (bot) => `あなたのチャンネルでは ${bot} が再生中です。${bot} 自身のコマンドだけが届きます。`,
    },
  },
}
