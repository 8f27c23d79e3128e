import type { PageWords } from '../../words/language.ts'

const en = {
  title: (guild: string) => `Permissions in ${guild}`,
  lead: 'Permissions of members for the player. Change them in Discord with /settings permissions.',
  link: 'Permissions',
  djs: 'DJ role',
  managersOnly: 'none; only server managers',
  votes: 'Votes needed',
  share: (percent: string) => `${percent} % of the listeners, at least two`,
  caption: 'Permissions by action',
  permission: 'Permission',
  who: 'Who',
  changed: 'changed',
  always: 'Server managers, DJs and a sole listener have all permissions. So do API keys and members of this project.',
}

export const PERMISSION_WORDS: PageWords<typeof en> = {
  en,
  de: {
    title: (guild) => `Rechte auf ${guild}`,
    lead: 'Rechte der Mitglieder am Player. Ändere sie in Discord mit /settings permissions.',
    link: 'Rechte',
    djs: 'DJ-Rolle',
    managersOnly: 'keine; nur Server-Verwalter',
    votes: 'Nötige Stimmen',
    share: (percent) => `${percent} % der Zuhörenden, mindestens zwei`,
    caption: 'Rechte nach Aktion',
    permission: 'Recht',
    who: 'Wer',
    changed: 'geändert',
    always:
      'Server-Verwalter, DJs und einzelne Zuhörer haben alle Rechte, ebenso API-Schlüssel und Mitglieder dieses Projekts.',
  },
}
