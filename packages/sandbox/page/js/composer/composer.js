import { call, guildPath } from '../core/api.js'
import { button, find, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { localeOf } from '../core/preferences.js'
import { attempt } from '../core/problem.js'
import { changed, channelOf, follow, me, memberOf, state, voiceOf } from '../core/store.js'
import { words } from '../core/words.js'
import { openForm } from '../chat/form.js'
import { moveMember } from '../voice/move.js'
import { createCommandLine } from './command-line.js'
import { commandNamed, findCommands, parseLine } from './commands.js'
import { pack } from './files.js'
import { createListbox, makeCombobox } from './listbox.js'
import { markTried } from './suggestions.js'

const parts = {}
const composer = { line: null, file: null, isBusy: false }
let listbox = null

export function startComposer() {
  build()
  follow(['language'], build)
  follow(['channel', 'guild'], drawPlaceholder)
  follow(['commands', 'locale', 'me'], drawCommand)
  return { run, fill }
}

function build() {
  const it = words()
  const text = composer.line ? '' : (parts.input?.value ?? '')
  parts.list = make('div', { id: 'choices-list', className: 'choices-list', hidden: true })
  listbox = createListbox(parts.list, onPick)
  parts.input = makeCombobox(
    make('input', {
      id: 'composer-input',
      className: 'composer-input',
      autocomplete: 'off',
      enterKeyHint: 'send',
      maxLength: 2000,
      value: text,
    }),
    '',
  )
  parts.input.addEventListener('input', onInput)
  parts.input.addEventListener('keydown', onKey)
  parts.input.addEventListener('blur', () => listbox.hide())
  parts.slot = make('div', { className: 'slot' }, parts.input)
  parts.picker = make('input', { type: 'file', hidden: true, aria: { label: it.choose } })
  parts.picker.addEventListener('change', () => setFile(parts.picker.files[0] ?? null))
  parts.file = make('span', { className: 'file', hidden: true })
  const attach = button({
    label: it.attach,
    className: 'icon-button',
    picture: icon('plus'),
    press: () => parts.picker.click(),
  })
  const send = button({ label: it.send, className: 'icon-button send', picture: icon('send'), press: submit })
  find('composer').replaceChildren(
    make('p', { id: 'problem', className: 'problem', role: 'alert' }),
    parts.list,
    make('div', { className: 'box' }, attach, parts.picker, parts.file, parts.slot, send),
    make('p', { id: 'typing', className: 'typing quiet tiny' }),
  )
  drawPlaceholder()
  if (composer.line) openCommand(composer.line.command.path, {})
}

function drawPlaceholder() {
  const channel = channelOf(state.channelId)?.name ?? ''
  parts.input.placeholder = words().message({ channel })
  parts.input.setAttribute('aria-label', words().messageLabel({ channel }))
}

/** A command keeps its values when its language changes. */
function drawCommand() {
  if (!composer.line) return
  const { path, shown } = composer.line.command
  const now = commandNamed(path)
  if (!now) leave()
  else if (now.shown !== shown) openCommand(path, {})
}

function setFile(file) {
  composer.file = file
  parts.file.hidden = !file
  parts.file.replaceChildren(
    ...(file
      ? [
          icon('file'),
          file.name,
          button({
            label: words().detach({ name: file.name }),
            className: 'plain',
            picture: icon('close'),
            press: () => setFile(null),
          }),
        ]
      : []),
  )
  if (!file) parts.picker.value = ''
}

function onInput() {
  const text = parts.input.value
  if (!text.startsWith('/')) return listbox.hide()
  const exact = text.endsWith(' ') ? parseLine(text) : null
  if (exact) return open(exact.command, exact.values)
  const items = findCommands(text.slice(1)).map((command) => ({
    title: `/${command.shown}`,
    detail: command.description,
    end: command.application,
    value: command,
  }))
  return listbox.show(parts.input, {
    label: words().commands,
    items,
    note: items.length === 0 ? words().noCommand : null,
    selected: 0,
  })
}

function onKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.isComposing) return
  if (listbox.isOpen && step) {
    event.preventDefault()
    listbox.step(step)
  } else if (event.key === 'Escape' && listbox.isOpen) {
    event.stopPropagation()
    listbox.hide()
  } else if (
    (event.key === 'Enter' || event.key === 'Tab') &&
    listbox.activeItem &&
    !parseLine(parts.input.value)?.command.options.length
  ) {
    event.preventDefault()
    pickCommand(listbox.activeItem.value)
  } else if (event.key === 'Enter') {
    event.preventDefault()
    void submit()
  }
}

