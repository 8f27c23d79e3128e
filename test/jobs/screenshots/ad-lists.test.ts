import { expect } from 'chai'
import { BUILT_IN_LIST } from '../../../jobs/screenshots/ads/built-in-list.ts'
import { createAdBlocking } from '../../../jobs/screenshots/ads/ad-filter.ts'
import { createAdLists } from '../../../jobs/screenshots/ads/ad-lists.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { closing } from '../../support/closing.ts'
import { temporaryFolder } from '../../support/database.ts'
import { silent } from '../../support/encode-queue.ts'
import { serve } from '../../support/web.ts'

const DAY_MS = 24 * 60 * 60_000

describe('lists of ads', () => {
  const own = closing()

  async function open(answers: () => { status: number; text: string }) {
    let asked = 0
    let aheadMs = 0
    const host = own(
      await serve((_, reply) => {
        asked++
        const { status, text } = answers()
        reply.writeHead(status).end(text)
      }),
    )
    const egress = own(createEgress({ allowHosts: ['127.0.0.1'] }))
    const { path: folder, remove } = temporaryFolder()
    own({ close: async () => remove() })
    const options = { urls: [`${host.url}/list.txt`], folder, egress, log: silent, now: () => Date.now() + aheadMs }
    return {
      lists: () => createAdLists(options),
      asked: () => asked,
      pass: (days: number) => void (aheadMs += days * DAY_MS),
    }
  }

  it('are fetched once, kept on disk, and fetched again after four days', async () => {
    const stage = await open(() => ({ status: 200, text: '! Title: Ours\n||ads.test^' }))
    expect(await stage.lists().text())
      .to.include('||ads.test^')
      .and.to.include(BUILT_IN_LIST)
    expect(await stage.lists().text()).to.include('||ads.test^')
    expect(stage.asked()).to.equal(1)
    stage.pass(5)
    await stage.lists().text()
    expect(stage.asked()).to.equal(2)
  })

  it('serve with the built-in one where theirs cannot be had, and with the older one where there is one', async () => {
    let answer = { status: 503, text: 'down' }
    const stage = await open(() => answer)
    expect(await stage.lists().text()).to.equal(BUILT_IN_LIST)
    answer = { status: 200, text: '<html>Sign in to this network</html>' }
    expect(await stage.lists().text()).to.equal(BUILT_IN_LIST)
    answer = { status: 200, text: '[Adblock Plus 2.0]\n||ads.test^' }
    expect(await stage.lists().text()).to.include('||ads.test^')
    answer = { status: 404, text: 'gone' }
    stage.pass(30)
    expect(await stage.lists().text()).to.include('||ads.test^')
  })

  it('name well-known ad hosts without any fetched list, and no others', async () => {
    const filter = await createAdBlocking({ text: () => Promise.resolve(BUILT_IN_LIST) }).filter()
    const isAd = (url: string) => filter.isAd({ url, type: 'Script', pageUrl: 'https://news.example/' })
    expect(isAd('https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js')).to.equal(true)
    expect(isAd('https://securepubads.g.doubleclick.net/tag/js/gpt.js')).to.equal(true)
    expect(isAd('https://cdn.example/library.js')).to.equal(false)
    expect(filter.stylesFor('https://news.example/', { classes: ['adsbygoogle'], ids: [] })).to.include('adsbygoogle')
  })
})
