import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setPriority, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { PacketReport } from 'bandstand-sandbox/voice'
import { fetchJson } from '../../../test/support/service.ts'
import { makeAudio } from '../../../test/support/audio-files.ts'
import { openPlaces, type Place } from '../../stage/places.ts'

export type Kind = 'opus' | 'mp3'

/** Counts of the crowd: membership changes, frames and failures. */
interface CrowdTally {
  readonly changes: number
  readonly heard: number
  readonly undecrypted: number
  /** Members who could not connect. */
  readonly failed: number
}

/** A stand-in Discord with a crowd, and songs: all that is not the node. */
export interface Stage {
  readonly url: string
  readonly certificateFile: string
  /** Discord takes 120 joins a minute of a bot, so there is one for each hundred players, with its places. */
  readonly bots: readonly { readonly token: string; readonly userId: string; readonly places: readonly Place[] }[]
  /** The number of songs. */
  readonly songs: number
  urlOf(kind: Kind, song: number): string
  packets(place: Place, userId: string, options?: { reset: boolean }): Promise<PacketReport>
  /** Lets members come and go, counted from here on, or no longer. */
  churn(isOn: boolean): void
  tally(): Promise<CrowdTally>
  /** The delays of the meter's reference in milliseconds, since the last call. */
  delays(): Promise<readonly number[]>
  close(): Promise<void>
}

interface StageOptions {
  readonly players: number
  readonly songs: number
  readonly songSeconds: number
  readonly changesPerSecond: number
}

const PLAYERS_PER_BOT = 100
const CODECS: Readonly<Record<Kind, readonly string[]>> = {
  opus: ['-c:a', 'libopus', '-b:a', '128k'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '192k'],
}

export async function openStage({ players, songs, songSeconds, changesPerSecond }: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-node-'))
  // Same loudness as players give tracks.
  for (const [kind, codec] of Object.entries(CODECS))
    makeAudio(join(folder, fileOf(kind)), { seconds: songSeconds, options: ['-af', 'volume=-1dB', ...codec] })
  const web = await serve(folder)
  const hall = await start('hall.ts', [])
  const [{ ready }] = (await once(hall, 'message')) as [{ ready: Hall }]
  const { url, certificate } = ready
  const certificateFile = join(folder, 'certificate.pem')
  writeFileSync(certificateFile, certificate)
  const bots = await makeBots(ready, players)
  const children = [hall, await start('reference.ts', [String(ready.referencePort)])]
  // Measuring processes get priority over the measured ones, or their own waiting would show.
  for (const child of children) prefer(child)
  const crowd = await start('crowd.ts', [])
  children.push(crowd)
  const places = await Promise.all(bots.flatMap((bot) => bot.places).map((place) => withMembers(url, place)))
  crowd.send({ url, certificate, changesPerSecond, places })
  await once(crowd, 'message')
  return {
    url,
    certificateFile,
    bots,
    songs,
    urlOf: (kind, song) => `http://127.0.0.1:${web.port}/${fileOf(kind)}?song=${song}`,
    async packets({ guildId }, userId, { reset } = { reset: false }) {
      const path = `/sandbox/guilds/${guildId}/members/${userId}/packets?reset=${reset}`
      return (await fetchJson(url + path, 'GET', undefined, {})).body
    },
    churn(isOn) {
      crowd.send(isOn ? 'churn' : 'rest')
    },
    async tally() {
      const { tally } = await ask<{ tally: CrowdTally }>(crowd, 'tally')
      return tally
    },
    async delays() {
      const { delaysMs } = await ask<{ delaysMs: number[] }>(hall, 'delays')
      return delaysMs
    },
    async close() {
      for (const child of children) child.kill('SIGKILL')
      await web.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ask<T>(child: ChildProcess, what: string): Promise<T> {
  child.send(what)
  return (await once(child, 'message'))[0] as T
}

interface Hall {
  readonly url: string
  readonly certificate: string
  readonly applicationId: string
  readonly token: string
  readonly referencePort: number
}

async function start(file: string, args: readonly string[]): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'spawn')
  return child
}

function prefer({ pid = 0 }: ChildProcess): void {
  try {
    setPriority(pid, -15)
  } catch {
    console.log('  (the meter has no priority: its waiting shows too)')
  }
}

async function makeBots({ url }: Hall, players: number): Promise<Stage['bots']> {
  const sandbox = async (method: string, path: string, body?: unknown) => fetchJson(url + path, method, body, {})
  const bots: Stage['bots'][number][] = []
  for (let left = players; left > 0; left -= PLAYERS_PER_BOT) {
    const { body } = await sandbox('POST', '/sandbox/applications', { name: `Bot ${bots.length + 1}`, guildIds: [] })
    const places = await openPlaces({ sandbox }, body.id, Math.min(left, PLAYERS_PER_BOT))
    bots.push({ token: body.token, userId: body.id, places })
  }
  return bots
}

async function withMembers(url: string, { guildId, channelId }: Place) {
  const add = async () =>
    (await fetchJson(`${url}/sandbox/guilds/${guildId}/members`, 'POST', { name: 'member' }, {})).body
  const members = [await add(), await add()]
  return { guildId, channelId, memberIds: members.map(({ id }) => id) }
}

const fileOf = (kind: string) => `song.${kind === 'opus' ? 'ogg' : kind}`

/** The files, with ranges, as a web server has them. */
async function serve(folder: string): Promise<{ port: number; close(): Promise<void> }> {
  const files = new Map<string, Buffer>()
  const read = (name: string): Buffer => {
    const bytes = files.get(name) ?? readFileSync(join(folder, name))
    files.set(name, bytes)
    return bytes
  }
  const server = createServer((incoming, outgoing) => {
    const name = basename(new URL(incoming.url ?? '/', 'http://localhost').pathname)
    const bytes = read(name)
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? '') ?? []
    const from = Number(first ?? 0)
    const until = Math.min(bytes.length, last ? Number(last) + 1 : bytes.length)
    const type = name.endsWith('mp3') ? 'audio/mpeg' : 'audio/ogg'
    const headers = { 'content-type': type, 'accept-ranges': 'bytes', 'content-length': until - from }
    if (first === undefined) outgoing.writeHead(200, headers)
    else outgoing.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${until - 1}/${bytes.length}` })
    outgoing.end(incoming.method === 'HEAD' ? undefined : bytes.subarray(from, until))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
