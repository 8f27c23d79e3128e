import { ApplicationCommandOptionType as Type } from 'discord.js'
import { expect } from 'chai'
import { postMessage } from 'bandstand-sandbox/world'
import { CARD_ACTIONS, MORE_ACTIONS } from '../../../bot/commands/card/card-id.ts'
import { TABLE } from '../../../bot/commands/core/all-commands.ts'
import { decideOperation, type Situation } from '../../../bot/permissions/decide.ts'
import { PERMISSION_NAMES, PERMISSIONS } from '../../../bot/permissions/permission-table.ts'
import { OPERATIONS, type Input, type OperationName } from '../../../bot/player/operations.ts'
import { createMemberStage, type MemberStage, type Seen } from '../../support/members.ts'
import { testSources, tokenOf } from '../../support/stage.ts'
import { QUESTIONS } from '../../support/vote-questions.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const voteText = textOf('permissions', 'vote')
/** Member 1 of the four listeners, who wants to spoil it for the others. */
const GRIEFER = 1
const LISTENERS = [1, 2, 3, 4]
const MINE = 'bookM'
const PANEL = { settings: ['volume'], set: ['stay:true'], pick: ['dj'] }
const track = { encoded: tokenOf('M') }

/** Every operation with all that could be asked of it. One that is missing here does not compile. */
const INPUTS: { readonly [Name in OperationName]: readonly Input<Name>[] } = {
  info: [{}],
  queue: [{}],
  queueItems: [{}],
  requesters: [{}],
  trace: [{}],
  listen: [{}],
  skip: [{}],
  skipTo: [{ position: 1 }, { position: 2 }, { position: 3 }],
  previous: [{}],
  patch: [
    { paused: true },
    { volume: 0 },
    { volume: 200 },
    { loop: 'track' },
    { loop: 'queue' },
    { filters: { volume: 0 } },
    { autoplay: true },
    { positionMs: 59_000 },
    { paused: false, volume: 0 },
  ],
  seekBy: [{ seconds: 10 }, { seconds: -10 }],
  seekToChapter: [{ chapter: 2 }],
  mute: [{ muted: true }],
  unmute: [],
  sleep: [{ minutes: 1 }, { minutes: null }, { minutes: 0 }],
  shuffle: [{}],
  clear: [{}],
  removeDuplicates: [{}],
  remove: [{ position: 1 }, { position: 3 }],
  move: [
    { from: 3, to: 1 },
    { from: 2, to: 1 },
    { from: 2, to: 3 },
  ],
  removeSeveral: [{ positions: [1, 3] }, { positions: [1] }],
  moveSeveral: [{ positions: [2, 3], to: 1 }],
  undo: [{}],
  nextTrack: [{}],
  setNextTrack: [{ track }],
  clearNextTrack: [{}],
  layers: [{}],
  addLayer: [{ track, volume: 1 }],
  changeLayer: [{ id: '1', volume: 1 }],
  removeLayer: [{ id: '1' }],
  close: [{}],
}

/** Possible inputs of buttons, menus and forms, by kind. A missing kind fails the test. */
const COMPONENTS: Readonly<Record<string, readonly string[] | 'menu' | 'form' | 'vote'>> = {
  queue: ['1'],
  chapters: ['1'],
  chapter: 'menu',
  card: CARD_ACTIONS,
  more: MORE_ACTIONS,
  again: [''],
  add: [''],
  adding: 'form',
  favourite: 'menu',
  shared: ['1:x'],
  copy: ['1:x'],
  found: 'menu',
  history: ['1'],
  replay: 'menu',
  lyrics: ['1'],
  follow: [''],
  words: [''],
  vote: 'vote',
  help: 'menu',
  ...PANEL,
}

/** Texts typed for options, by the option's name. */
const TEXTS: Readonly<Record<string, string>> = { time: '0:50', name: 'mine', url: 'https://example.com/' }

function samplesOf(option: any, stage: MemberStage): readonly unknown[] {
  if (option.choices) return option.choices.map(({ value }: any) => value)
  switch (option.type) {
    case Type.Integer:
    case Type.Number:
      return [...new Set([option.min_value ?? 0, 2, 3, option.max_value ?? 9])].filter(
        (value) => value >= (option.min_value ?? 0) && value <= (option.max_value ?? 9),
      )
    case Type.Boolean:
      return [true, false]
    case Type.Role:
      return [stage.guild.id]
    case Type.Channel:
      return [option.channel_types?.includes(2) ? stage.sandbox.demo.voiceChannelId : stage.sandbox.demo.textChannelId]
    case Type.User:
      return [stage.ids[2]]
    case Type.Attachment:
      return [{ name: 'a.mp3', type: 'audio/mpeg', base64: 'AAAA' }]
    default:
      return [TEXTS[option.name] ?? MINE]
  }
}

