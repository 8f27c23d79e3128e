import { expect } from 'chai'
import { unprocessable } from '../../../lib/errors.ts'
import { createMemberStage, type MemberStage } from '../../support/members.ts'

describe('the image commands', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
  })
  afterEach(() => stage.close())

  it('offer effects by what they are called and what they do', async () => {
    const names = async (command: string, typed: string) =>
      (await stage.complete(command, 'effect', typed, { by: 1 })).choices.map(({ value }) => value)
    expect(await names('image filter', 'b')).to.deep.equal(['blur', 'sepia'])
    expect(await names('image filter', 'sep')).to.deep.equal(['sepia'])
    expect(await names('image overlay', 'against')).to.deep.equal(['versus'])
    const { choices } = await stage.complete('image filter', 'effect', 'blur', { by: 1 })
    expect(choices[0]?.name).to.equal('blur: Blurs the picture (radius=6)')
  })

  it("post the member's own avatar with the effect, settings and all, for anyone to see", async () => {
    const answer = await stage.type('image filter', { effect: 'blur', settings: 'radius = 10' }, { by: 1 })
    const [file] = answer.whole.message.attachments
    expect(file.filename).to.equal('blur.png')
    const [wish] = stage.test.pictures.wishes
    expect(wish).to.deep.include({ kind: 'filter', effect: 'blur', settings: { radius: '10' } })
    expect(wish?.urls).to.have.length(1)
    expect(wish?.urls[0]).to.match(/^https?:/)
    await stage.type('image filter', { effect: 'blur', settings: '12' }, { by: 1 })
    expect(stage.test.pictures.wishes[1]?.settings).to.deep.equal({ radius: '12' })
  })

  it('take a second picture where the effect needs one', async () => {
    await stage.type('image overlay', { effect: 'versus' }, { by: 1 })
    await stage.type('image overlay', { effect: 'versus', member: stage.ids[2], with: stage.ids[3] }, { by: 1 })
    expect(stage.test.pictures.wishes.map(({ urls }) => urls.length)).to.deep.equal([2, 2])
  })

  it('take a file that is sent along instead of an avatar', async () => {
    const picture = { name: 'cat.png', type: 'image/png', base64: Buffer.from('a cat').toString('base64') }
    await stage.type('image filter', { effect: 'blur', picture }, { by: 1 })
    const [url = ''] = stage.test.pictures.wishes[0]?.urls ?? []
    expect(url).to.match(/\/cat\.png$/)
    expect(await (await fetch(url)).text()).to.equal('a cat')
  })

  it('say in words what is wrong: the effect, the settings, the picture', async () => {
    const say = async (options: object, locale = 'en-US') =>
      (await stage.type('image filter', { ...options }, { by: 1, locale })).text
    expect(await say({ effect: 'nonsense' })).to.match(/^Unknown effect “nonsense”/)
    const { pictures } = stage.test
    pictures.failure = unprocessable('invalid_setting', 'x')
    expect(await say({ effect: 'blur', settings: 'y=1' })).to.contain('This effect takes: `radius=6`.')
    expect(await say({ effect: 'sepia', settings: 'y=1' }, 'de')).to.equal('Dieser Effekt hat keine Werte.')
    pictures.failure = unprocessable('picture_too_large', 'x')
    expect(await say({ effect: 'blur' }, 'fr')).to.match(/^Cette image est trop grande/)
  })
})
