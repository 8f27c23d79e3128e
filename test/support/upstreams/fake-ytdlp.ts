import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program that takes yt-dlp's options and answers as it does, on its standard output and with its complaints. */
export interface FakeYtDlp {
  readonly path: string
  /** The arguments of every run, oldest first. */
  runs(): readonly (readonly string[])[]
  /** The process ids of every run and of what the runs started. */
  pids(): readonly number[]
}

const SCRIPT = String.raw`
const { appendFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const args = process.argv.slice(2)
const log = __filename + '.log'
if (args[0] === '--version') { process.stdout.write('2026.11.22\n'); process.exit(0) }
appendFileSync(log, JSON.stringify({ args, pid: process.pid, env: Object.keys(process.env) }) + '\n')
const address = args.at(-1)
if (args.at(-2) !== '--') fail('no -- before the address')
function fail(text) { process.stderr.write('WARNING: noise\nERROR: ' + text + '\n'); process.exit(1) }
function say(value) { process.stdout.write(JSON.stringify(value) + '\n') }
const video = (id, more) => ({ id, title: 'Seed Söng (Official Video)', channel: 'Quay - Topic', uploader: 'Quay', artists: null,
  duration: 213.4, is_live: false, live_status: 'not_live', ext: 'webm', acodec: 'opus', protocol: 'https',
  url: 'https://rr1.example/videoplayback?expire=1&n=x', ...more })
const flat = (id, more) => ({ _type: 'url', id, title: 'Song ' + id, channel: 'Quay', duration: 200, live_status: null, ...more })
const answers = {
  aaaaaaaaaaa: () => say(video('aaaaaaaaaaa', { description: 'Hello!\n0:00 One\n1:00 Two\n2:00 Three', chapters: null })),
  '-cccccccccc': () => say(video('-cccccccccc', { ext: 'm4a', acodec: 'mp4a.40.2',
    description: '0:00 Not\n0:10 these\n0:20 ones', chapters: [{ start_time: 0, end_time: 9.5, title: 'Shown' }, { start_time: 9.5, title: 'On the bar' }, { title: 'broken' }] })),
  lllllllllll: () => say(video('lllllllllll', { is_live: true, live_status: 'is_live', duration: null, protocol: 'm3u8_native' })),
  hhhhhhhhhhh: () => say(video('hhhhhhhhhhh', { protocol: 'm3u8_native' })),
  bbbbbbbbbbb: () => fail('[youtube] bbbbbbbbbbb: Sign in to confirm you’re not a bot. Use --cookies'),
  uuuuuuuuuuu: () => fail('[youtube] uuuuuuuuuuu: Video unavailable. This video has been removed'),
  ppppppppppp: () => fail('[youtube] ppppppppppp: Private video. Sign in if you have been granted access'),
  ggggggggggg: () => fail('[youtube] ggggggggggg: Sign in to confirm your age. This video may be inappropriate'),
  kkkkkkkkkkk: () => fail('[youtube] kkkkkkkkkkk: This live event will begin in 3 hours.'),
  '44444444444': () => fail('[youtube] 44444444444: HTTP Error 429: Too Many Requests'),
  eeeeeeeeeee: () => process.exit(0),
  wwwwwwwwwww: () => say({ surprise: true }),
  jjjjjjjjjjj: () => process.stdout.write('{"id": "jjj'),
  ttttttttttt: () => { const timer = setInterval(() => process.stdout.write('x'.repeat(1 << 20)), 1); process.stdout.on('error', () => clearInterval(timer)) },
  zzzzzzzzzzz: () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    appendFileSync(log, JSON.stringify({ pid: child.pid }) + '\n')
    setInterval(() => {}, 1000)
  },
}
const id = /[?&]v=([^&]+)/.exec(address)?.[1]
if (address.startsWith('ytsearch')) {
  const found = address.endsWith(':nothing') ? [] : [flat('aaaaaaaaaaa'), flat('lllllllllll', { live_status: 'is_live' }), null, flat('-cccccccccc', { artists: ['The Artist'] })]
  say({ _type: 'playlist', title: address, entries: found })
} else if (address.includes('&list=RD')) {
  say({ _type: 'playlist', title: 'Mix', entries: [flat(id), flat('ddddddddddd'), flat('fffffffffff')] })
} else if (address.includes('playlist?list=')) {
  if (address.endsWith('PLnone')) fail('[youtube:tab] PLnone: YouTube said: The playlist does not exist.')
  say({ _type: 'playlist', title: 'Sample List', entries: [flat('aaaaaaaaaaa'), flat('bbbbbbbbbbb', { title: '[Private video]', duration: null }), null, flat('-cccccccccc')] })
} else answers[id]()
`

const MEDIA_URL = 'https://rr1.example'

export function makeFakeYtDlp(folder: string, mediaUrl = MEDIA_URL): FakeYtDlp {
  const path = join(folder, 'yt-dlp')
  writeFileSync(path, `#!${process.execPath}\n${SCRIPT.replaceAll(MEDIA_URL, mediaUrl)}`)
  chmodSync(path, 0o755)
  writeFileSync(`${path}.log`, '')
  const lines = () =>
    readFileSync(`${path}.log`, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { args?: string[]; pid: number })
  return {
    path,
    runs: () => lines().flatMap(({ args }) => (args ? [args] : [])),
    pids: () => lines().map(({ pid }) => pid),
  }
}
