import type { Label } from '../i18n/labels.ts'
import type { Language, Localised, Widened } from '../i18n/languages.ts'
import { permissionText } from '../../permissions/permission-text.ts'

const en = {
  label: [
    'permissions',
    'Show who may do what, or change it',
    { action: ['action', 'All of them unless you choose one'], who: ['who', 'As at the beginning unless you choose'] },
  ],
  words: {
    title: 'Who may do what',
    intro: (djs: string, percent: number) =>
      `DJs (${djs}) and members who listen alone may do everything. A vote takes ${percent} % of those who listen, and two at least.`,
    changed: 'changed',
    impossible: (what: string) => `“${what}” can be for everyone who listens or for DJs only.`,
  },
} as const

/** Texts of `/settings permissions`. */
export const permissionsText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'rechte',
      'Zeigt, wer was darf, oder ändert es',
      { action: ['aktion', 'Alle, wenn du keine wählst'], who: ['wer', 'Wie am Anfang, wenn du nichts wählst'] },
    ],
    words: {
      title: 'Wer was darf',
      intro: (djs, percent) =>
        `DJs (${djs}) und wer allein zuhört dürfen alles. Eine Abstimmung braucht ${percent} % der Zuhörenden, mindestens zwei.`,
      changed: 'geändert',
      impossible: (what) => `„${what}“ kann für alle sein, die zuhören, oder nur für DJs.`,
    },
  },
  fr: {
    label: [
      'permissions',
      'Montre qui peut faire quoi, ou le change',
      { action: ['action', 'Toutes si tu n’en choisis pas'], who: ['qui', 'Comme au début sans choix de ta part'] },
    ],
    words: {
      title: 'Qui peut faire quoi',
      intro: (djs, percent) =>
        `Les DJ (${djs}) et qui écoute seul peuvent tout faire. Un vote demande ${percent} % des auditeurs, et au moins deux.`,
      changed: 'modifié',
      impossible: (what) => `« ${what} » peut être pour tous ceux qui écoutent ou pour les DJ seulement.`,
    },
  },
  'es-ES': {
    label: [
      'permisos',
      'Muestra quién puede hacer qué, o lo cambia',
      { action: ['acción', 'Todas si no eliges una'], who: ['quién', 'Como al principio si no eliges'] },
    ],
    words: {
      title: 'Quién puede hacer qué',
      intro: (djs, percent) =>
        `Los DJ (${djs}) y quien escucha solo pueden hacerlo todo. Una votación requiere el ${percent} % de los oyentes, y al menos dos.`,
      changed: 'cambiado',
      impossible: (what) => `«${what}» puede ser para todos los que escuchan o solo para los DJ.`,
    },
  },
  'pt-BR': {
    label: [
      'permissões',
      'Mostra quem pode fazer o quê, ou muda isso',
      { action: ['ação', 'Todas se você não escolher'], who: ['quem', 'Como no começo se você não escolher'] },
    ],
    words: {
      title: 'Quem pode fazer o quê',
      intro: (djs, percent) =>
        `DJs (${djs}) e quem ouve sozinho podem tudo. Uma votação exige ${percent}% dos ouvintes, e pelo menos dois.`,
      changed: 'alterado',
      impossible: (what) => `“${what}” pode ser para todos que ouvem ou só para DJs.`,
    },
  },
  ja: {
    label: [
      '権限',
      '誰が何をできるかを表示・変更します',
      { action: ['操作', '選ばなければすべて'], who: ['誰', '選ばなければ初期設定'] },
    ],
    words: {
      title: '誰が何をできるか',
      intro: (djs, percent) =>
        `DJ（${djs}）と一人で聞いている人は何でもできます。投票には聞いている人の ${percent} %、最低 2 人の賛成が必要です。`,
      changed: '変更済み',
      impossible: (what) => `「${what}」は聞いている全員か DJ のみに設定できます。`,
    },
  },
}

/** The label of the subcommand, with the names of permissions and rules as its choices. */
export function permissionsLabel(language: Language): Label {
  const [name, description, { action, who }] = permissionsText[language].label
  const { names, rules } = permissionText[language]
  return [name, description, { action: [...action, names], who: [...who, rules] }]
}