type Filled = Readonly<Record<string, unknown>>

/** Required options alone, with one or two optional ones, and with all; each with every sample. */
function fillings(options: readonly any[], stage: MemberStage): readonly Filled[] {
  const required = options.filter((option) => option.required)
  const optional = options.filter((option) => !option.required)
  const some = optional.flatMap((one, index) => [[one], ...optional.slice(index + 1).map((other) => [one, other])])
  const sets = [[], ...some, optional].map((set) => required.concat(set))
  const all = sets.flatMap((set) => {
    const samples = set.map((option) => [option.name, samplesOf(option, stage)] as const)
    const count = Math.max(1, ...samples.map(([, values]) => values.length))
    return Array.from({ length: count }, (_, index) =>
      Object.fromEntries(samples.map(([name, values]) => [name, values[index % values.length]])),
    )
  })
  return [...new Map(all.map((filled) => [JSON.stringify(filled), filled])).values()]
}

/** All slash commands, subcommands included, with all that can be filled in. */
function callsOf(stage: MemberStage): readonly (readonly [name: string, filled: Filled])[] {
  return TABLE.commands.flatMap(({ name, definition: { options = [] } }) => {
    const subcommands = (options as any[]).filter(({ type }) => type === Type.Subcommand)
    const all =
      subcommands.length === 0
        ? [{ path: name, options }]
        : subcommands.map((one) => ({ path: `${name} ${one.name}`, options: one.options ?? [] }))
    return all.flatMap(({ path, options: own }) => fillings(own, stage).map((filled) => [path, filled] as const))
  })
}

