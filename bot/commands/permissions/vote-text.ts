import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  words: {
    title: (what: string) => `Vote: ${what}`,
    progress: (have: number, need: number) => `**${have} of ${need}** votes`,
    agree: 'Agree',
    ends: (when: string) => `Ends ${when}. All listeners can vote; a DJ decides at once.`,
    counted: (have: number, need: number) => `Your vote counts: ${have} of ${need}.`,
    already: 'You have already voted.',
    passed: 'Passed.',
    expired: 'Not enough votes in time.',
    over: 'This vote was cancelled.',
    failed: 'Passed, but no longer possible.',
  },
}

/** Texts of votes. */
export const voteText: Localised<Widened<typeof en>> = {
  en,
  de: {
    words: {
      title: (what) => `Abstimmung: ${what}`,
      progress: (have, need) => `**${have} von ${need}** Stimmen`,
      agree: 'Zustimmen',
      ends: (when) => `Endet ${when}. Wer zuhört, kann abstimmen; DJs entscheiden sofort.`,
      counted: (have, need) => `Deine Stimme zählt: ${have} von ${need}.`,
      already: 'Du hast schon abgestimmt.',
      passed: 'Angenommen.',
      expired: 'Nicht rechtzeitig genug Stimmen.',
      over: 'Diese Abstimmung wurde abgebrochen.',
      failed: 'Angenommen, aber nicht mehr möglich.',
    },
  },
  fr: {
    words: {
      title: (what) => `Vote : ${what}`,
      progress: (have, need) => `**${have} sur ${need}** votes`,
      agree: 'Approuver',
      ends: (when) => `Fin ${when}. Tous ceux qui écoutent peuvent voter ; un DJ décide aussitôt.`,
      counted: (have, need) => `Ton vote compte : ${have} sur ${need}.`,
      already: 'Tu as déjà voté.',
      passed: 'Adopté.',
      expired: 'Pas assez de votes à temps.',
      over: 'Ce vote a été annulé.',
      failed: 'Adopté, mais ce n’était plus possible.',
    },
  },
  'es-ES': {
    words: {
      title: (what) => `Votación: ${what}`,
      progress: (have, need) => `**${have} de ${need}** votos`,
      agree: 'A favor',
      ends: (when) => `Termina ${when}. Puede votar quien escucha; un DJ decide al momento.`,
      counted: (have, need) => `Tu voto cuenta: ${have} de ${need}.`,
      already: 'Ya has votado.',
      passed: 'Aprobado.',
      expired: 'No hubo votos suficientes a tiempo.',
      over: 'Esta votación se ha cancelado.',
      failed: 'Aprobado, pero ya no era posible.',
    },
  },
  'pt-BR': {
    words: {
      title: (what) => `Votação: ${what}`,
      progress: (have, need) => `**${have} de ${need}** votos`,
      agree: 'A favor',
      ends: (when) => `Termina ${when}. Quem ouve pode votar; um DJ decide na hora.`,
      counted: (have, need) => `Seu voto conta: ${have} de ${need}.`,
      already: 'Você já votou.',
      passed: 'Aprovado.',
      expired: 'Não houve votos suficientes a tempo.',
      over: 'Esta votação foi cancelada.',
      failed: 'Aprovado, mas já não era possível.',
    },
  },
  ja: {
    words: {
      title: (what) => `投票：${what}`,
      progress: (have, need) => `${need} 票中 **${have} 票**`,
      agree: '賛成',
      ends: (when) => `${when}に終了。聞いている人は誰でも投票できます。DJ は即決できます。`,
      counted: (have, need) => `投票しました。${need} 票中 ${have} 票です。`,
      already: 'すでに投票しています。',
      passed: '可決されました。',
      expired: '時間内に票が集まりませんでした。',
      over: 'この投票は取り消されました。',
      failed: '可決されましたが、実行できませんでした。',
    },
  },
}
