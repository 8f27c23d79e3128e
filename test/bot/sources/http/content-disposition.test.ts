import { expect } from 'chai'
import { fileNameIn } from '../../../../bot/sources/http/content-disposition.ts'
import { titleOfFile } from '../../../../bot/sources/http/text.ts'

describe('the name in a Content-Disposition header', () => {
  for (const [header, name] of [
    ['attachment; filename="song.mp3"', 'song.mp3'],
    ['attachment;FileName=song.mp3;size=100', 'song.mp3'],
    ['attachment; filename=my file.mp3', 'my file.mp3'],
    ['attachment; filename=my%20file.mp3', 'my file.mp3'],
    ['attachment; filename="100%.mp3"', '100%.mp3'],
    ['attachment; filename=""', ''],
    ['inline', ''],
    [String.raw`attachment; filename="my \"special\" file,name.mp3"`, 'my "special" file,name.mp3'],
    [String.raw`attachment; filename="C:\music\song.mp3"`, String.raw`C:\music\song.mp3`],
    ['attachment; filename="unterminated.mp3', 'unterminated.mp3'],
    [`attachment; filename="${Buffer.from('Français.mp3').toString('latin1')}"`, 'Français.mp3'],
    ['attachment; filename="Fran\xe7ais.mp3"', 'Français.mp3'],
    ["attachment; filename=x.mp3; filename*=UTF-8''Fran%C3%A7ais.mp3", 'Français.mp3'],
    ["attachment; filename*=iso-8859-1'fr'Fran%E7ais.mp3", 'Français.mp3'],
    ["attachment; filename*=windows-1251''%CF%E5%F1%ED%FF.mp3; filename=x.mp3", 'Песня.mp3'],
    ["attachment; filename*=Shift_JIS'ja'%8D%F7.mp3", '桜.mp3'],
    ["attachment; filename*=nonsense''Fran%C3%A7ais.mp3", 'Français.mp3'],
    [`attachment; filename*="UTF-8''Fran%C3%A7ais.mp3"`, 'Français.mp3'],
    ["attachment; filename*=UTF-8''John's%20Song.mp3", "John's Song.mp3"],
    [`attachment; filename="a ; b.mp3"; filename*=UTF-8''a%20%3B%20b.mp3`, 'a ; b.mp3'],
    ['attachment; filename="=?UTF-8?B?RnJhbsOnYWlzLm1wMw==?="', 'Français.mp3'],
    ['attachment; filename="=?iso-8859-1?Q?Fran=E7ais_ici?= =?utf-8?q?_l=C3=A0.mp3?="', 'Français ici là.mp3'],
    ['attachment; filename*0="one, "; filename*1="two.mp3"', 'one, two.mp3'],
    ["attachment; filename*1*=%A7ais.mp3; filename*0*=UTF-8''Fran%C3", 'Français.mp3'],
  ] as const) {
    it(`is "${name}" of ${header}`, () => expect(fileNameIn(header)).to.equal(name))
  }

  it('keeps a number behind a dot, which is no extension', () => {
    expect(['No. 5 (Live).mp3', 'Symphony No.9', 'a.b.M4A', 'x.3gp'].map(titleOfFile)).to.deep.equal([
      'No. 5 (Live)',
      'Symphony No.9',
      'a.b',
      'x',
    ])
  })

  it('is read in no time, however odd it is', () => {
    for (const part of ['filename="\\', '; filename', "''%", '=?a?b?', 'filename*0=a;']) {
      const startedAtMs = performance.now()
      fileNameIn(part.repeat(16_384 / part.length))
      expect(performance.now() - startedAtMs, part).to.be.below(500)
    }
  })
})
