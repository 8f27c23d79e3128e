import type { Label } from '../i18n/labels.ts'
import type { Language, Localised, Widened } from '../i18n/languages.ts'
import { permissionText } from '../../permissions/permission-text.ts'

const en = {
  label: [
    'permissions',
    'Show or change who can do what',
    { action: ['action', 'Default: all'], who: ['who', 'Default: the bot’s default'] },
  ],
  words: {
    title: 'Permissions',
    intro: (djs: string, percent: number) =>
      `DJs (${djs}) and members who listen alone can do everything. A vote needs ${percent} % of the listeners, and at least two.`,
    changed: 'changed',
    impossible: (what: string) => `“${what}” can be for all listeners or only for DJs.`,
  },
} as const

/** Texts of `/settings permissions`. */
export const permissionsText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'rechte',
      'Zeigt oder ändert, wer was darf',
      { action: ['aktion', 'Sonst: alle'], who: ['wer', 'Sonst: der Standard'] },
    ],
    words: {
      title: 'Rechte',
      intro: (djs, percent) =>
        `DJs (${djs}) und wer allein zuhört dürfen alles. Eine Abstimmung braucht ${percent} % der Zuhörenden, mindestens zwei.`,
      changed: 'geändert',
      impossible: (what) => `„${what}“ kann für alle sein, die zuhören, oder nur für DJs.`,
    },
  },
  fr: {
    label: [
      'permissions',
      'Montre ou change qui peut faire quoi',
      { action: ['action', 'Sinon : toutes'], who: ['qui', 'Sinon : par défaut'] },
    ],
    words: {
      title: 'Permissions',
      intro: (djs, percent) =>
        `Les DJ (${djs}) et les membres qui écoutent seuls peuvent tout faire. Un vote demande ${percent} % des auditeurs, et au moins deux.`,
      changed: 'modifié',
      impossible: (what) => `« ${what} » peut être pour tous les auditeurs ou pour les DJ seulement.`,
    },
  },
  'es-ES': {
    label: [
      'permisos',
      'Muestra o cambia quién puede hacer qué',
      { action: ['acción', 'Si no: todas'], who: ['quién', 'Si no: por defecto'] },
    ],
    words: {
      title: 'Permisos',
      intro: (djs, percent) =>
        `Los DJ (${djs}) y quien escucha solo pueden hacerlo todo. Una votación requiere el ${percent} % de los oyentes, y al menos dos.`,
      changed: 'cambiado',
      impossible: (what) => `«${what}» puede ser para todos los oyentes o solo para los DJ.`,
    },
  },
  'pt-BR': {
    label: [
      'permissões',
      'Mostra ou muda quem pode fazer o quê',
      { action: ['ação', 'Senão: todas'], who: ['quem', 'Senão: o padrão'] },
    ],
    words: {
      title: 'Permissões',
      intro: (djs, percent) =>
        `DJs (${djs}) e quem ouve sozinho podem tudo. Uma votação exige ${percent}% dos ouvintes, e pelo menos dois.`,
      changed: 'alterado',
      impossible: (what) => `“${what}” pode ser para todos os ouvintes ou só para DJs.`,
    },
  },
  ja: {
    label: [
      '権限',
      '誰が何をできるかを表示・変更します',
      { action: ['操作', '省略するとすべて'], who: ['誰', '省略すると初期設定'] },
    ],
    words: {
      title: '権限',
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
