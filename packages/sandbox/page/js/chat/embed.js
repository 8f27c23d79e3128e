import { make } from '../core/dom.js'
import { link, mark } from './markdown.js'

export function drawEmbed({
  author,
  title,
  url,
  description,
  fields = [],
  thumbnail,
  image,
  footer,
  color,
  timestamp,
}) {
  const heading = title ? (url ? link(url, mark(title)) : mark(title)) : null
  const last = [footer?.text, timestamp && new Date(timestamp).toLocaleString()].filter(Boolean).join(' · ')
  const element = make(
    'div',
    { className: 'embed' },
    make(
      'div',
      { className: 'embed-lead' },
      author
        ? make('p', { className: 'embed-author' }, author.url ? link(author.url, author.name) : author.name)
        : null,
      heading ? make('p', { className: 'embed-title' }, heading) : null,
      description ? make('div', { className: 'text' }, mark(description)) : null,
    ),
    thumbnail ? picture(thumbnail.url, 'embed-thumb') : null,
    fields.length > 0 ? make('div', { className: 'embed-fields' }, fields.map(drawField)) : null,
    image ? picture(image.url, 'picture') : null,
    last ? make('p', { className: 'quiet tiny' }, last) : null,
  )
  if (color) element.style.borderInlineStartColor = `#${color.toString(16).padStart(6, '0')}`
  return element
}

function drawField({ name, value, inline }) {
  return make(
    'div',
    { className: inline ? '' : 'whole' },
    make('p', { className: 'strong' }, mark(name)),
    make('div', { className: 'text' }, mark(value)),
  )
}

/** A picture that cannot be loaded leaves nothing behind. */
export function picture(src, className, alt = '') {
  const image = make('img', { className, alt, loading: 'lazy', decoding: 'async' })
  image.addEventListener('error', () => image.remove())
  image.src = src
  return image
}

export function drawAttachment({ url, filename, size, content_type: type = '', description }) {
  if (type.startsWith('image/')) return picture(url, 'picture', description ?? filename)
  if (type.startsWith('audio/')) return make('audio', { controls: true, preload: 'none', src: url, title: filename })
  const kib = `${Math.max(1, Math.round(size / 1024))} KiB`
  return make('p', { className: 'attachment' }, link(url, filename), ' ', make('span', { className: 'quiet' }, kib))
}
