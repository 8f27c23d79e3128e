/**
 * 100 members with the web player of one guild open, in which something changes twice a second: how long each change takes to
 * reach each page, and what that does to the packets of the players. `npm run bench:web-players [pages] [seconds]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type RunningService } from '../test/support/service.ts'
import { enterLink } from './enter-link.ts'
import { HEADINGS, measure, print, startConcert, withTone } from './places.ts'
import { ownAtMost, ratioAtMost, report } from './report.ts'

const PAGES = Number(process.argv[2] ?? 100)
const SECONDS = Number(process.argv[3] ?? 20)
const PLAYERS = 10
const CHANGE_EVERY_MS = 500
const PATIENCE_MS = 3000

/** Told of every player that a page is shown, with the page's number. */
type OnPlayer = (page: number, player: { readonly volume: number }) => void

/** A new member of the guild who opens the link of `/web`, and reads what their page is told. */
async function openPage(service: RunningService, page: number, onPlayer: OnPlayer): Promise<AbortController> {
  const { guildId, textChannelId, baseUrl } = service.demo
  const members = await service.sandbox('POST', `/sandbox/guilds/${guildId}/members`, { name: `Member ${page}` })
  const asked = { userId: members.body.id, channelId: textChannelId, command: 'web', options: {}, waitMs: 10_000 }
  const { body } = await service.sandbox('POST', `/sandbox/guilds/${guildId}/interactions/command`, asked)
  const link: string = body.message.components[0].components[0].url
  const cookie = await enterLink(link)
  const shown = await (await fetch(`${baseUrl}/listen/${guildId}`, { headers: { cookie } })).text()
  const csrf = /data-csrf="(\w+)"/.exec(shown)?.[1] ?? ''
  const ending = new AbortController()
  const headers = { cookie, 'x-csrf-token': csrf }
  const live = await fetch(`${baseUrl}/listen/${guildId}/live`, { headers, signal: ending.signal })
  if (!live.ok || !live.body) throw new Error(`The page of member ${page} answered ${live.status}.`)
  void read(live.body, (player) => onPlayer(page, player)).catch(() => undefined)
  return ending
}

async function read(body: ReadableStream<Uint8Array>, onPlayer: (player: { volume: number }) => void): Promise<void> {
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      if (!block.startsWith('data: ')) continue
      const message = JSON.parse(block.slice(6))
      if (message.type === 'player' && message.player) onPlayer(message.player)
    }
  }
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

await withTone(SECONDS * 2 + 240, async (libraryDir) => {
  const service = await startService({ env: { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' } })
  const { guildId, voiceChannelId: channelId } = service.demo
  const path = `/v1/music/guilds/${guildId}`
  const heard = new Map<number, number>()
  let wanted = -1
  const pages: AbortController[] = []
  try {
    const concert = await startConcert(service, PLAYERS)
    await service.call('POST', `${path}/play`, { body: { query: 'benchmark tone', channelId } })
    const places = [...concert.places, { guildId, channelId }]
    const whom = { userId: concert.userId, seconds: SECONDS }
    for (let page = 0; page < PAGES; page += 1) {
      const onPlayer: OnPlayer = (at, { volume }) => void (volume === wanted && heard.set(at, performance.now()))
      pages.push(await openPage(service, page, onPlayer))
    }
    await sleep(3000)
    console.log(HEADINGS)
    const calm = await measure(service, places, whom)
    print('nothing changes', calm)

    const times: number[] = []
    let lost = 0
    async function changes(): Promise<void> {
      const deadline = performance.now() + SECONDS * 1000
      for (let at = 0; performance.now() < deadline; at += 1) {
        heard.clear()
        wanted = 60 + (at % 40)
        const askedMs = performance.now()
        const { status } = await service.call('PATCH', `${path}/player`, { body: { volume: wanted } })
        if (status !== 200) throw new Error(`The change answered ${status}.`)
        while (heard.size < PAGES && performance.now() < askedMs + PATIENCE_MS) await sleep(5)
        lost += PAGES - heard.size
        times.push(...[...heard.values()].map((ms) => ms - askedMs))
        await sleep(Math.max(0, askedMs + CHANGE_EVERY_MS - performance.now()))
      }
    }
    const [busy] = await Promise.all([measure(service, places, whom), changes()])
    print('two changes a second', busy)
    const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(times, share)) as [number, number, number]
    console.log(`${times.length} updates of ${PAGES} pages, ${lost} lost`)
    console.log(
      `from the request to each: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)} ms`,
    )
    const what = `p99 from a change to each of ${PAGES} web players`
    report({ what, own: p99, unit: ' ms', beside: { whom: 'p50', value: p50 }, goal: ownAtMost(300) })
    report({
      what: `p99.9 of the gaps between packets of ${places.length} players meanwhile`,
      own: busy.p999,
      unit: ' ms',
      beside: { whom: 'nothing changes', value: calm.p999 },
      goal: ratioAtMost(1.33),
    })
  } finally {
    for (const page of pages) page.abort()
    await service.stop()
  }
})
