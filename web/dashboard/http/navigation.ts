import type { IconName } from '../../ui/icons.ts'
import type { Localised, PageLanguage } from '../../../lib/texts/languages.ts'
import { lazily, textsOf } from '../../../lib/texts/texts.ts'

const EVENTS = textsOf('dashboard-events')
const JOBS = textsOf('dashboard-jobs')
const LAVALINK = textsOf('dashboard-lavalink')
const PLAYERS = textsOf('dashboard-players')
const REQUESTS = textsOf('dashboard-requests')
const SOURCES = textsOf('dashboard-sources')
const USAGE = textsOf('dashboard-usage')
const WEBHOOKS = textsOf('dashboard-webhooks')
const COMMON = textsOf('dashboard-common')

/** One line of a project's navigation. */
interface Place {
  /** The path behind the address of the project. */
  readonly to: string
  readonly picture: IconName
  readonly label: Localised<string>
}

const words = (name: 'overview' | 'keys' | 'bots' | 'members' | 'audit' | 'settings') =>
  lazily((language) => COMMON[language][name])

const titleOf = (texts: Localised<{ readonly title: string }>) => lazily((language) => texts[language].title)

type Group = 'top' | 'music' | 'api' | 'project'

const PROJECT_PLACES: Readonly<Record<Group, readonly Place[]>> = {
  top: [{ to: '', picture: 'overview', label: words('overview') }],
  music: [
    { to: '/players', picture: 'players', label: titleOf(PLAYERS) },
    { to: '/bots', picture: 'bot', label: words('bots') },
    { to: '/sources', picture: 'sources', label: titleOf(SOURCES) },
    { to: '/lavalink', picture: 'lavalink', label: titleOf(LAVALINK) },
  ],
  api: [
    { to: '/keys', picture: 'key', label: words('keys') },
    { to: '/requests', picture: 'requests', label: titleOf(REQUESTS) },
    { to: '/usage', picture: 'usage', label: titleOf(USAGE) },
    { to: '/events', picture: 'events', label: titleOf(EVENTS) },
    { to: '/webhooks', picture: 'webhooks', label: titleOf(WEBHOOKS) },
    { to: '/jobs', picture: 'jobs', label: titleOf(JOBS) },
  ],
  project: [
    { to: '/members', picture: 'members', label: words('members') },
    { to: '/audit', picture: 'audit', label: words('audit') },
    { to: '/settings', picture: 'settings', label: words('settings') },
  ],
}

/** The navigation of a project in groups; the first group has no name. @param base the address of the project. */
export function placesOf(language: PageLanguage, base: string) {
  return (Object.entries(PROJECT_PLACES) as [Group, readonly Place[]][]).map(([group, places]) => ({
    group,
    name: group === 'top' ? '' : COMMON[language].groups[group],
    places: places.map(({ to, picture, label }) => ({ to: base + to, picture, label: label[language] })),
  }))
}
