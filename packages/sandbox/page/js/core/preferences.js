import resources from '../../texts.js'

// Preferences of a person for this page. A browser without storage forgets them with the tab.
const memory = new Map()

function read(name) {
  try {
    return localStorage.getItem(`sandbox.${name}`) ?? memory.get(name) ?? null
  } catch {
    return memory.get(name) ?? null
  }
}

function write(name, value) {
  memory.set(name, value)
  try {
    localStorage.setItem(`sandbox.${name}`, value)
  } catch {
    // Kept in memory.
  }
}

/** The languages that the server has texts in. */
export const LANGUAGES = Object.keys(resources)

export function language() {
  const wanted = [read('language'), navigator.language, navigator.language.slice(0, 2)]
  return wanted.find((one) => LANGUAGES.includes(one)) ?? 'en'
}

export const setLanguage = (value) => write('language', value)

const THEMES = ['auto', 'light', 'dark']
export const theme = () => (THEMES.includes(read('theme')) ? read('theme') : 'auto')

export function setTheme(value) {
  write('theme', value)
  applyTheme()
}

export const nextTheme = () => THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]

export function applyTheme() {
  if (theme() === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme()
}

/** The languages that bots may speak with a member, by Discord's names. */
export const LOCALES = {
  'en-US': 'English',
  de: 'Deutsch',
  fr: 'Français',
  'es-ES': 'Español',
  'pt-BR': 'Português',
  ja: '日本語',
}

export function localeOf(userId) {
  const chosen = read(`locale.${userId}`)
  return chosen in LOCALES ? chosen : 'en-US'
}

export const setLocale = (userId, value) => write(`locale.${userId}`, value)

export const actingMember = () => read('member')
export const setActingMember = (userId) => write('member', userId)
export const volume = () => Number(read('volume') ?? 80)
export const setVolume = (value) => write('volume', String(value))
export const wasTried = (name) => read('tried')?.split(' ').includes(name) ?? false
export const setTried = (name) => wasTried(name) || write('tried', `${read('tried') ?? ''} ${name}`.trim().slice(-400))
