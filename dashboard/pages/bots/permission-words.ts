import type { Words } from '../../words/language.ts'

const en = {
  title: (guild: string) => `Permissions in ${guild}`,
  lead: 'What members may do to the player. The server changes it with /settings permissions.',
  link: 'Permissions',
  djs: 'DJ role',
  managersOnly: 'none: managers of the server only',
  votes: 'Votes needed',
  share: (percent: string) => `${percent} % of those who listen, and two at least`,
  caption: 'Who may do what',
  permission: 'Permission',
  who: 'Who',
  changed: 'changed',
  always:
    'Managers of the server, DJs and a member who listens alone may do all of it. So may API keys and the members of this project.',
}

export const PERMISSION_WORDS: Words<typeof en> = {
  en,
  de: {
    title: (guild) => `Rechte auf ${guild}`,
    lead: 'Was Mitglieder mit dem Player tun dürfen. Der Server ändert es mit /settings permissions.',
    link: 'Rechte',
    djs: 'DJ-Rolle',
    managersOnly: 'keine: nur wer den Server verwaltet',
    votes: 'Nötige Stimmen',
    share: (percent) => `${percent} % der Zuhörenden, mindestens zwei`,
    caption: 'Wer was darf',
    permission: 'Recht',
    who: 'Wer',
    changed: 'geändert',
    always:
      'Wer den Server verwaltet, DJs und wer allein zuhört dürfen alles. Das gilt auch für API-Schlüssel und die Mitglieder dieses Projekts.',
  },
}
