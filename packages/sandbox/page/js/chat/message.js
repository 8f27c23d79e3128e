import { call, guildPath } from '../core/api.js'
import { avatar } from '../core/avatar.js'
import { button, make, refill } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { dismiss } from '../core/live.js'
import { openMenu } from '../core/menu.js'
import { attempt } from '../core/problem.js'
import { me, memberOf, state } from '../core/store.js'
import { words } from '../core/words.js'
import { messageApps } from '../voice/member-menu.js'
import { drawComponent } from './components.js'
import { drawAttachment, drawEmbed } from './embed.js'
import { mark } from './markdown.js'

/**
 * A message that stays in place while it is edited: only the part that differs is drawn again, so that a menu that is
 * open, or the button that has the focus, outlives the next second of a progress bar.
 */
export function createMessage() {
  const head = make('header', { className: 'message-head' })
  const body = make('div', { className: 'message-body' })
  const parts = make('div', { className: 'message-parts' })
  const face = make('div', { className: 'message-face' })
  const content = make('div', { className: 'message-content' }, head, body, parts)
  const element = make('article', { className: 'message' }, face, content)
  const drawn = { head: '', body: '', parts: '' }
  return {
    element,
    update(message) {
      const { content: text, embeds, attachments, components, loading, reactions } = message
      element.dataset.id = message.id
      element.classList.toggle('whisper', message.ephemeral)
      const who = state.interactions.get(message.interactionId)
      redraw(
        drawn,
        'head',
        [message.author, message.editedAt, message.ephemeral, who, words().title, memberOf(who?.userId)?.name],
        () => {
          face.replaceChildren(avatar({ id: message.authorId, name: message.author }))
          refill(head, drawHead(message, who))
        },
      )
      redraw(drawn, 'body', [text, embeds, attachments, loading, reactions, words().title], () =>
        refill(body, drawBody(message)),
      )
      redraw(drawn, 'parts', [components, attachments.map(({ url }) => url)], () =>
        refill(
          parts,
          components.map((part) => drawComponent(message, part)),
        ),
      )
    },
  }
}

function redraw(drawn, part, facts, work) {
  const text = JSON.stringify(facts)
  if (drawn[part] === text) return
  drawn[part] = text
  work()
}

function drawHead(message, who) {
  const it = words()
  const { author, bot, createdAt, replyTo, ephemeral } = message
  const user = who && memberOf(who.userId)?.name
  const used = who?.command
    ? make(
        'p',
        { className: 'above' },
        icon('reply'),
        make('strong', {}, user ?? ''),
        ` ${it.used} `,
        make('span', { className: 'mention' }, `/${who.command}`),
      )
    : replyTo && make('p', { className: 'above' }, icon('reply'), it.replyTo({ name: replyTo.author }))
  const time = new Date(createdAt)
  const line = make(
    'p',
    { className: 'message-line' },
    make('strong', { className: 'author' }, author),
    bot ? make('span', { className: 'tag' }, it.bot) : null,
    make(
      'time',
      { className: 'quiet tiny', dateTime: createdAt, title: time.toLocaleString() },
      time.toLocaleTimeString([], { timeStyle: 'short' }),
    ),
    message.editedAt ? make('span', { className: 'quiet tiny' }, it.edited) : null,
    ephemeral ? null : menuButton(message),
  )
  return [used, line]
}

function drawBody(message) {
  const it = words()
  const { content, embeds, attachments, loading, reactions, ephemeral, id } = message
  const inEmbeds = new Set(embeds.flatMap(({ image, thumbnail }) => [image?.url, thumbnail?.url]))
  const text = loading
    ? make('p', { className: 'quiet thinking' }, it.thinking)
    : content && make('div', { className: 'text' }, mark(content))
  return [
    text,
    embeds.map(drawEmbed),
    attachments.filter(({ url }) => !inEmbeds.has(url)).map(drawAttachment),
    reactions.length > 0 &&
      make(
        'p',
        { className: 'reactions' },
        reactions.map(({ emoji, count }) => make('span', { className: 'tag' }, `${emoji} ${count}`)),
      ),
    ephemeral && drawPrivacy(message, id, it),
  ].flat()
}

function drawPrivacy(message, id, it) {
  const isMine = message.for === me()?.id
  const text = isMine ? it.onlyYou : it.onlyOther({ name: memberOf(message.for)?.name ?? '' })
  return make(
    'p',
    { className: 'quiet tiny privacy' },
    icon('eye'),
    text,
    ' · ',
    button({ className: 'plain', text: it.dismiss, press: () => dismiss(id) }),
  )
}

/** Commands that bots have for messages, which Discord calls "Apps", and what a moderator may do. */
function menuButton(message) {
  const it = words()
  const press = ({ currentTarget }) => {
    const apps = messageApps(message.id)
    const path = guildPath(`/channels/${message.channelId}/messages/${message.id}`)
    const remove = {
      text: it.deleteMessage,
      picture: icon('close'),
      danger: true,
      act: () => attempt(() => call('DELETE', path)),
    }
    openMenu(currentTarget, it.messageActions, apps.length > 0 ? [...apps, null, remove] : [remove])
  }
  return button({
    label: it.messageActions,
    className: 'icon-button message-menu',
    picture: icon('more'),
    press,
    aria: { haspopup: 'menu' },
  })
}
