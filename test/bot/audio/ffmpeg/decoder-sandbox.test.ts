import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { openDecoderSandbox, type DecoderSandbox } from '../../../../bot/audio/ffmpeg/decoder-sandbox.ts'
import { createFrameOpener, type FrameOpener } from '../../../../bot/audio/input/open-frames.ts'
import { filterGraphOf } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import type { Playable } from '../../../../bot/sources/source.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { descendantsOf } from '../../../support/descendants.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { serve, type Listening } from '../../../support/web.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

describe('the sandbox of decoders', function () {
  const folder = tempFolder()
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  let sandbox: DecoderSandbox
  let opener: FrameOpener
  let web: Listening
  before(async function () {
    if (spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true']).status !== 0) this.skip()
    mkdirSync(folder.path('library'))
    const source = 'sine=f=440:d=120'
    ffmpegOnce(['-f', 'lavfi', '-i', source], folder.path('library/tone.m4a'))
    writeFileSync(folder.path('secret.txt'), 'a secret of the service')
    sandbox = await openDecoderSandbox([folder.path('library')])
    opener = createFrameOpener(trackAccess(egress), { sandbox })
    const file = readFileSync(folder.path('library/tone.m4a'))
    web = await serve((request, response) => {
      const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}`, 'accept-ranges': 'bytes' }
      response.writeHead(206, range).end(file.subarray(from))
    })
  })
  after(async () => {
    await web?.close()
    await opener?.close()
    await egress.close()
  })

  const open = (playable: Playable) => {
    const wish = { startSamples: 60 * 48_000, filterGraph: filterGraphOf(100, {}, false), onTitle: () => undefined }
    return opener.open(playable, wish, new AbortController().signal)
  }
  const local = () =>
    ({ kind: 'file', path: folder.path('library/tone.m4a'), codec: 'other', isStream: false }) as const
  /** Runs a script as a compromised decoder could. */
  function run(script: string) {
    const [command, ...args] = [...sandbox.enter, '/bin/sh', '-c', script]
    return spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe', ...sandbox.namespaces], encoding: 'utf8' })
  }

  it('plays a file of the library, and a remote one that ffmpeg jumps in', async () => {
    expect(await drain(await open(local()), 200)).to.have.length(200)
    const remote = { kind: 'http', url: `${web.url}/tone.m4a`, codec: 'other', isStream: false } as const
    expect(await drain(await open(remote), 200)).to.have.length(200)
  })

  it('holds the ffmpeg that plays, which has a network and a file system of its own and no capabilities', async () => {
    const source = await open(local())
    const decoder = descendantsOf(process.pid).find(({ command }) => command.startsWith('ffmpeg '))
    const of = (name: string) => readlinkSync(`/proc/${decoder?.pid}/ns/${name}`)
    for (const name of ['net', 'mnt', 'user']) expect(of(name)).not.to.equal(readlinkSync(`/proc/self/ns/${name}`))
    const status = readFileSync(`/proc/${decoder?.pid}/status`, 'utf8')
    expect(status)
      .to.match(/^CapEff:\s+0+$/m)
      .and.match(/^CapPrm:\s+0+$/m)
    source.close()
  })

  it('shows no file but programs and tracks, and lets none be written', () => {
    expect(run(`cat ${folder.path('library/tone.m4a')} | wc -c`).stdout.trim()).not.to.equal('0')
    for (const path of [folder.path('secret.txt'), '/etc/passwd', `${import.meta.dirname}/../../../package.json`])
      expect(run(`cat ${path}`), path).to.deep.include({ stdout: '', status: 1 })
    for (const path of [
      folder.path('library/new'),
      folder.path('library/tone.m4a'),
      '/usr/new',
      '/new-file-at-the-top',
    ])
      expect(run(`echo x >> ${path}`).status, path).not.to.equal(0)
  })

  it('reaches neither what listens on this machine nor what is outside', () => {
    const reach = 'ffmpeg -v error -rw_timeout 3000000 -f null - -i'
    expect(run(`${reach} http://127.0.0.1:${web.port}/tone.m4a`).stderr).to.include('Connection refused')
    expect(run(`${reach} http://192.0.2.1/tone.m4a`).stderr).to.include('Network is unreachable')
  })
})