describe('one of four listeners, without a DJ', () => {
  let stage: MemberStage
  const votes = new Set<string>()

  beforeEach(async () => {
    stage = await createMemberStage({ sources: testSources })
    for (const member of LISTENERS) await stage.sit(member)
    await stage.type('play', { query: 'book1' }, { by: 3 })
    await stage.type('skip', {}, { by: 3 })
    for (const [query, by] of [
      ['book2', 2],
      ['B C', 3],
      [MINE, GRIEFER],
      ['D', 4],
    ] as const) {
      await stage.type('play', { query }, { by })
    }
    await stage.type('favourites add', {}, { by: GRIEFER })
    await stage.type('playlist save', { name: 'mine' }, { by: GRIEFER })
    votes.clear()
  })
  afterEach(() => stage.close())

  /** The others' current and queued music; tracks that the member adds behind it do not count. */
  async function othersMusic() {
    const { scope, guild, music, node } = stage
    const told = await music.info(scope, guild.id)
    const { queue, current, positionMs: _, suggestion: __, queueVersion: ___, queueLength: ____, ...info } = told
    const requesters = await music.requesters(scope, guild.id)
    const mine = (index: number) => requesters.queue[index] === stage.ids[GRIEFER]
    const waiting = queue.flatMap(({ title }, index) =>
      mine(index) ? [] : [{ title, behind: queue.slice(0, index).filter((_, before) => mine(before)).length }],
    )
    return {
      ...info,
      current: current?.title,
      waiting,
      layers: await music.layers(scope, guild.id),
      nextTrack: await music.nextTrack(scope, guild.id),
      heard: node.calls.filter((call) => !call.startsWith('next')),
      settings: await stage.test.settings.get(scope.botId, guild.id),
    }
  }

  type Music = Awaited<ReturnType<typeof othersMusic>>

  /** The same music, and no one waits behind more of the member's tracks. */
  function expectUnharmed(now: Music, before: Music, after: string): void {
    const titles = ({ waiting, ...music }: Music) => ({ ...music, waiting: waiting.map(({ title }) => title) })
    expect(titles(now), after).to.deep.equal(titles(before))
    for (const [index, { behind }] of now.waiting.entries()) {
      expect(behind, after).to.be.at.most(before.waiting[index]?.behind ?? 0)
    }
  }

  function noteVote({ text, whole }: Seen): void {
    const title = text.split('\n').find((line) => line.startsWith('🗳️'))
    if (title && whole.messages !== undefined) votes.add(title)
  }

  it('may carry out no operation alone that others would hear or miss', () => {
    const situation: Situation = {
      settings: { djRoleId: null, voteRatio: 0.5, permissions: {} },
      member: { id: 'me', voiceChannelId: '1', roleIds: new Set(), isManager: false },
      channelId: '1',
      listeners: ['me', 'a', 'b', 'c'],
      requests: { isPlaying: true, current: 'a', queue: ['b', 'me', 'c'] },
    }
    for (const name of Object.keys(INPUTS) as OperationName[]) {
      const { isChange } = OPERATIONS[name]
      for (const input of INPUTS[name]) {
        const { outcome } = decideOperation(situation, name, input)
        expect(outcome, `${name} ${JSON.stringify(input)}`).to.equal(isChange || name === 'close' ? 'vote' : 'allowed')
      }
    }
    expect(Object.keys(INPUTS)).to.have.members(Object.keys(OPERATIONS))
  })

  it('can neither stop, clear, seek, silence nor change anything else by any command, however it is filled in', async () => {
    const before = await othersMusic()
    const calls = callsOf(stage)
    for (const [command, filled] of calls) {
      noteVote(await stage.type(command, filled, { by: GRIEFER }))
      expectUnharmed(await othersMusic(), before, `/${command} ${JSON.stringify(filled)}`)
    }
    // So that the walk cannot pass for having tried nothing.
    const tried = PERMISSION_NAMES.filter((name) => PERMISSIONS[name].rule === 'vote')
    const asked = tried.filter((name) => [...votes].some((question) => QUESTIONS[name]?.test(question)))
    expect(asked).to.deep.equal(tried)
  })

  it('can do none of it by any button, menu or form either', async () => {
    const { world, demo } = stage.sandbox
    expect(Object.keys(COMPONENTS)).to.have.members(TABLE.components.map(({ name }) => name))
    const [{ author }] = stage.cards()
    const place = { guild: stage.guild, channelId: demo.textChannelId }
    const post = (component: object) =>
      postMessage(world, place, {
        author,
        draft: { content: 'x', components: [{ type: 1, components: [component] }] },
      }).id
    const before = await othersMusic()
    const check = async (what: string, seen: Seen) => {
      noteVote(seen)
      expectUnharmed(await othersMusic(), before, what)
      return seen
    }
    const by = { by: GRIEFER }
    for (const [kind, all] of Object.entries(COMPONENTS)) {
      if (typeof all === 'string') continue
      for (const about of all) {
        const customId = about === '' ? kind : `${kind}:${about}`
        const messageId = post({ type: 2, style: 1, label: 'x', custom_id: customId })
        const seen = await check(customId, await stage.press(messageId, customId, by))
        if (seen.answer === 'form') await check('form', await stage.send(seen.whole.interactionId, { query: MINE }))
      }
    }
    const found = await stage.type('search', { query: MINE, when: 'now' }, by)
    const menus = [
      ['chapter:1', ['1', '2', '3'], null],
      ['found:now', null, found],
      ['found:next', null, await stage.type('search', { query: MINE, when: 'next' }, by)],
      ['replay', null, await stage.type('history', {}, by)],
      ['favourite', null, await stage.type('favourites list', {}, by)],
      ['help', null, await stage.type('help', {}, by)],
    ] as const
    const kinds = Object.keys(COMPONENTS).filter((kind) => COMPONENTS[kind] === 'menu')
    expect(new Set(menus.map(([customId]) => customId.split(':')[0]))).to.deep.equal(new Set(kinds))
    for (const [customId, values, message] of menus) {
      const options = (values ?? []).map((value) => ({ label: value, value }))
      const menu = message?.whole.messages ? partOf(message, customId) : { options }
      const messageId = message?.messageId ?? post({ type: 3, custom_id: customId, options })
      for (const { value } of menu.options) await check(customId, await stage.choose(messageId, customId, [value], by))
    }
    const vote = await stage.type('stop', {}, by)
    const [voteId = ''] = vote.customIds
    for (let time = 0; time < 4; time += 1) {
      const pressed = await check('a second voice', await stage.press(vote.messageId, voteId, by))
      expect(pressed.text).to.equal(voteText.en.words.already)
    }
    expect(votes.size).to.be.at.least(8)
  })
})

function partOf({ whole }: Seen, customId: string): { options: readonly { value: string }[] } {
  const message = whole.message ?? whole.messages.at(-1)
  return message.components
    .flatMap(({ components }: any) => components)
    .find((part: any) => part.custom_id === customId)
}
