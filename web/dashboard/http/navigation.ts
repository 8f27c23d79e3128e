import type { IconName } from '../../ui/icons.ts'
import type { PageWords } from '../words/language.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

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
  readonly label: PageWords<string>
}

const words = (name: 'overview' | 'keys' | 'bots' | 'members' | 'audit' | 'settings'): PageWords<string> => ({
  en: COMMON.en[name],
  de: COMMON.de[name],
})

export const PROJECT_PLACES: readonly Place[] = [
  { to: '', picture: 'overview', label: words('overview') },
  { to: '/keys', picture: 'key', label: words('keys') },
  { to: '/bots', picture: 'bot', label: words('bots') },
  { to: '/players', picture: 'players', label: { en: PLAYERS.en.title, de: PLAYERS.de.title } },
  { to: '/lavalink', picture: 'lavalink', label: { en: LAVALINK.en.title, de: LAVALINK.de.title } },
  { to: '/sources', picture: 'sources', label: { en: SOURCES.en.title, de: SOURCES.de.title } },
  { to: '/usage', picture: 'usage', label: { en: USAGE.en.title, de: USAGE.de.title } },
  { to: '/requests', picture: 'requests', label: { en: REQUESTS.en.title, de: REQUESTS.de.title } },
  { to: '/jobs', picture: 'jobs', label: { en: JOBS.en.title, de: JOBS.de.title } },
  { to: '/events', picture: 'events', label: { en: EVENTS.en.title, de: EVENTS.de.title } },
  { to: '/webhooks', picture: 'webhooks', label: { en: WEBHOOKS.en.title, de: WEBHOOKS.de.title } },
  { to: '/members', picture: 'members', label: words('members') },
  { to: '/audit', picture: 'audit', label: words('audit') },
  { to: '/settings', picture: 'settings', label: words('settings') },
]
