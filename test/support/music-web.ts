import { createReadStream, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createSources } from '../../bot/sources/index.ts'
import { createReader } from '../../bot/sources/library/reader.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { createLibraryRecords } from '../../db/music/library.ts'
import { createLog } from '../../lib/log.ts'
import { makeAudio } from './audio-files.ts'
import { closing } from './closing.ts'
import { temporaryDatabase, temporaryFolder } from './database.ts'
import { serve, type Listening } from './web.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A web server with music on it, and sources that may reach it and nothing else inside. */
export interface MusicWeb {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** `127.0.0.1:PORT` */
  readonly host: string
  readonly sources: Sources
  /** Folder of the files. */
  readonly folder: string
  /** Paths that were asked for since the test began. */
  readonly requests: readonly string[]
  /** Handler of the server from now on; at first, `files`. */
  answer: Answer
  /** Answers with files of the folder, by ranges as web servers do. */
  readonly files: Answer
  readonly own: ReturnType<typeof closing>
}

export const TAGS = { title: 'Süße Nacht', artist: '東京 Trio' }
const OPUS = ['-c:a', 'libopus']
const AAC = ['-c:a', 'aac', '-b:a', '192k']
/** Each 20 s long. */
const FILES: readonly (readonly [name: string, tags: Record<string, string>, options: readonly string[]])[] = [
  ['song.mp3', TAGS, []],
  ['song.flac', TAGS, []],
  ['song.opus', TAGS, OPUS],
  ['song.webm', TAGS, OPUS],
  ['song.m4a', TAGS, AAC],
  ['fast.m4a', TAGS, [...AAC, '-movflags', '+faststart']],
  ['plain.mp3', {}, []],
  ['live.aac', {}, AAC],
]

/** Call it at the top of a `describe`: made once, with a fresh server and fresh sources for each test. */
export function musicWeb(): MusicWeb {
  const own = closing()
  const folder = temporaryFolder()
  const requests: string[] = []
  let server: Listening
  let sources: Sources
  const web: MusicWeb = {
    own,
    requests,
    folder: folder.path,
    files: (request, response) => sendFile(folder.path, request, response),
    answer: (request, response) => sendFile(folder.path, request, response),
    get url() {
      return server.url
    },
    get host() {
      return `127.0.0.1:${server.port}`
    },
    get sources() {
      return sources
    },
  }

  before(() => {
    for (const [name, tags, options] of FILES) makeAudio(join(folder.path, name), { seconds: 20, tags, options })
  })
  after(() => folder.remove())
  beforeEach(async () => {
    requests.length = 0
    web.answer = web.files
    server = own(
      await serve((request, response) => {
        requests.push(request.url ?? '')
        web.answer(request, response)
      }),
    )
    sources = await reaching(web, web.host)
  })
  return web
}

/** Sources that may reach one host; closed after the test. */
export async function reaching({ own, folder }: MusicWeb, host: string): Promise<Sources> {
  const records = createLibraryRecords(own(temporaryDatabase()).store)
  const library = { folders: [join(folder, 'library')], records }
  const log = createLog('silent')
  const reader = own(createReader({ allowHosts: [host], log }))
  return own(await createSources({ names: ['library', 'http'], library, reader, allowHosts: [host], log }))
}

function sendFile(folder: string, { url, headers }: IncomingMessage, response: ServerResponse): void {
  const path = join(folder, (url ?? '').replace(/\?.*/, '').replace(/.*\//, ''))
  const { size } = statSync(path)
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = Math.min(size - 1, to ? Number(to) : size - 1)
  response.writeHead(from === undefined ? 200 : 206, {
    'content-length': end - start + 1,
    ...(from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  createReadStream(path, { start, end }).pipe(response)
}
