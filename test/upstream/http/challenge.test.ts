import { expect } from 'chai'
import { isChallenge } from '../../../upstream/http/challenge.ts'

const page = (title: string, rest = '') =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title>${rest}</head><body></body></html>`

describe('a page that wants a browser or a person', () => {
  it('is known by its title, by what it loads, or by a header', () => {
    expect(isChallenge({}, page('Client Challenge'))).to.equal(true)
    expect(isChallenge({}, page('Just a moment...'))).to.equal(true)
    expect(
      isChallenge({}, page('x', '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>')),
    ).to.equal(true)
    expect(isChallenge({}, page('x', '<script src="https://geo.captcha-delivery.com/captcha/"></script>'))).to.equal(
      true,
    )
    expect(isChallenge({ 'cf-mitigated': 'challenge' }, '')).to.equal(true)
  })

  it('is neither what was asked for, nor an error page of another kind', () => {
    expect(isChallenge({}, '{"title": "<title>Just a moment"}')).to.equal(false)
    expect(
      isChallenge({}, page('Just a moment in time, by The Quays').replace('<title>Just', '<title>Song: Just')),
    ).to.equal(false)
    expect(isChallenge({}, page('404 Not Found'))).to.equal(false)
    expect(isChallenge({}, '')).to.equal(false)
  })
})
