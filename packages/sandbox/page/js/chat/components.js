import { call, guildPath } from '../core/api.js'
import { button, make } from '../core/dom.js'
import { localeOf } from '../core/preferences.js'
import { attempt } from '../core/problem.js'
import { me } from '../core/store.js'
import { drawAttachment, picture } from './embed.js'
import { openForm } from './form.js'
import { link, mark } from './markdown.js'
import { drawSelect } from './select-menu.js'

const STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link' }

/** Discord's kinds of components, by number. */
const DRAWERS = {
  1: (message, part) => make('div', { className: 'row' }, inner(message, part)),
  2: drawButton,
  3: drawMenu,
  5: drawMenu,
  6: drawMenu,
  7: drawMenu,
  8: drawMenu,
  9: drawSection,
  10: (_, { content }) => make('div', { className: 'text' }, mark(content)),
  11: (message, { media, description }) => picture(mediaUrl(message, media), 'embed-thumb', description ?? ''),
  12: (message, { items }) =>
    make(
      'div',
      { className: 'gallery' },
      items.map(({ media, description }) => picture(mediaUrl(message, media), 'picture', description ?? '')),
    ),
  13: drawFile,
  14: (_, { divider = true, spacing = 1 }) => make(divider ? 'hr' : 'div', { className: `separator space-${spacing}` }),
  17: drawContainer,
}

export function drawComponent(message, part) {
  return DRAWERS[part.type]?.(message, part) ?? null
}

const inner = (message, { components = [] }) => components.map((part) => drawComponent(message, part))

function drawSection(message, part) {
  return make(
    'div',
    { className: 'section-part' },
    make('div', { className: 'grow' }, inner(message, part)),
    part.accessory ? drawComponent(message, part.accessory) : null,
  )
}

function drawContainer(message, part) {
  const element = make('div', { className: 'embed container' }, inner(message, part))
  if (part.accent_color) element.style.borderInlineStartColor = `#${part.accent_color.toString(16).padStart(6, '0')}`
  return element
}

function drawFile(message, { file }) {
  const attachment = message.attachments.find(({ filename }) => file.url === `attachment://${filename}`)
  return attachment ? drawAttachment(attachment) : make('p', {}, link(file.url, file.url))
}

function mediaUrl({ attachments }, { url }) {
  return attachments.find(({ filename }) => url === `attachment://${filename}`)?.url ?? url
}

function drawButton(message, part) {
  const { label, emoji, url, style, disabled = false, custom_id: id } = part
  const text = [emoji?.name, label].filter(Boolean).join(' ')
  if (url) return make('a', { className: 'component link', href: url, target: '_blank', rel: 'noreferrer' }, text)
  const press = ({ currentTarget }) => use(currentTarget, 'button', { message, customId: id })
  return button({ className: `component ${STYLES[style] ?? ''}`, text, disabled, press, data: { key: id, custom: id } })
}

function drawMenu(message, part) {
  const element = drawSelect(part, (values) => use(element, 'select', { message, customId: part.custom_id, values }))
  return element
}

/** Presses a button or chooses, as the acting member; shows that it is under way. */
async function use(element, kind, { message, customId, values }) {
  const { id } = me()
  element.setAttribute('aria-busy', 'true')
  await attempt(async () => {
    const body = { userId: id, locale: localeOf(id), messageId: message.id, customId, ...(values ? { values } : {}) }
    openForm(await call('POST', guildPath(`/interactions/${kind}`), body))
  })
  element.removeAttribute('aria-busy')
}
