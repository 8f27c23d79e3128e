/**
 * Our Lavalink node beside NodeLink, on this machine and in this run: players in guilds of their own of the stand-in
 * Discord, in encrypted channels whose members come and go, so that each change gives a channel new keys. The rounds
 * alternate: Opus that could pass through and MP3 that must be encoded, each node by itself, since beside each other
 * the one that needs more would take the time of the other. The stand-in's voice server sees the packets arrive.
 *
 *     npm run bench:node -- [--players 200] [--minutes 10] [--changes 10] [--songs 20] [--kinds opus,mp3]
 *                           [--nodelink FOLDER [--nodelink-port 2333] [--nodelink-password youshallnotpass]]
 *
 * `--minutes` is how long each node plays in all, 60 for the long form. FOLDER is a copy of
 * https://github.com/PerformanC/NodeLink, installed as its README says, whose config.js has the address 127.0.0.1, that
 * port and that password, and its HTTP source on. Without it our node is measured alone.
 */
import { parseArgs } from 'node:util'
import { median, ownAtMost, report, type Finding } from './report.ts'
import { playRound, type RoundResult } from './node/round.ts'
import { openStage, type Kind } from './node/stage.ts'
import { nodeLink, ours, type Subject } from './node/subjects.ts'

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '10' },
    changes: { type: 'string', default: '10' },
    songs: { type: 'string', default: '20' },
    kinds: { type: 'string', default: 'opus,mp3' },
    nodelink: { type: 'string' },
    'nodelink-port': { type: 'string', default: '2333' },
    'nodelink-password': { type: 'string', default: 'youshallnotpass' },
  },
})
const players = Number(values.players)
const kinds = values.kinds.split(',') as Kind[]
const seconds = (Number(values.minutes) * 60) / kinds.length
/** Time for joining and starting besides the round; an overloaded node needs more of it. */
const SPARE_SECONDS = 120

/** One more player starts tracks beside those whose gaps are measured. */
const own = ours(2 * players + 1)
const subjects: Subject[] = [own]
if (values.nodelink !== undefined) {
  const address = { port: Number(values['nodelink-port']), password: values['nodelink-password'] }
  subjects.push(nodeLink({ folder: values.nodelink, ...address }))
} else {
  console.log(
    'NodeLink is not measured: --nodelink names the folder where it is installed; tools/bench/node.ts says more.',
  )
}

const stage = await openStage({
  players: players + 1,
  songs: Number(values.songs),
  songSeconds: seconds + SPARE_SECONDS,
  changesPerSecond: Number(values.changes),
})
try {
  for (const kind of kinds) {
    const results: { subject: Subject; result: RoundResult }[] = []
    for (const subject of subjects) {
      const result = await playRound({ stage, subject, kind, seconds })
      print(subject.name, kind, result)
      results.push({ subject, result })
    }
    tell(kind, results)
  }
} finally {
  await stage.close()
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

function print(name: string, kind: Kind, it: RoundResult): void {
  console.log(
    [
      `\n${name}, ${players} players, ${kind}, ${seconds} s`,
      `  packets/s a player  ${it.packetsPerSecond.toFixed(2)}, lost ${it.lost}`,
      `  gaps                p99.9 ${ms(it.p999.median)} (worst player ${ms(it.p999.worst)}), longest ${ms(it.longestMs)}`,
      `  CPU a player        ${it.cpu.toFixed(2)} % of a core`,
      `  memory (PSS)        ${it.mib.each.toFixed(2)} MiB a player, ${it.mib.all.toFixed(0)} MiB in all`,
      `  start               median ${ms(median(it.startMs))}, slowest ${ms(it.startMs.at(-1) ?? Number.NaN)} of ${it.startMs.length}`,
      `  members             ${it.changes.toFixed(1)} changes/s; heard ${it.heard} frames, ${it.undecrypted} not decrypted`,
      `  the meter itself    late by p99.9 ${ms(it.meter.p999)}, at most ${ms(it.meter.longest)}`,
      `  troubles            ${it.troubles}`,
    ].join('\n'),
  )
}

function tell(kind: Kind, results: readonly { subject: Subject; result: RoundResult }[]): void {
  const [first, peer] = results
  if (!first) return
  const about = `${players} players of ${kind === 'opus' ? 'Opus' : 'MP3'}`
  const one = (what: string, unit: string, pick: (result: RoundResult) => number): Omit<Finding, 'goal'> => ({
    what: `${what}, ${about}`,
    own: pick(first.result),
    unit,
    beside: peer ? { whom: peer.subject.name, value: pick(peer.result) } : null,
  })
  report({ ...one('packets a second of each', '/s', (it) => it.packetsPerSecond), goal: { of: 'own', atLeast: 49.9 } })
  report({ ...one('p99.9 of the gaps', ' ms', (it) => it.p999.median), goal: ownAtMost(40) })
  report({ ...one('longest gap', ' ms', (it) => it.longestMs), goal: null })
  report({ ...one('CPU of each', ' %', (it) => it.cpu), goal: null })
  report({ ...one('memory of each', ' MiB', (it) => it.mib.each), goal: null })
  report({ ...one('from PATCH to the first packet', ' ms', (it) => median(it.startMs)), goal: null })
}
