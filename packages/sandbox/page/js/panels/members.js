import { avatar } from '../core/avatar.js'
import { button, make, refill } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { applicationOf, me, state } from '../core/store.js'
import { words } from '../core/words.js'
import { makeDraggable } from '../voice/drag.js'
import { actAs, openMemberMenu } from '../voice/member-menu.js'

/** Groups people by their highest role, members without one, and bots; a press makes the page act as a member. */
export function drawMembers(panel) {
  const { guild } = state
  if (!guild?.members) return
  const { groups } = words()
  const roles = guild.roles.filter(({ managed }) => !managed)
  const people = guild.members.filter(({ bot }) => !bot)
  const roleOf = (member) => roles.find(({ id }) => member.roles.includes(id))
  const sections = [
    ...roles.map((role) => [role.name, people.filter((one) => roleOf(one) === role)]),
    [groups.members, people.filter((one) => !roleOf(one))],
    [groups.bots, guild.members.filter(({ bot }) => bot)],
  ]
  refill(
    panel,
    make('p', { className: 'quiet lead' }, words().you, ' ', make('strong', {}, me()?.name ?? '')),
    sections.filter(([, members]) => members.length > 0).map(drawGroup),
  )
}

function drawGroup([title, members], at) {
  const id = `group-${at}`
  return make(
    'section',
    { aria: { labelledby: id } },
    make('h2', { id, className: 'small-title' }, `${title} · ${members.length}`),
    make('ul', { className: 'member-list' }, members.slice(0, 200).map(drawMember)),
  )
}

function drawMember(member) {
  const it = words()
  const isMe = member.id === me()?.id
  const application = applicationOf(member.id)
  const row = button({
    className: 'member',
    press: () => !member.bot && actAs(member),
    data: { key: `act-${member.id}` },
    title: member.bot ? '' : `${it.actAs({ name: member.name })}. ${it.dragHelp}`,
    aria: member.bot ? {} : { pressed: isMe },
  })
  row.append(
    avatar(member),
    make('span', { className: 'grow' }, member.name),
    ...tags(member, { isMe, application, it }),
  )
  makeDraggable(row, member)
  const more = button({
    label: it.actions({ name: member.name }),
    className: 'icon-button',
    picture: icon('more'),
    press: ({ currentTarget }) => openMemberMenu(currentTarget, member),
    data: { key: `more-${member.id}` },
    aria: { haspopup: 'menu' },
  })
  return make('li', { className: 'member-row' }, row, more)
}

function tags(member, { isMe, application, it }) {
  const all = [
    member.id === state.guild.ownerId && it.owner,
    isMe && it.acting,
    member.bot && it.bot,
    application && (application.online ? it.online : it.offline),
  ]
  return all.filter(Boolean).map((text) => make('span', { className: `tag ${text === it.offline ? 'bad' : ''}` }, text))
}
