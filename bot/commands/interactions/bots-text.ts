import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    playsIn: (bot: string, channel: string) => `${bot} is playing in ${channel}.`,
    allBusy: (bots: string) => `All bots are busy: ${bots}. Join one of these channels, or wait until a bot is free.`,
    severalPlay: (bots: string) =>
      `Several bots are playing: ${bots}. Join the channel of the bot you want to control.`,
    otherService: (bot: string) => `${bot} is playing in your channel. Use the commands of that bot.`,
  },
}

/** Texts for servers with several bots. Bots and channels are mentions. */
export const botsText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      playsIn: (bot, channel) => `${bot} spielt in ${channel}.`,
      allBusy: (bots) =>
        `Alle Bots spielen schon: ${bots}. Komm in einen dieser Kanäle oder warte, bis ein Bot frei ist.`,
      severalPlay: (bots) => `Hier spielen mehrere Bots: ${bots}. Komm in den Kanal des Bots, den du steuern willst.`,
      otherService: (bot) => `In deinem Kanal spielt ${bot}. Verwende die Befehle dieses Bots.`,
    },
  },
  fr: {
    words: {
      playsIn: (bot, channel) => `${bot} joue dans ${channel}.`,
      allBusy: (bots) =>
        `Tous les bots sont occupés : ${bots}. Rejoins l’un de ces salons, ou attends qu’un bot se libère.`,
      severalPlay: (bots) => `Plusieurs bots jouent ici : ${bots}. Rejoins le salon du bot que tu veux contrôler.`,
      otherService: (bot) => `${bot} joue dans ton salon. Utilise les commandes de ce bot.`,
    },
  },
  'es-ES': {
    words: {
      playsIn: (bot, channel) => `${bot} está sonando en ${channel}.`,
      allBusy: (bots) =>
        `Todos los bots están ocupados: ${bots}. Entra en uno de esos canales o espera a que un bot quede libre.`,
      severalPlay: (bots) => `Aquí suenan varios bots: ${bots}. Entra en el canal del bot que quieras controlar.`,
      otherService: (bot) => `${bot} suena en tu canal. Usa los comandos de ese bot.`,
    },
  },
  'pt-BR': {
    words: {
      playsIn: (bot, channel) => `${bot} está tocando em ${channel}.`,
      allBusy: (bots) =>
        `Todos os bots estão ocupados: ${bots}. Entre em um desses canais ou espere um bot ficar livre.`,
      severalPlay: (bots) => `Vários bots estão tocando aqui: ${bots}. Entre no canal do bot que você quer controlar.`,
      otherService: (bot) => `${bot} está tocando no seu canal. Use os comandos desse bot.`,
    },
  },
  ja: {
    words: {
      playsIn: (bot, channel) => `${bot} が ${channel} で再生中です。`,
      allBusy: (bots) =>
        `すべてのボットが再生中です：${bots}。いずれかのチャンネルに参加するか、ボットが空くまでお待ちください。`,
      severalPlay: (bots) => `複数のボットが再生中です：${bots}。操作したいボットのチャンネルに参加してください。`,
      otherService: (bot) => `あなたのチャンネルでは ${bot} が再生中です。${bot} のコマンドを使ってください。`,
    },
  },
}