/** A whole line that was pasted, as `/play paper lanterns`, is sent as it stands. */
function onPick(value) {
  if (composer.line) composer.line.pick(value)
  else pickCommand(value)
}

const pickCommand = (command) => open(command, {})

function open(command, values) {
  listbox.hide()
  composer.line = createCommandLine(command, values, { listbox, submit, leave })
  parts.input.value = ''
  parts.slot.replaceChildren(composer.line.element)
  if (Object.keys(values).length > 0) composer.line.focusEnd()
  else composer.line.focus()
}

function openCommand(path, values) {
  const command = commandNamed(path)
  if (command) open(command, values)
}

/** Back to plain words. */
function leave() {
  listbox.hide()
  composer.line = null
  parts.slot.replaceChildren(parts.input)
  parts.input.focus()
}

/** Fills a command in and leaves it to the person to send it; only where nothing is being written. */
function fill({ command: path, options }) {
  const command = commandNamed(path)
  // A phone has no room for it, and would open its keyboard.
  if (!command || composer.line || parts.input.value !== '' || !matchMedia('(hover: hover)').matches) return
  composer.line = createCommandLine(command, options, { listbox, submit, leave })
  parts.slot.replaceChildren(composer.line.element)
  if (document.activeElement === document.body) composer.line.focusEnd()
}

async function submit() {
  if (composer.isBusy) return
  const { line } = composer
  composer.isBusy = true
  await attempt(async () => {
    if (line) await sendCommand(line)
    else await sendText()
  })
  composer.isBusy = false
}

async function sendCommand(line) {
  const options = await line.read()
  if (composer.line === line) leave()
  void attempt(() => use(line.command, options))
}

async function use({ applicationId, path }, options, id = me().id) {
  const body = { userId: id, channelId: state.channelId, applicationId, locale: localeOf(id), command: path, options }
  markTried(path)
  openForm(await call('POST', guildPath('/interactions/command'), body))
}

async function sendText() {
  const text = parts.input.value.trim()
  const parsed = parseLine(text)
  if (parsed) {
    open(parsed.command, parsed.values)
    return sendCommand(composer.line)
  }
  if (text.startsWith('/')) throw new Error(words().noCommand)
  const { file } = composer
  if (text === '' && !file) return undefined
  parts.input.value = ''
  setFile(null)
  const body = { userId: me().id, content: text, ...(file ? { file: await pack(file) } : {}) }
  try {
    await call('POST', guildPath(`/channels/${state.channelId}/messages`), body)
  } catch (error) {
    // Keep the text.
    parts.input.value ||= text
    throw error
  }
  return undefined
}

/** Sends a command at once, as a press on a suggestion does, and those that follow it. */
function run({ command: path, options, followedBy = [], members = [] }) {
  const command = commandNamed(path)
  if (!command) return
  if (composer.line?.command.path === path) leave()
  void attempt(async () => {
    const { channelId } = voiceOf(me().id) ?? {}
    for (const id of members) await moveMember(memberOf(id), channelId)
    await use(command, options, members[0])
    for (const next of followedBy) {
      const follower = commandNamed(next.command)
      if (follower) await use(follower, next.options)
    }
  })
  changed('messages')
}
