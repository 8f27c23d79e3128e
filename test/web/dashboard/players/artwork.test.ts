import { expect } from 'chai'
import { coverPath } from '../../../../web/http/cover-path.ts'

describe('the path of a cover of ours', () => {
  const base = 'https://music.example'

  it('is that of an address as we make them, without the host', () => {
    expect(coverPath(`${base}/covers/Ab-9_x`, base)).to.equal('/covers/Ab-9_x')
    expect(coverPath(`${base}/sub/covers/Ab-9_x`, `${base}/sub`)).to.equal('/sub/covers/Ab-9_x')
  })

  it('is none for an address that a caller made up, which would lead to another site', () => {
    const rest = [
      '..//evil.example/x',
      '/evil.example',
      './/evil.example',
      '%2e%2e//evil.example',
      'a/../..//evil.example',
      '',
    ]
    for (const text of [...rest, '..\\\\evil.example', '\t/../..//evil.example', 'a?x', 'a#x', 'a\n'])
      expect(coverPath(`${base}/covers/${text}`, base), text).to.equal(null)
    for (const url of ['https://music.example.evil.test/covers/a', 'https://evil.example/covers/a'])
      expect(coverPath(url, base), url).to.equal(null)
  })
})
