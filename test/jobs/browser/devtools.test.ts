import { expect } from 'chai'
import { PassThrough } from 'node:stream'
import { openDevTools } from '../../../jobs/browser/devtools/connection.ts'

/** A connection whose other end is this test. */
function open() {
  const [commands, events] = [new PassThrough(), new PassThrough()]
  const sent: { id: number; method: string; sessionId?: string }[] = []
  commands.on('data', (chunk: Buffer) => {
    for (const text of chunk.toString().split('\0').filter(Boolean)) sent.push(JSON.parse(text))
  })
  const say = (message: object) => events.write(`${JSON.stringify(message)}\0`)
  return { devTools: openDevTools({ commands, events }), sent, events, say }
}

function reason(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: Error) => error.message)
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe('the connection to the browser', () => {
  it('gives each command the answer that belongs to it, in any order and in pieces of any size', async () => {
    const { devTools, sent, events } = open()
    const first = devTools.root.send('Browser.getVersion')
    const second = devTools.session('A').send('Page.enable')
    await turn()
    expect(sent.map(({ method, sessionId }) => [method, sessionId])).to.deep.equal([
      ['Browser.getVersion', undefined],
      ['Page.enable', 'A'],
    ])
    const [one, two] = sent.map(({ id }) => id)
    const bytes = Buffer.from(`{"id":${two},"result":{"of":"söcond"}}\0{"id":${one},"result":{"of":"first"}}\0`)
    for (const byte of bytes) events.write(Buffer.from([byte]))
    expect(await Promise.all([first, second])).to.deep.equal([{ of: 'first' }, { of: 'söcond' }])
  })

  it('gives the bytes of pictures of any size, in pieces of any size, and the reason where there is none', async () => {
    const { devTools, sent, events } = open()
    const session = devTools.session('A')
    for (const length of [0, 1, 2, 3, 49_150, 49_151, 49_152, 200_000]) {
      const picture = Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 37) % 251))
      const answered = session.sendForData('Page.captureScreenshot', {})
      await turn()
      const data = picture.toString('base64')
      const message = Buffer.from(`${JSON.stringify({ id: sent.at(-1)!.id, result: { data }, sessionId: 'A' })}\0`)
      for (let at = 0; at < message.length; at += 10_000) events.write(message.subarray(at, at + 10_000))
      expect((await answered).equals(picture), `${length}`).to.equal(true)
    }
    const failing = reason(session.sendForData('Page.captureScreenshot', {}))
    await turn()
    events.write(`${JSON.stringify({ id: sent.at(-1)!.id, error: { message: 'Unable to capture screenshot' } })}\0`)
    expect(await failing).to.equal('Page.captureScreenshot: Unable to capture screenshot')
  })

  it('tells events to the session that they concern, and fails a command with the reason', async () => {
    const { devTools, sent, say } = open()
    const heard: string[] = []
    devTools.session('A').on('Page.frameNavigated', () => heard.push('A'))
    devTools.session('B').on('Page.frameNavigated', () => heard.push('B'))
    const failing = devTools.session('A').send('Page.enable')
    await turn()
    say({ method: 'Page.frameNavigated', params: {}, sessionId: 'B' })
    say({ id: sent[0]!.id, error: { code: -32000, message: 'Target crashed' } })
    expect(await reason(failing)).to.equal('Page.enable: Target crashed')
    expect(heard).to.deep.equal(['B'])
  })

  it('fails what waits when its page or the browser is gone', async () => {
    const { devTools, events } = open()
    const ofPage = reason(devTools.session('A').send('Page.enable'))
    const ofBrowser = reason(devTools.root.send('Browser.getVersion'))
    devTools.forget('A')
    expect(await ofPage).to.equal('Page.enable: the page is closed')
    let closed = 0
    devTools.onClose(() => closed++)
    events.destroy()
    expect(await ofBrowser).to.equal('Browser.getVersion: the browser is closed')
    expect(await reason(devTools.root.send('Browser.getVersion'))).to.equal('Browser.getVersion: the browser is closed')
    expect([closed, devTools.isOpen]).to.deep.equal([1, false])
  })
})
