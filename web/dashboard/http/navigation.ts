import type { IconName } from '../../ui/icons.ts'
import type { Localised } from '../../../lib/texts/languages.ts'
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

export const PROJECT_PLACES: readonly Place[] = [
  { to: '', picture: 'overview', label: words('overview') },
  { to: '/keys', picture: 'key', label: words('keys') },
  { to: '/bots', picture: 'bot', label: words('bots') },
  { to: '/players', picture: 'players', label: titleOf(PLAYERS) },
  { to: '/lavalink', picture: 'lavalink', label: titleOf(LAVALINK) },
  { to: '/sources', picture: 'sources', label: titleOf(SOURCES) },
  { to: '/usage', picture: 'usage', label: titleOf(USAGE) },
  { to: '/requests', picture: 'requests', label: titleOf(REQUESTS) },
  { to: '/jobs', picture: 'jobs', label: titleOf(JOBS) },
  { to: '/events', picture: 'events', label: titleOf(EVENTS) },
  { to: '/webhooks', picture: 'webhooks', label: titleOf(WEBHOOKS) },
  { to: '/members', picture: 'members', label: words('members') },
  { to: '/audit', picture: 'audit', label: words('audit') },
  { to: '/settings', picture: 'settings', label: words('settings') },
]
