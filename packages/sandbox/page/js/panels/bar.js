import { button, find, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { LANGUAGES, language, nextTheme, setLanguage, setTheme, theme } from '../core/preferences.js'
import { changed, follow, offline, state } from '../core/store.js'
import { words } from '../core/words.js'
import { openDrawer } from './drawers.js'

const PICTURES = { auto: 'auto', light: 'sun', dark: 'moon' }

export function startBar() {
  follow(['connection', 'links', 'applications', 'language', 'theme'], draw)
  draw()
}

function draw() {
  const it = words()
  document.documentElement.lang = language()
  document.title = state.guild?.name ? `${state.guild.name} · ${it.title}` : it.title
  document.querySelector('.skip').textContent = it.skip
  const { activeElement } = document
  const key = find('bar').contains(activeElement) ? activeElement.dataset.key : undefined
  const about = make('p', { className: 'about', title: it.about }, it.about)
  find('bar').replaceChildren(
    opener('sidebar', 'menu', it.openChannels),
    make('h1', { className: 'brand' }, icon('stage'), it.title),
    about,
    status(it),
    make('ul', { className: 'links' }, pageLinks(it)),
    languageSelect(it),
    button({
      label: it.themes[theme()],
      className: 'icon-button theme',
      picture: icon(PICTURES[theme()]),
      data: { key: 'theme' },
      press() {
        setTheme(nextTheme())
        changed('theme')
      },
    }),
    opener('side', 'people', it.openSide),
  )
  if (key !== undefined) find('bar').querySelector(`[data-key="${key}"]`)?.focus()
}

function opener(id, picture, label) {
  const element = button({
    label,
    className: `icon-button open-${id}`,
    picture: icon(picture),
    press: () => openDrawer(id),
    aria: { controls: id, expanded: false },
  })
  return element
}

function status(it) {
  const gone = offline()
  const isLive = state.connection === 'live' && gone.length === 0
  const names = gone.map(({ name }) => name).join(', ')
  const short =
    state.connection === 'live' && gone.length > 0 ? `${names}: ${it.offline}` : it.connection[state.connection]
  return make(
    'p',
    { className: `status ${isLive ? 'good' : 'bad'}`, role: 'status' },
    make('span', { className: 'lamp' }),
    short,
  )
}

export function pageLinks(it) {
  const own = { name: 'controls', url: '/sandbox' }
  return [...state.links.filter(({ name }) => name !== 'connect'), own].map(({ name, url }) =>
    make('li', {}, make('a', { href: url, target: '_blank', rel: 'noreferrer' }, it.links[name] ?? name)),
  )
}

export function languageSelect(it) {
  const options = LANGUAGES.map((value) =>
    make('option', { value, lang: value, selected: value === language() }, nameOf(value)),
  )
  return make(
    'select',
    { className: 'language', aria: { label: it.language }, data: { key: 'language' }, on: { change: onChange } },
    options,
  )
}

/** The name of a language in itself. */
const nameOf = (value) => new Intl.DisplayNames(value, { type: 'language' }).of(value)

function onChange({ target }) {
  setLanguage(target.value)
  changed('language')
}
